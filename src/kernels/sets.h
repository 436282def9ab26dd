/* SPDX-License-Identifier: MIT */
/* sets.h - the kernel sets, one a file, for dispatch.c. */
#ifndef GGFS_KERNELS_SETS_H
#define GGFS_KERNELS_SETS_H

struct ggfs_kernel_set;

extern const struct ggfs_kernel_set ggfs_kernels_scalar;
extern const struct ggfs_kernel_set ggfs_kernels_avx2;
extern const struct ggfs_kernel_set ggfs_kernels_avx512;
extern const struct ggfs_kernel_set ggfs_kernels_vbmi;
extern const struct ggfs_kernel_set ggfs_kernels_neon;

#endif
