/* SPDX-License-Identifier: MIT */
/* cpu.h - what the CPU and the operating system let a kernel use. */
#ifndef GGFS_KERNELS_CPU_H
#define GGFS_KERNELS_CPU_H

#include <stdint.h>

/* One bit for each instruction set that a kernel file is compiled for. */
enum ggfs_cpu {
    GGFS_CPU_AVX2 = 1 << 0,   /* AVX2, FMA, F16C, BMI, BMI2 */
    GGFS_CPU_AVX512 = 1 << 1, /* AVX-512 F, BW, DQ, VL */
    GGFS_CPU_VBMI = 1 << 2,   /* AVX-512 VBMI */
    GGFS_CPU_NEON = 1 << 3,
};

/* All bits that hold here. */
uint32_t ggfs_cpu_features(void);

#endif
