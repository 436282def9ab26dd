/* SPDX-License-Identifier: MIT */
/* check_base.c - errors, memory, arena, strings, sinks and checked arithmetic. */
#include <config.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/sink.h"
#include "base/str.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

static void expect_line(const struct ggfs_err *err, const char *line)
{
    char out[4 * sizeof *err];

    ggfs_err_format(err, out, sizeof out);
    ck_assert_str_eq(out, line);
}

START_TEST(err_says_file_offset_and_field)
{
    struct ggfs_err err;

    ggfs_err_init(&err, "q4.gguf");
    ck_assert(
        !ggfs_fail(&err, GGFS_ERR_FORMAT, 0x1c8, "tensor[12].n_dims", "%d, at most %d", 9, 4));
    ck_assert_int_eq(err.kind, GGFS_ERR_FORMAT);
    expect_line(&err, "q4.gguf: offset 0x1c8: tensor[12].n_dims: 9, at most 4");
}
END_TEST

START_TEST(err_leaves_out_what_is_not_known)
{
    struct ggfs_err err;

    ggfs_err_init(&err, NULL);
    ggfs_fail(&err, GGFS_ERR_SYSTEM, GGFS_NO_OFFSET, NULL, "cannot fork");
    expect_line(&err, "cannot fork");
    ggfs_err_init(&err, "a");
    ggfs_fail(&err, GGFS_ERR_FORMAT, GGFS_NO_OFFSET, "magic", "wrong");
    expect_line(&err, "a: magic: wrong");
    ggfs_err_init(&err, "a");
    ggfs_fail(&err, GGFS_ERR_FORMAT, 0, NULL, "wrong");
    expect_line(&err, "a: offset 0x0: wrong");
}
END_TEST

START_TEST(err_keeps_the_first_cause)
{
    struct ggfs_err err;

    ggfs_err_init(&err, NULL);
    ggfs_fail(&err, GGFS_ERR_IO, 1, NULL, "first");
    ggfs_fail(&err, GGFS_ERR_FORMAT, 2, "x", "second");
    ck_assert_int_eq(err.kind, GGFS_ERR_IO);
    expect_line(&err, "offset 0x1: first");
    ck_assert(!ggfs_fail(NULL, GGFS_ERR_IO, 0, NULL, "nobody listens"));
}
END_TEST

START_TEST(err_stays_one_line)
{
    struct ggfs_err err;
    char small[8];

    ggfs_err_init(&err, "a\nb\x1b[2J");
    ggfs_fail(&err, GGFS_ERR_OPEN, GGFS_NO_OFFSET, NULL, "tab\there");
    expect_line(&err, "a\\nb\\x1b[2J: tab\\there");
    ggfs_err_format(&err, small, sizeof small);
    ck_assert_str_eq(small, "a\\nb\\x1");
}
END_TEST

START_TEST(err_cuts_long_texts)
{
    struct ggfs_err err;
    char field[300], out[4 * sizeof err];

    memset(field, 'f', sizeof field - 1);
    field[sizeof field - 1] = '\0';
    ggfs_err_init(&err, NULL);
    ggfs_fail(&err, GGFS_ERR_FORMAT, 0, field, "%0600d", 1);
    ggfs_err_format(&err, out, sizeof out);
    ck_assert_uint_eq(strlen(err.field), sizeof err.field - 1);
    ck_assert_uint_eq(strlen(err.text), sizeof err.text - 1);
}
END_TEST

START_TEST(arena_gives_aligned_separate_pieces)
{
    struct ggfs_arena arena;
    unsigned char *pieces[64];

    ggfs_arena_init(&arena);
    for (size_t i = 0; i < 64; i++) {
        size_t size = i * 97;
        pieces[i] = ggfs_arena_alloc(&arena, size, NULL);
        ck_assert_ptr_nonnull(pieces[i]);
        ck_assert_uint_eq((uintptr_t)pieces[i] % _Alignof(max_align_t), 0);
        memset(pieces[i], (int)i, size);
    }
    for (size_t i = 0; i < 64; i++)
        for (size_t j = 0; j < i * 97; j++)
            ck_assert_uint_eq(pieces[i][j], i);
    ggfs_arena_free(&arena);
    ck_assert_uint_eq(arena.bytes, 0);
}
END_TEST

START_TEST(arena_refuses_what_overflows)
{
    struct ggfs_arena arena;
    struct ggfs_err err;

    ggfs_arena_init(&arena);
    ggfs_err_init(&err, NULL);
    ck_assert_ptr_null(ggfs_arena_alloc(&arena, SIZE_MAX, &err));
    ck_assert_int_eq(err.kind, GGFS_ERR_MEMORY);
    ck_assert_ptr_null(ggfs_arena_alloc(&arena, SIZE_MAX - 32, NULL));
    ck_assert_ptr_null(ggfs_arena_zero(&arena, SIZE_MAX / 2, 3, NULL));
    ggfs_arena_free(&arena);
}
END_TEST

START_TEST(arena_zeroes_and_copies)
{
    struct ggfs_arena arena;
    const unsigned char *zeros;
    const char *text;

    ggfs_arena_init(&arena);
    memset(ggfs_arena_alloc(&arena, 5000, NULL), 0xFF, 5000);
    zeros = ggfs_arena_zero(&arena, 100, 3, NULL);
    for (size_t i = 0; i < 300; i++)
        ck_assert_uint_eq(zeros[i], 0);
    text = ggfs_arena_text(&arena, (struct ggfs_str){"abcdef", 3}, NULL);
    ck_assert_str_eq(text, "abc");
    text = ggfs_arena_text(&arena, (struct ggfs_str){NULL, 0}, NULL);
    ck_assert_str_eq(text, "");
    ggfs_arena_free(&arena);
}
END_TEST

START_TEST(mem_fails_on_demand)
{
    struct ggfs_arena arena;
    struct ggfs_err err;
    void *p;

    ggfs_mem_fail_at(2);
    p = ggfs_mem_alloc(10, NULL);
    ck_assert_ptr_nonnull(p);
    free(p);
    ggfs_err_init(&err, NULL);
    ck_assert_ptr_null(ggfs_mem_zero(2, 5, &err));
    expect_line(&err, "no memory for 10 bytes");
    ggfs_arena_init(&arena);
    ck_assert_ptr_null(ggfs_arena_alloc(&arena, 1, NULL));
    ggfs_mem_fail_at(0);
    ck_assert_ptr_nonnull(ggfs_arena_alloc(&arena, 1, NULL));
    ggfs_arena_free(&arena);
}
END_TEST

START_TEST(mem_takes_any_size)
{
    void *p = ggfs_mem_zero(0, 8, NULL);

    ck_assert_ptr_nonnull(p);
    p = ggfs_mem_resize(p, 0, NULL);
    ck_assert_ptr_nonnull(p);
    p = ggfs_mem_resize(p, 1000, NULL);
    ck_assert_ptr_nonnull(p);
    free(p);
    ck_assert_ptr_null(ggfs_mem_zero(SIZE_MAX, 2, NULL));
}
END_TEST

START_TEST(str_compares_bytes)
{
    static const struct ggfs_str sorted[] = {
        {NULL, 0}, {"\0", 1}, {"\0a", 2}, {"a", 1}, {"a\0b", 3}, {"ab", 2}, {"b", 1}, {"\xFF", 1},
    };

    for (size_t i = 0; i < COUNT(sorted); i++)
        for (size_t j = 0; j < COUNT(sorted); j++) {
            int order = ggfs_str_compare(sorted[i], sorted[j]);
            ck_assert_int_eq((order > 0) - (order < 0), (i > j) - (i < j));
            ck_assert_int_eq(ggfs_str_equal(sorted[i], sorted[j]), i == j);
        }
}
END_TEST

START_TEST(str_knows_both_ends)
{
    struct ggfs_str s = GGFS_STR("model.gguf");

    ck_assert(ggfs_str_starts(s, GGFS_STR("model")));
    ck_assert(ggfs_str_starts(s, GGFS_STR("")));
    ck_assert(!ggfs_str_starts(s, GGFS_STR("model.gguf2")));
    ck_assert(ggfs_str_ends(s, GGFS_STR(".gguf")));
    ck_assert(ggfs_str_ends(s, s));
    ck_assert(!ggfs_str_ends(s, GGFS_STR(".ggu")));
    ck_assert(!ggfs_str_ends(GGFS_STR("f"), GGFS_STR("gf")));
}
END_TEST

/* Every window over a text put in pieces of every size. */
START_TEST(sink_copies_its_window)
{
    static const char text[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    size_t n = sizeof text - 1;

    for (size_t piece = 1; piece <= n; piece++)
        for (size_t skip = 0; skip <= n + 1; skip++) {
            char out[8];
            struct ggfs_sink sink;
            size_t left = skip < n ? n - skip : 0;
            ggfs_sink_window(&sink, skip, out, sizeof out);
            for (size_t i = 0; i < n; i += piece)
                ggfs_sink_put(&sink, text + i, piece < n - i ? piece : n - i);
            ck_assert_uint_eq(sink.total, n);
            ck_assert_uint_eq(sink.got, left < sizeof out ? left : sizeof out);
            ck_assert_mem_eq(out, text + (skip < n ? skip : n), sink.got);
            ck_assert_int_eq(ggfs_sink_full(&sink), left >= sizeof out);
        }
}
END_TEST

START_TEST(sink_counts)
{
    struct ggfs_sink sink;

    ggfs_sink_count(&sink);
    ggfs_sink_str(&sink, GGFS_STR("abc"));
    ggfs_sink_byte(&sink, 'd');
    ggfs_sink_put(&sink, NULL, 0);
    ck_assert_uint_eq(sink.total, 4);
    ck_assert(!ggfs_sink_full(&sink));
}
END_TEST

START_TEST(num_sees_overflow)
{
    uint64_t out;
    size_t size;

    ck_assert(ggfs_num_add(UINT64_MAX - 1, 1, &out) && out == UINT64_MAX);
    ck_assert(!ggfs_num_add(UINT64_MAX, 1, &out));
    ck_assert(ggfs_num_mul(UINT64_C(1) << 32, UINT32_MAX, &out));
    ck_assert(!ggfs_num_mul(UINT64_C(1) << 32, UINT64_C(1) << 32, &out));
    ck_assert(!ggfs_num_add_size(SIZE_MAX, 1, &size));
    ck_assert(!ggfs_num_mul_size(SIZE_MAX, 2, &size));
    ck_assert(ggfs_num_to_size(SIZE_MAX, &size) && size == SIZE_MAX);
}
END_TEST

START_TEST(num_aligns)
{
    uint64_t out;

    ck_assert(ggfs_num_align(0, 32, &out) && out == 0);
    ck_assert(ggfs_num_align(1, 32, &out) && out == 32);
    ck_assert(ggfs_num_align(32, 32, &out) && out == 32);
    ck_assert(ggfs_num_align(77, 1, &out) && out == 77);
    ck_assert(!ggfs_num_align(UINT64_MAX - 3, 32, &out));
    ck_assert(ggfs_num_is_power_of_2(1) && ggfs_num_is_power_of_2(UINT64_C(1) << 63));
    ck_assert(!ggfs_num_is_power_of_2(0) && !ggfs_num_is_power_of_2(12));
    ck_assert_uint_eq(ggfs_num_div_up(UINT64_MAX, 2), UINT64_C(1) << 63);
    ck_assert_uint_eq(ggfs_num_div_up(64, 32), 2);
    ck_assert_uint_eq(ggfs_num_min(3, 4), 3);
}
END_TEST

START_TEST(num_reads_both_byte_orders)
{
    static const unsigned char bytes[] = {0, 1, 2, 3, 4, 5, 6, 0xF7, 0xF8};

    ck_assert_uint_eq(ggfs_num_u16(bytes + 1, false), 0x0201);
    ck_assert_uint_eq(ggfs_num_u16(bytes + 7, true), 0xF7F8);
    ck_assert_uint_eq(ggfs_num_u32(bytes + 1, false), 0x04030201);
    ck_assert_uint_eq(ggfs_num_u32(bytes + 5, true), 0x0506F7F8);
    ck_assert_uint_eq(ggfs_num_u64(bytes + 1, false), UINT64_C(0xF8F7060504030201));
    ck_assert_uint_eq(ggfs_num_u64(bytes + 1, true), UINT64_C(0x010203040506F7F8));
    ck_assert_float_eq(ggfs_num_f32(0xC0490FDB), -3.14159274f);
    ck_assert_double_eq(ggfs_num_f64(UINT64_C(0x3FF8000000000000)), 1.5);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        err_says_file_offset_and_field,
        err_leaves_out_what_is_not_known,
        err_keeps_the_first_cause,
        err_stays_one_line,
        err_cuts_long_texts,
        arena_gives_aligned_separate_pieces,
        arena_refuses_what_overflows,
        arena_zeroes_and_copies,
        mem_fails_on_demand,
        mem_takes_any_size,
        str_compares_bytes,
        str_knows_both_ends,
        sink_copies_its_window,
        sink_counts,
        num_sees_overflow,
        num_aligns,
        num_reads_both_byte_orders,
    };

    return suite_run("base", tests, COUNT(tests));
}
