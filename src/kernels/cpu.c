/* SPDX-License-Identifier: MIT */
/* cpu.c - cpuid and the register state that the operating system saves. */
#include <config.h>

#include "kernels/cpu.h"

#if defined __x86_64__

#include <cpuid.h>
#include <stdbool.h>
#include <stddef.h>

/* The words of cpuid and xgetbv that are looked at. */
enum word { LEAF1_ECX, LEAF7_EBX, LEAF7_ECX, XCR0, WORDS };

enum { XCR0_YMM = 0x06, XCR0_ZMM = 0xe6 };

struct cpu_need {
    enum ggfs_cpu bit;
    uint32_t all[WORDS];
};

static const struct cpu_need needs[] = {
    {GGFS_CPU_AVX2,
     {[LEAF1_ECX] = bit_FMA | bit_F16C | bit_AVX | bit_OSXSAVE,
      [LEAF7_EBX] = bit_AVX2 | bit_BMI | bit_BMI2,
      [XCR0] = XCR0_YMM}},
    {GGFS_CPU_AVX512,
     {[LEAF1_ECX] = bit_FMA | bit_F16C | bit_AVX | bit_OSXSAVE,
      [LEAF7_EBX] =
          bit_AVX2 | bit_BMI | bit_BMI2 | bit_AVX512F | bit_AVX512BW | bit_AVX512DQ | bit_AVX512VL,
      [XCR0] = XCR0_ZMM}},
    {GGFS_CPU_VBMI, {[LEAF7_ECX] = bit_AVX512VBMI, [XCR0] = XCR0_ZMM}},
};

/* The instruction is written out as bytes, so that no flag is needed to compile it. */
static uint32_t read_xcr0(void)
{
    uint32_t low, high;

    __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static void read_words(uint32_t words[WORDS])
{
    uint32_t eax, ebx, ecx, edx;

    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
        return;
    words[LEAF1_ECX] = ecx;
    if (ecx & bit_OSXSAVE)
        words[XCR0] = read_xcr0();
    if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx))
        return;
    words[LEAF7_EBX] = ebx;
    words[LEAF7_ECX] = ecx;
}

static bool holds(const struct cpu_need *need, const uint32_t words[WORDS])
{
    for (int i = 0; i < WORDS; i++)
        if ((words[i] & need->all[i]) != need->all[i])
            return false;
    return true;
}

uint32_t ggfs_cpu_features(void)
{
    uint32_t words[WORDS] = {0}, features = 0;

    read_words(words);
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++)
        if (holds(&needs[i], words))
            features |= needs[i].bit;
    return features;
}

#elif defined __aarch64__

/* Every AArch64 CPU that runs Linux has it. */
uint32_t ggfs_cpu_features(void)
{
    return GGFS_CPU_NEON;
}

#else

uint32_t ggfs_cpu_features(void)
{
    return 0;
}

#endif
