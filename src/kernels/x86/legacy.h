/* SPDX-License-Identifier: MIT */
/* legacy.h - the x86 kernels of block layouts from before GGUF, for the sets of their names. */
#ifndef GGFS_KERNELS_X86_LEGACY_H
#define GGFS_KERNELS_X86_LEGACY_H

#include <stddef.h>
#include <stdint.h>

/* Each is a ggfs_kernel_fn. */
void ggfs_avx2_q4_0_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_avx2_q4_1_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_avx2_q4_2_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_avx2_q4_3_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_avx2_q5_0_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_avx2_q5_1_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_avx2_q8_0_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_avx2_q4_0_v2(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_avx2_q4_1_v2(float *dst, const uint8_t *src, size_t nblocks);

void ggfs_avx512_q4_0_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_avx512_q4_1_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_avx512_q4_2_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_avx512_q4_3_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_avx512_q5_0_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_avx512_q5_1_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_avx512_q8_0_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_avx512_q4_0_v2(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_avx512_q4_1_v2(float *dst, const uint8_t *src, size_t nblocks);

void ggfs_vbmi_q4_0_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_vbmi_q4_1_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_vbmi_q4_2_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_vbmi_q4_3_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_vbmi_q5_0_v1(float *dst, const uint8_t *src, size_t nblocks);
void ggfs_vbmi_q5_1_v1(float *dst, const uint8_t *src, size_t nblocks);

#endif
