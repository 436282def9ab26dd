/* SPDX-License-Identifier: MIT */
/* weave.h - interleaved layouts: groups of rows whose blocks lie woven into each other. */
#ifndef GGFS_DECODE_WEAVE_H
#define GGFS_DECODE_WEAVE_H

#include "base/err.h"
#include "decode/blocks.h"
#include "decode/window.h"

#include <stdbool.h>
#include <stdint.h>

/* Decodes all blocks that the window touches. *reached: the block before which all is there. False
 * where a read failed; *reached holds all the same. raw: GGFS_WEAVE_RAW bytes for woven blocks as
 * read; plain: GGFS_WEAVE_PLAIN bytes for one row's part of them. */
#define GGFS_WEAVE_RAW (size_t)(64 * 1024)
#define GGFS_WEAVE_PLAIN (size_t)(16 * 1024)

bool ggfs_weave_decode(const struct ggfs_blocks *blocks, const struct ggfs_window *window,
                       uint8_t *raw, uint8_t *plain, uint64_t *reached, struct ggfs_err *err);

/* Byte of the tensor at which the woven block lies that holds plain block number block. */
uint64_t ggfs_weave_at(const struct ggfs_blocks *blocks, uint64_t block);

/* Row `row` of a group's n woven blocks at src as n plain blocks at dst. type must be a woven one.
 */
void ggfs_weave_row(const struct ggfs_type_info *type, unsigned row, const uint8_t *src, size_t n,
                    uint8_t *dst);

#endif
