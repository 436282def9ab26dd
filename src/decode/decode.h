/* SPDX-License-Identifier: MIT */
/* decode.h - any range of a tensor as float32, or as its bytes in little-endian order. */
#ifndef GGFS_DECODE_DECODE_H
#define GGFS_DECODE_DECODE_H

#include "base/err.h"
#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A thread's own working memory. Source blocks are read here before a kernel sees them: large
 * enough to make a read worth its system call, small enough to stay in the second-level cache. */
struct ggfs_scratch {
    void *memory; /* GGFS_SCRATCH_BYTES bytes, aligned to 64 */
};

#define GGFS_SCRATCH_BYTES (size_t)(160 * 1024)

bool ggfs_scratch_init(struct ggfs_scratch *scratch, struct ggfs_err *err);
void ggfs_scratch_free(struct ggfs_scratch *scratch);

/* True where a kernel decodes the tensor's type. */
bool ggfs_decode_has_kernel(const struct ggfs_tensor *tensor);

/* True where the tensor's values can be told: no fault hides them and there is a kernel. */
bool ggfs_decode_can(const struct ggfs_tensor *tensor);

/* File offset of the block that holds value number `value`, which there must be, of a tensor of a
 * known type. */
uint64_t ggfs_decode_place(const struct ggfs_model *model, const struct ggfs_tensor *tensor,
                           uint64_t value);

/* n bytes from byte `first` of the little-endian float32 array of all values (4 * values bytes in
 * all), at any byte. *got < n where the model file was cut behind our back: the bytes before the
 * cut. Decodes only the blocks that the range touches, straight into dst where dst + range allow;
 * allocates nothing. GGFS_ERR_IO when a read fails before anything was got. */
bool ggfs_decode_f32(const struct ggfs_model *model, const struct ggfs_tensor *tensor,
                     uint64_t first, void *dst, size_t n, size_t *got, struct ggfs_scratch *scratch,
                     struct ggfs_err *err);

/* The same for the tensor's own bytes in little-endian order (types with an npy name). */
bool ggfs_decode_stored(const struct ggfs_model *model, const struct ggfs_tensor *tensor,
                        uint64_t first, void *dst, size_t n, size_t *got,
                        struct ggfs_scratch *scratch, struct ggfs_err *err);

#endif
