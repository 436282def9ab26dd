/* SPDX-License-Identifier: MIT */
/* gguf.h - the GGUF container, for the registry. */
#ifndef GGFS_FORMATS_GGUF_H
#define GGFS_FORMATS_GGUF_H

#include "formats/format.h"

extern const struct ggfs_format ggfs_format_gguf;

/* enum ggfs_type of a type number in GGUF files, GGFS_TYPE_NONE where there is none. */
uint8_t ggfs_gguf_type(uint32_t number);

#endif
