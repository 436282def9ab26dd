/* SPDX-License-Identifier: MIT */
/* avx512_legacy_tmpl.h - the kernels of neighbour nibbles, for AVX-512 and for VBMI.
 *
 * Before it is included:
 * - NAME(kernel) is the name of a kernel in this set;
 * - neighbours(q) makes 8 bytes of neighbour nibbles 16 codes at the bottom of the lanes, whatever
 *   lies above them. */

/* The float at b in all lanes. */
KERNEL_INLINE __m512 single(const uint8_t *b)
{
    return _mm512_set1_ps(float_at(b));
}

KERNEL_INLINE void put_neighbours(float *v, __m512 table, const uint8_t *q)
{
    put(v, pick(table, neighbours(q)));
    put(v + 16, pick(table, neighbours(q + 8)));
}

/* q * d + m for every q, by two roundings. */
KERNEL_INLINE __m512 table_rounded(__m512 d, __m512 m)
{
    return _mm512_add_ps(_mm512_mul_ps(counted_from(0), d), m);
}

KERNEL_INLINE void q4_0_v1_block(float *dst, const uint8_t *src)
{
    put_neighbours(dst, _mm512_mul_ps(counted_from(-8), single(src)), src + 4);
}

void NAME(q4_0_v1)(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 20, 32, q4_0_v1_block);
}

KERNEL_INLINE void q4_1_v1_block(float *dst, const uint8_t *src)
{
    put_neighbours(dst, table_rounded(single(src), single(src + 4)), src + 8);
}

void NAME(q4_1_v1)(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 24, 32, q4_1_v1_block);
}

KERNEL_INLINE void q4_2_v1_block(float *dst, const uint8_t *src)
{
    put(dst, pick(_mm512_mul_ps(counted_from(-8), half(src)), neighbours(src + 2)));
}

void NAME(q4_2_v1)(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 10, 16, q4_2_v1_block);
}

KERNEL_INLINE void q4_3_v1_block(float *dst, const uint8_t *src)
{
    __m512 table = _mm512_fmadd_ps(counted_from(0), half(src), second_half(src));

    put(dst, pick(table, neighbours(src + 4)));
}

void NAME(q4_3_v1)(float *dst, const uint8_t *src, size_t nblocks)
{
    each_block(dst, src, nblocks, 12, 16, q4_3_v1_block);
}
