/* SPDX-License-Identifier: MIT */
/* gguf_types.h - what GGUF's numbers for types mean. */
#ifndef GGFS_FORMATS_GGUF_TYPES_H
#define GGFS_FORMATS_GGUF_TYPES_H

#include <stdbool.h>
#include <stdint.h>

struct ggfs_tensor;

/* The enum ggfs_type of a tensor's type number; GGFS_TYPE_NONE where it has none. */
uint8_t ggfs_gguf_type(uint32_t number);

/* Sets tensor->type from tensor->type_id, and the faults that number and byte order alone show. */
void ggfs_gguf_set_type(struct ggfs_tensor *tensor, bool big);

/* What general.file_type says, in words; NULL for a number without a meaning. */
const char *ggfs_gguf_file_type(uint64_t number);

#endif
