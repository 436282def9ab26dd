/* SPDX-License-Identifier: MIT */
/* vbmi_legacy.c - kernels for AVX-512 VBMI: block layouts from before GGUF.
 *
 * Blocks are drawn in scalar_legacy.c; the common ways are those of avx512.c. The product with an
 * f32 scale is not exact: multiply and add are two steps there, each of which rounds. */
#include <config.h>

#include "kernels/words.h"
#include "kernels/x86/avx512.h"
#include "kernels/x86/legacy.h"
#include "kernels/x86/vbmi.h"

/* Neighbour nibbles: 8 bytes to 16 codes at the bottom of the lanes, with others above:
 * for each lane the byte that begins at its nibble. */
KERNEL_INLINE __m512i neighbours(const uint8_t *q)
{
    const __m512i at = LANES16(0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60);

    return _mm512_multishift_epi64_epi8(at, _mm512_set1_epi64((int64_t)word64(q)));
}

#define NAME(kernel) ggfs_vbmi_##kernel
#include "kernels/x86/avx512_legacy_tmpl.h"

/* Values 2k and 2k + 1 in one byte, 2k + 16 and 2k + 17 eight bytes behind. */
KERNEL_INLINE struct nibble_order neighbour_order(void)
{
    const __m512i steps = LANES16(0, 0, 0x01010101, 0, 0x02020202, 0, 0x03030303, 0, 0x04040404, 0,
                                  0x05050505, 0, 0x06060606, 0, 0x07070707, 0);

    return (struct nibble_order){steps, 8, 0x1c140c0418100800};
}

void ggfs_vbmi_q5_0_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    each_q5_0(dst, src, nblocks, neighbour_order());
}

void ggfs_vbmi_q5_1_v1(float *dst, const uint8_t *src, size_t nblocks)
{
    each_q5_1(dst, src, nblocks, neighbour_order());
}
