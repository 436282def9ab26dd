/* SPDX-License-Identifier: MIT */
/* planar.h - rows that keep the fields of their blocks apart, as ggml's first days had them. */
#ifndef GGFS_DECODE_PLANAR_H
#define GGFS_DECODE_PLANAR_H

#include "base/err.h"
#include "decode/blocks.h"
#include "decode/window.h"

#include <stdbool.h>
#include <stdint.h>

/* What types.def says of them in place of a number of woven rows. */
#define GGFS_PLANAR_ROWS 1

/* As ggfs_weave_decode, with working memory of the same sizes. */
bool ggfs_planar_decode(const struct ggfs_blocks *blocks, const struct ggfs_window *window,
                        uint8_t *raw, uint8_t *plain, uint64_t *reached, struct ggfs_err *err);

/* Byte of the tensor at which the last field of block number block lies. */
uint64_t ggfs_planar_at(const struct ggfs_blocks *blocks, uint64_t block);

#endif
