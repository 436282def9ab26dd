/* SPDX-License-Identifier: MIT */
/* scalar_legacy.h - the scalar decoders of block layouts from before GGUF, for the scalar set. */
#ifndef GGFS_KERNELS_SCALAR_LEGACY_H
#define GGFS_KERNELS_SCALAR_LEGACY_H

#include <stddef.h>
#include <stdint.h>

/* Each is a ggfs_kernel_fn. */
void ggfs_scalar_q4_0_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_scalar_q4_1_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_scalar_q4_2_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_scalar_q4_3_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_scalar_q5_0_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_scalar_q5_1_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_scalar_q8_0_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_scalar_q4_0_v2(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_scalar_q4_1_v2(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_scalar_q4_1_o(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_scalar_q2_k_64(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_scalar_q3_k_64(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_scalar_q4_k_64(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_scalar_q5_k_64(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_scalar_q6_k_64(float *dst, const uint8_t *src, size_t nblocks);

#endif
