/* SPDX-License-Identifier: MIT */
/* check_layout.c - rooms, sizes and faults of tensors. */
#include <config.h>

#include "model/model.h"
#include "opened.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

#define BIT(fault) (1u << GGFS_FAULT_##fault)
#define ROOM UINT64_MAX /* for bytes: whatever the room is */
#define P(n) (UINT64_C(1) << (n))

/* One tensor by itself, with more than enough behind it. */
static const struct {
    uint32_t type, n_dims;
    uint64_t dims[4];
    uint64_t values, bytes;
    unsigned faults;
} sizes[] = {
    {MK_T_F32, 1, {3}, 3, 12, 0},
    {MK_T_F32, 0, {0}, 1, 4, 0},
    {MK_T_F32, 4, {2, 3, 4, 5}, 120, 480, 0},
    {MK_T_F32, 1, {0}, 0, 0, 0},
    {MK_T_F16, 3, {4, 0, 2}, 0, 0, 0},
    {MK_T_F16, 1, {5}, 5, 10, 0},
    {MK_T_F64, 2, {2, 2}, 4, 32, 0},
    {MK_T_I8, 2, {5, 3}, 15, 15, 0},
    {MK_T_I64, 1, {3}, 3, 24, 0},
    {MK_T_BF16, 1, {3}, 3, 6, 0},
    {MK_T_Q4_0, 2, {32, 3}, 96, 54, 0},
    {MK_T_Q8_0, 2, {64, 2}, 128, 136, 0},
    {MK_T_Q4_K, 1, {256}, 256, 144, 0},
    {43, 1, {5}, 5, 5, 0},                           /* F8_E4M3 */
    {40, 1, {64}, 64, 36, 0},                        /* NVFP4 */
    {31, 2, {32, 4}, 128, 72, BIT(REMOVED_TYPE)},    /* Q4_0_4_4 */
    {33, 2, {64, 8}, 512, 288, BIT(REMOVED_TYPE)},   /* Q4_0_8_8 */
    {36, 3, {32, 2, 2}, 128, 72, BIT(REMOVED_TYPE)}, /* IQ4_NL_4_4: rows of all dimensions */
    /* Rows that are no whole number of blocks. */
    {MK_T_Q4_0, 1, {31}, 31, ROOM, BIT(PARTIAL_BLOCK)},
    {MK_T_Q4_0, 2, {33, 32}, 1056, ROOM, BIT(PARTIAL_BLOCK)},
    {MK_T_Q4_0, 2, {1, 32}, 32, ROOM, BIT(PARTIAL_BLOCK)},
    {MK_T_Q4_0, 0, {0}, 1, ROOM, BIT(PARTIAL_BLOCK)},
    {MK_T_Q4_K, 1, {32}, 32, ROOM, BIT(PARTIAL_BLOCK)},
    {40, 2, {32, 2}, 64, ROOM, BIT(PARTIAL_BLOCK)},
    /* Rows that are no whole number of groups. */
    {31, 2, {32, 3}, 96, ROOM, BIT(PARTIAL_GROUP) | BIT(REMOVED_TYPE)},
    {31, 1, {128}, 128, ROOM, BIT(PARTIAL_GROUP) | BIT(REMOVED_TYPE)},
    {33, 2, {64, 4}, 256, ROOM, BIT(PARTIAL_GROUP) | BIT(REMOVED_TYPE)},
    {31, 2, {33, 4}, 132, ROOM, BIT(PARTIAL_BLOCK) | BIT(REMOVED_TYPE)},
    /* Empty ones. */
    {MK_T_Q4_0, 2, {32, 0}, 0, 0, 0},
    {MK_T_Q4_0, 2, {0, 7}, 0, 0, 0},
    {31, 2, {32, 0}, 0, 0, BIT(REMOVED_TYPE)},
    {MK_T_F32, 4, {P(63), P(63), 0, 9}, 0, 0, 0},
    {MK_T_F32, 2, {UINT64_MAX, 0}, 0, 0, 0},
    /* More than 63 bits. */
    {MK_T_F32, 1, {P(61)}, P(61), ROOM, BIT(OVERFLOW)},
    {MK_T_F32, 1, {P(62)}, P(62), ROOM, BIT(OVERFLOW)},
    {MK_T_I8, 1, {P(63)}, 0, ROOM, BIT(OVERFLOW)},
    {MK_T_I8, 1, {UINT64_MAX}, 0, ROOM, BIT(OVERFLOW)},
    {MK_T_I8, 2, {P(32), P(32)}, 0, ROOM, BIT(OVERFLOW)},
    {MK_T_I8, 2, {P(32) - 1, P(32) + 1}, 0, ROOM, BIT(OVERFLOW)},
    {MK_T_I8, 4, {P(21), P(21), P(21), P(21)}, 0, ROOM, BIT(OVERFLOW)},
    {MK_T_I64, 1, {P(60)}, P(60), ROOM, BIT(OVERFLOW)},
    /* The largest that can be counted do not lie in the file, but have their size. */
    {MK_T_I8, 1, {P(63) - 1}, P(63) - 1, P(63) - 1, BIT(SHORT_ROOM)},
    {MK_T_Q4_0, 1, {P(63) - 32}, P(63) - 32, (P(63) - 32) / 32 * 18, BIT(SHORT_ROOM)},
    {MK_T_F32, 1, {P(40)}, P(40), P(42), BIT(SHORT_ROOM)},
    /* Types that nobody knows: as large as their room. */
    {4, 1, {32}, 32, ROOM, BIT(NO_SUCH_TYPE)},
    {5, 1, {32}, 32, ROOM, BIT(NO_SUCH_TYPE)},
    {44, 1, {32}, 32, ROOM, BIT(UNKNOWN_TYPE)},
    {137, 0, {0}, 1, ROOM, BIT(UNKNOWN_TYPE)},
    {UINT32_MAX, 1, {0}, 0, ROOM, BIT(UNKNOWN_TYPE)},
    {UINT32_MAX, 1, {P(63)}, 0, ROOM, BIT(UNKNOWN_TYPE) | BIT(OVERFLOW)},
};

START_TEST(sizes_by_type_and_dimensions)
{
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const struct ggfs_tensor *tensor;
        struct opened o;
        struct mk m;
        mk_start(&m, 3, false);
        mk_tensor(&m, "w", sizes[i].type, sizes[i].n_dims, sizes[i].dims, 0);
        mk_data(&m);
        mk_zeros(&m, 1000);
        opened_start(&o, &m);
        tensor = &o.model->tensors[0];
        ck_assert_uint_eq(tensor->room, 1000);
        ck_assert_msg(tensor->values == sizes[i].values, "%zu: %llu values", i,
                      (unsigned long long)tensor->values);
        ck_assert_msg(tensor->bytes == (sizes[i].bytes == ROOM ? 1000 : sizes[i].bytes),
                      "%zu: %llu bytes", i, (unsigned long long)tensor->bytes);
        ck_assert_msg(tensor->faults == sizes[i].faults, "%zu: faults %x", i, tensor->faults);
        ck_assert_uint_eq(ggfs_tensor_present(o.model, tensor),
                          tensor->bytes < 1000 ? tensor->bytes : 1000);
        ck_assert(opened_read_all(&o));
        opened_end(&o);
    }
}
END_TEST

struct place {
    uint64_t values, offset, room;
    unsigned faults;
};

/* F32 tensors in a data section of so many bytes. */
static void check_places(const struct place *places, size_t n, size_t data)
{
    struct opened o;
    struct mk m;

    mk_start(&m, 3, false);
    for (size_t i = 0; i < n; i++) {
        char name[32];
        snprintf(name, sizeof name, "t%zu", i);
        mk_tensor(&m, name, MK_T_F32, 1, &places[i].values, places[i].offset);
    }
    mk_data(&m);
    mk_zeros(&m, data);
    opened_start(&o, &m);
    for (size_t i = 0; i < n; i++) {
        const struct ggfs_tensor *tensor = &o.model->tensors[i];
        ck_assert_msg(tensor->room == places[i].room, "t%zu: room %llu", i,
                      (unsigned long long)tensor->room);
        ck_assert_msg(tensor->faults == places[i].faults, "t%zu: faults %x", i, tensor->faults);
    }
    ck_assert(opened_read_all(&o));
    opened_end(&o);
}

START_TEST(rooms_end_at_the_next_tensor)
{
    static const struct place places[] = {
        {8, 256, 44, 0},
        {8, 32, 96, 0},
        {32, 128, 128, 0},
    };

    check_places(places, COUNT(places), 300);
}
END_TEST

START_TEST(rooms_too_short)
{
    static const struct place places[] = {
        {9, 0, 32, BIT(SHORT_ROOM)}, /* one value too many */
        {8, 32, 32, 0},
        {8, 64, 20, BIT(SHORT_ROOM)}, /* the file ends within */
        {8, 96, 0, BIT(PAST_END)},    /* behind its end */
        {8, 4096, 0, BIT(PAST_END)},
        {0, 8192, 0, 0}, /* nothing is nowhere */
        {8, P(63), 0, BIT(PAST_END)},
        {8, UINT64_MAX - 31, 0, BIT(PAST_END)}, /* wraps */
        {0, UINT64_MAX - 31, 0, 0},
    };

    check_places(places, COUNT(places), 84);
}
END_TEST

START_TEST(the_end_of_the_file_is_past_it)
{
    static const struct place places[] = {{8, 0, 32, 0}, {1, 32, 0, BIT(PAST_END)}, {0, 32, 0, 0}};

    check_places(places, COUNT(places), 32);
}
END_TEST

START_TEST(tensors_may_share)
{
    static const struct place places[] = {
        {8, 0, 64, 0},
        {16, 0, 64, BIT(SHARED)},
        {8, 0, 64, BIT(SHARED)},
        {8, 64, 64, 0},
        {0, 64, 64, 0},
        {0, 64, 64, 0},
        {17, 128, 64, BIT(SHORT_ROOM)},
        {17, 128, 64, BIT(SHORT_ROOM) | BIT(SHARED)},
    };

    check_places(places, COUNT(places), 192);
}
END_TEST

START_TEST(the_first_of_many_is_the_one_that_does_not_share)
{
    struct place places[200];

    for (size_t i = 0; i < COUNT(places); i++)
        places[i] = (struct place){8, 0, 64, i ? BIT(SHARED) : 0};
    check_places(places, COUNT(places), 64);
}
END_TEST

START_TEST(offsets_off_the_alignment)
{
    static const struct place places[] = {
        {1, 4, 12, BIT(UNALIGNED)},  {1, 16, 1, BIT(UNALIGNED) | BIT(SHORT_ROOM)},
        {1, 17, 15, BIT(UNALIGNED)}, {1, 32, 32, 0},
        {0, 65, 0, BIT(UNALIGNED)},  {1, UINT64_MAX, 0, BIT(PAST_END)},
    };

    check_places(places, COUNT(places), 64);
}
END_TEST

/* The fault's own field of the record, with its place in the file. */
START_TEST(faults_name_their_field)
{
    static const struct {
        enum ggfs_fault fault;
        const char *field;
    } cases[] = {
        {GGFS_FAULT_OVERFLOW, "tensor[1].dims[0]"},
        {GGFS_FAULT_PARTIAL_BLOCK, "tensor[1].dims[0]"},
        {GGFS_FAULT_UNKNOWN_TYPE, "tensor[1].type"},
        {GGFS_FAULT_SHORT_ROOM, "tensor[1].offset"},
        {GGFS_FAULT_PAST_END, "tensor[1].offset"},
        {GGFS_FAULT_UNALIGNED, "tensor[1].offset"},
    };
    static const uint64_t dims[] = {2, 3, 4};

    for (uint32_t version = 1; version <= 3; version++) {
        struct mk_marks marks;
        struct opened o;
        struct mk m;
        mk_start(&m, version, version == 2);
        mk_tensor(&m, "first", MK_T_F32, 1, dims, 0);
        mk_tensor(&m, "the second", MK_T_F32, 3, dims, 32);
        marks = m.at;
        opened_start(&o, &m);
        for (size_t i = 0; i < COUNT(cases); i++) {
            char field[40];
            uint64_t at = ggfs_tensor_field(o.model, 1, cases[i].fault, field, sizeof field);
            char last = cases[i].field[strlen("tensor[1].")];
            ck_assert_str_eq(field, cases[i].field);
            ck_assert_uint_eq(at, last == 'd'   ? marks.dims
                                  : last == 't' ? marks.tensor_type
                                                : marks.offset);
        }
        opened_end(&o);
    }
}
END_TEST

START_TEST(types_by_number)
{
    static const char *const names[] = {
        "F32",   "F16",        "Q4_0",       "Q4_1",       "type4",    "type5",    "Q5_0",
        "Q5_1",  "Q8_0",       "Q8_1",       "Q2_K",       "Q3_K",     "Q4_K",     "Q5_K",
        "Q6_K",  "Q8_K",       "IQ2_XXS",    "IQ2_XS",     "IQ3_XXS",  "IQ1_S",    "IQ4_NL",
        "IQ3_S", "IQ2_S",      "IQ4_XS",     "I8",         "I16",      "I32",      "I64",
        "F64",   "IQ1_M",      "BF16",       "Q4_0_4_4",   "Q4_0_4_8", "Q4_0_8_8", "TQ1_0",
        "TQ2_0", "IQ4_NL_4_4", "IQ4_NL_4_8", "IQ4_NL_8_8", "MXFP4",    "NVFP4",    "Q1_0",
        "Q2_0",  "F8_E4M3",    "type44",     "type45",
    };
    static const uint64_t dims[] = {256, 8};
    struct opened o;
    struct mk m;

    mk_start(&m, 3, false);
    for (uint32_t i = 0; i < COUNT(names); i++)
        mk_tensor(&m, "w", i, 2, dims, 0);
    mk_tensor(&m, "w", UINT32_MAX, 2, dims, 0);
    mk_data(&m);
    mk_zeros(&m, 100000);
    opened_start(&o, &m);
    for (uint32_t i = 0; i < COUNT(names); i++) {
        char out[16];
        ck_assert_str_eq(ggfs_tensor_type_name(&o.model->tensors[i], out), names[i]);
    }
    ck_assert_str_eq(ggfs_tensor_type_name(&o.model->tensors[COUNT(names)], (char[16]){0}),
                     "type4294967295");
    opened_end(&o);
}
END_TEST

START_TEST(notes_are_a_thousand_at_most)
{
    struct ggfs_note note = {.check = "test", .offset = 7, .level = GGFS_LEVEL_WARNING};
    uint32_t n = 0;
    struct opened o;

    opened_kind(&o, "header-only", 0);
    for (unsigned i = 0; i < 100000; i++)
        ck_assert(ggfs_model_note(o.model, &note, &o.err, "finding %u", i));
    for (const struct ggfs_note *at = o.model->notes; at; at = at->next) {
        char text[40];
        snprintf(text, sizeof text, "finding %u", n++);
        ck_assert_str_eq(at->text, n < 1000 ? text : "more was found than is listed here");
        ck_assert_uint_eq(at->offset, 7);
    }
    ck_assert_uint_eq(n, 1000);
    opened_end(&o);
}
END_TEST

/* Big-endian blocks of types that no tool swaps are noted, and only those. */
START_TEST(byte_orders_of_our_own)
{
    static const struct {
        uint32_t type;
        bool noted;
    } cases[] = {{0, false},  {2, false},  {3, true},   {6, true},  {8, false},  {10, true},
                 {12, false}, {14, false}, {24, false}, {25, true}, {39, false}, {40, false}};
    static const uint64_t dims[] = {256};

    for (int big = 0; big < 2; big++) {
        struct opened o;
        struct mk m;
        mk_start(&m, 3, big);
        for (size_t i = 0; i < COUNT(cases); i++)
            mk_tensor(&m, "w", cases[i].type, 1, dims, 4096 * i);
        mk_data(&m);
        mk_zeros(&m, 4096 * COUNT(cases));
        opened_start(&o, &m);
        for (size_t i = 0; i < COUNT(cases); i++)
            ck_assert_msg((o.model->tensors[i].faults >> GGFS_FAULT_OWN_SWAP & 1) ==
                              (big && cases[i].noted),
                          "type %u, %s", cases[i].type, big ? "big" : "little");
        opened_end(&o);
    }
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        sizes_by_type_and_dimensions,
        rooms_end_at_the_next_tensor,
        rooms_too_short,
        the_end_of_the_file_is_past_it,
        tensors_may_share,
        the_first_of_many_is_the_one_that_does_not_share,
        offsets_off_the_alignment,
        faults_name_their_field,
        types_by_number,
        byte_orders_of_our_own,
        notes_are_a_thousand_at_most,
    };

    return suite_run("layout", tests, COUNT(tests));
}
