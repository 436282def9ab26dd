/* SPDX-License-Identifier: MIT */
/* legacy.h - the NEON kernels of block layouts from before GGUF, for the set of that name. */
#ifndef GGFS_KERNELS_ARM_LEGACY_H
#define GGFS_KERNELS_ARM_LEGACY_H

#include <stddef.h>
#include <stdint.h>

/* Each is a ggfs_kernel_fn. */
void ggfs_neon_q4_0_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_neon_q4_1_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_neon_q4_2_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_neon_q4_3_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_neon_q5_0_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_neon_q5_1_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_neon_q8_0_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_neon_q4_0_v2(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_neon_q4_1_v2(float *dst, const uint8_t *src, size_t nblocks);

#endif
