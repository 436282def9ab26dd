/* SPDX-License-Identifier: MIT */
/* check_value.c - numbers out of a header, and the walk over arrays. */
#include <config.h>

#include "model/value.h"
#include "model/vocab.h"
#include "opened.h"
#include "suite.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    uint32_t version;
    bool big;
} forms[] = {{1, false}, {1, true}, {2, false}, {3, false}, {3, true}};

START_TEST(types_have_names_and_widths)
{
    static const struct {
        const char *name;
        unsigned width;
        bool integer, is_unsigned;
    } types[GGFS_VALUE_TYPES] = {
        {"u8", 1, true, true},   {"i8", 1, true, false},   {"u16", 2, true, true},
        {"i16", 2, true, false}, {"u32", 4, true, true},   {"i32", 4, true, false},
        {"f32", 4, false, false}, {"bool", 1, false, false}, {"str", 0, false, false},
        {"arr", 0, false, false}, {"u64", 8, true, true},  {"i64", 8, true, false},
        {"f64", 8, false, false},
    };

    for (unsigned type = 0; type < GGFS_VALUE_TYPES; type++) {
        ck_assert_str_eq(ggfs_value_type_name(type), types[type].name);
        ck_assert_uint_eq(ggfs_value_width(type), types[type].width);
        ck_assert_int_eq(ggfs_value_is_integer(type), types[type].integer);
        ck_assert_int_eq(ggfs_value_is_unsigned(type), types[type].is_unsigned);
    }
}
END_TEST

START_TEST(numbers_in_both_orders)
{
    static const uint8_t bytes[] = {0x81, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x88};
    const uint8_t *p = bytes;

    ck_assert_uint_eq(ggfs_value_unsigned(p, GGFS_VALUE_U8, false), 0x81);
    ck_assert_uint_eq(ggfs_value_unsigned(p, GGFS_VALUE_U16, false), 0x0281);
    ck_assert_uint_eq(ggfs_value_unsigned(p, GGFS_VALUE_U16, true), 0x8102);
    ck_assert_uint_eq(ggfs_value_unsigned(p, GGFS_VALUE_U32, false), 0x04030281);
    ck_assert_uint_eq(ggfs_value_unsigned(p, GGFS_VALUE_U32, true), 0x81020304);
    ck_assert_uint_eq(ggfs_value_unsigned(p, GGFS_VALUE_U64, false), UINT64_C(0x8807060504030281));
    ck_assert_uint_eq(ggfs_value_unsigned(p, GGFS_VALUE_U64, true), UINT64_C(0x8102030405060788));
    ck_assert_int_eq(ggfs_value_signed(p, GGFS_VALUE_I8, false), -127);
    ck_assert_int_eq(ggfs_value_signed(p, GGFS_VALUE_I16, true), -0x7EFE);
    ck_assert_int_eq(ggfs_value_signed(p, GGFS_VALUE_I16, false), 0x0281);
    ck_assert_int_eq(ggfs_value_signed(p, GGFS_VALUE_I32, true), -0x7EFDFCFC);
    ck_assert_int_lt(ggfs_value_signed(p, GGFS_VALUE_I64, false), 0);
    ck_assert(ggfs_value_float((const uint8_t *)"\x3F\x80\0\0", GGFS_VALUE_F32, true) == 1.0);
    ck_assert(ggfs_value_float((const uint8_t *)"\0\0\x80\x3F", GGFS_VALUE_F32, false) == 1.0);
    p = (const uint8_t *)"\x3F\xF8\0\0\0\0\0\0";
    ck_assert(ggfs_value_float(p, GGFS_VALUE_F64, true) == 1.5);
}
END_TEST

START_TEST(values_as_numbers)
{
    static const struct {
        uint32_t type;
        int64_t value;
        bool is;
    } cases[] = {
        {MK_U8, 255, true},       {MK_I8, -1, false},        {MK_I8, 127, true},
        {MK_U16, 65535, true},    {MK_I16, -32768, false},   {MK_U32, 4294967295, true},
        {MK_I32, INT32_MIN, false}, {MK_I32, 5, true},       {MK_U64, -1, true},
        {MK_I64, -1, false},      {MK_I64, INT64_MAX, true}, {MK_BOOL, 1, false},
        {MK_U64, 0, true},
    };

    for (size_t form = 0; form < COUNT(forms); form++) {
        for (size_t i = 0; i < COUNT(cases); i++) {
            uint64_t number = 0;
            struct ggfs_str text;
            struct opened o;
            struct mk m;
            mk_start(&m, forms[form].version, forms[form].big);
            mk_key_int(&m, "k", cases[i].type, cases[i].value);
            opened_start(&o, &m);
            ck_assert_int_eq(ggfs_value_as_u64(&o.model->keys[0].value, &number), cases[i].is);
            ck_assert(!cases[i].is || number == (uint64_t)cases[i].value);
            ck_assert(!ggfs_value_as_str(&o.model->keys[0].value, &text));
            opened_end(&o);
        }
    }
}
END_TEST

START_TEST(arrays_are_no_numbers)
{
    struct ggfs_str text;
    struct opened o;
    uint64_t number;
    struct mk m;

    mk_start(&m, 3, false);
    mk_key_array(&m, "a", MK_U32, 1);
    mk_u32(&m, 1);
    mk_key_array(&m, "b", MK_STR, 1);
    mk_string(&m, "1");
    opened_start(&o, &m);
    for (uint32_t i = 0; i < 2; i++) {
        ck_assert(!ggfs_value_as_u64(&o.model->keys[i].value, &number));
        ck_assert(!ggfs_value_as_str(&o.model->keys[i].value, &text));
    }
    opened_end(&o);
}
END_TEST

/* The walk. */

/* What a walk gives, as text: `0:7 1:[0:"a" ]`, index before each. */
static void spell_walk(const struct ggfs_value *value, char *out, size_t size)
{
    struct ggfs_value_walk walk;
    struct ggfs_value_item item;
    size_t n = 0;

    ggfs_value_walk_start(&walk, value);
    for (ggfs_value_walk_next(&walk, value, &item); item.step != GGFS_VALUE_END;
         ggfs_value_walk_next(&walk, value, &item)) {
        ck_assert_uint_lt(n + 100, size);
        if (item.step == GGFS_VALUE_CLOSE)
            n += (size_t)snprintf(out + n, size - n, "]");
        else if (item.step == GGFS_VALUE_OPEN)
            n += (size_t)snprintf(out + n, size - n, "%" PRIu64 ":[", item.index);
        else if (item.type == GGFS_VALUE_STR)
            n += (size_t)snprintf(out + n, size - n, "%" PRIu64 ":\"%.*s\" ", item.index,
                                  (int)item.bytes.len, item.bytes.ptr);
        else
            n += (size_t)snprintf(
                out + n, size - n, "%" PRIu64 ":%" PRIu64 " ", item.index,
                ggfs_value_unsigned((const uint8_t *)item.bytes.ptr, item.type, value->big));
    }
    ggfs_value_walk_next(&walk, value, &item);
    ck_assert_int_eq(item.step, GGFS_VALUE_END);
    out[n] = '\0';
}

static void put_tree(struct mk *m)
{
    mk_key_array(m, "a", MK_ARR, 5);
    mk_array(m, MK_U16, 2);
    mk_u16(m, 7);
    mk_u16(m, 500);
    mk_array(m, MK_STR, 3);
    mk_string(m, "x");
    mk_string(m, "");
    mk_string(m, "yz");
    mk_array(m, MK_ARR, 0);
    mk_array(m, MK_ARR, 2);
    mk_array(m, MK_U64, 1);
    mk_u64(m, UINT64_C(1) << 40);
    mk_array(m, MK_ARR, 1);
    mk_array(m, MK_BOOL, 1);
    mk_u8(m, 1);
    mk_array(m, MK_U8, 0);
}

START_TEST(walks_over_arrays_of_arrays)
{
    for (size_t form = 0; form < COUNT(forms); form++) {
        char out[1000];
        struct opened o;
        struct mk m;
        mk_start(&m, forms[form].version, forms[form].big);
        put_tree(&m);
        opened_start(&o, &m);
        spell_walk(&o.model->keys[0].value, out, sizeof out);
        ck_assert_str_eq(out, "0:[0:7 1:500 ]1:[0:\"x\" 1:\"\" 2:\"yz\" ]2:[]"
                              "3:[0:[0:1099511627776 ]1:[0:[0:1 ]]]4:[]");
        opened_end(&o);
    }
}
END_TEST

START_TEST(walks_over_flat_arrays)
{
    for (size_t form = 0; form < COUNT(forms); form++) {
        char out[1000];
        struct opened o;
        struct mk m;
        mk_start(&m, forms[form].version, forms[form].big);
        mk_key_strs(&m, "s", (const char *const[]){"one", "", "three"}, 3);
        mk_key_array(&m, "n", MK_U32, 2);
        mk_u32(&m, 1);
        mk_u32(&m, UINT32_MAX);
        mk_key_array(&m, "e", MK_F64, 0);
        opened_start(&o, &m);
        spell_walk(&o.model->keys[0].value, out, sizeof out);
        ck_assert_str_eq(out, "0:\"one\" 1:\"\" 2:\"three\" ");
        spell_walk(&o.model->keys[1].value, out, sizeof out);
        ck_assert_str_eq(out, "0:1 1:4294967295 ");
        spell_walk(&o.model->keys[2].value, out, sizeof out);
        ck_assert_str_eq(out, "");
        opened_end(&o);
    }
}
END_TEST

/* A copy of a walk goes on by itself. */
START_TEST(a_copy_is_a_bookmark)
{
    struct ggfs_value_walk walk, copy;
    struct ggfs_value_item item, again;
    const struct ggfs_value *value;
    struct opened o;
    struct mk m;

    mk_start(&m, 3, false);
    put_tree(&m);
    opened_start(&o, &m);
    value = &o.model->keys[0].value;
    ggfs_value_walk_start(&walk, value);
    do {
        copy = walk;
        ggfs_value_walk_next(&walk, value, &item);
        ggfs_value_walk_next(&copy, value, &again);
        ck_assert_int_eq(item.step, again.step);
        ck_assert_int_eq(memcmp(&walk, &copy, sizeof walk), 0);
    } while (item.step != GGFS_VALUE_END);
    opened_end(&o);
}
END_TEST

/* The vocabulary. */

START_TEST(numbers_of_the_vocabulary)
{
    static const struct {
        uint64_t value;
        float as_float;
        int32_t as_int;
    } cases[] = {
        {0, 0.0f, 0},
        {7, 7.0f, 7},
        {UINT64_C(1) << 31, 2147483648.0f, INT32_MAX},
        {UINT64_MAX, 18446744073709551616.0f, INT32_MAX},
        /* Just above the middle between two floats: rounding twice would go down. */
        {(UINT64_C(1) << 63) + (UINT64_C(1) << 39) + 1, 0x1.000002p63f, INT32_MAX},
    };
    struct opened o;
    struct mk m;

    mk_start(&m, 3, false);
    mk_key_strs(&m, "tokenizer.ggml.tokens", (const char *const[]){"a"}, 1);
    mk_key_array(&m, "tokenizer.ggml.scores", MK_U64, COUNT(cases));
    for (size_t i = 0; i < COUNT(cases); i++)
        mk_u64(&m, cases[i].value);
    opened_start(&o, &m);
    for (size_t i = 0; i < COUNT(cases); i++) {
        float got = ggfs_vocab_f32(&o.model->keys[1], i);
        ck_assert_msg(got == cases[i].as_float, "%zu: %a", i, (double)got);
        ck_assert_int_eq(ggfs_vocab_i32(&o.model->keys[1], i), cases[i].as_int);
    }
    opened_end(&o);
}
END_TEST

START_TEST(floats_of_the_vocabulary)
{
    static const struct {
        double value;
        int32_t as_int;
    } cases[] = {
        {1.9, 1}, {-1.9, -1}, {1e300, INT32_MAX}, {-1e300, INT32_MIN}, {2147483646.5, 2147483646},
        {INFINITY, INT32_MAX}, {-INFINITY, INT32_MIN}, {NAN, 0}, {-2147483648.0, INT32_MIN},
    };
    struct opened o;
    struct mk m;

    mk_start(&m, 3, true);
    mk_key_array(&m, "x", MK_F64, COUNT(cases));
    for (size_t i = 0; i < COUNT(cases); i++)
        mk_f64(&m, cases[i].value);
    opened_start(&o, &m);
    for (size_t i = 0; i < COUNT(cases); i++) {
        float got = ggfs_vocab_f32(&o.model->keys[0], i);
        ck_assert_int_eq(ggfs_vocab_i32(&o.model->keys[0], i), cases[i].as_int);
        ck_assert(isnan(cases[i].value) ? isnan(got) : got == (float)cases[i].value);
    }
    opened_end(&o);
}
END_TEST

START_TEST(signed_numbers_of_the_vocabulary)
{
    struct opened o;
    struct mk m;

    mk_start(&m, 3, false);
    mk_key_array(&m, "x", MK_I64, 2);
    mk_u64(&m, (uint64_t)INT64_MIN);
    mk_u64(&m, (uint64_t)-5);
    mk_key_array(&m, "y", MK_I8, 2);
    mk_u8(&m, 0x80);
    mk_u8(&m, 0x7F);
    opened_start(&o, &m);
    ck_assert_int_eq(ggfs_vocab_i32(&o.model->keys[0], 0), INT32_MIN);
    ck_assert_int_eq(ggfs_vocab_i32(&o.model->keys[0], 1), -5);
    ck_assert(ggfs_vocab_f32(&o.model->keys[0], 0) == -0x1p63f);
    ck_assert_int_eq(ggfs_vocab_i32(&o.model->keys[1], 0), -128);
    ck_assert_int_eq(ggfs_vocab_i32(&o.model->keys[1], 1), 127);
    opened_end(&o);
}
END_TEST

START_TEST(tokens_in_every_form)
{
    static const char *const tokens[] = {"<s>", "", "a longer token", "b"};

    for (size_t form = 0; form < COUNT(forms); form++) {
        struct ggfs_vocab vocab;
        struct opened o;
        struct mk m;
        mk_start(&m, forms[form].version, forms[form].big);
        mk_key_strs(&m, "tokenizer.ggml.tokens", tokens, COUNT(tokens));
        opened_start(&o, &m);
        ck_assert(ggfs_vocab_open(&vocab, o.model, &o.err));
        ck_assert_uint_eq(vocab.n, COUNT(tokens));
        for (uint32_t id = 0; id < vocab.n; id++)
            ck_assert(ggfs_str_equal(ggfs_vocab_token(&vocab, id), ggfs_str_from(tokens[id])));
        ggfs_vocab_close(&vocab);
        opened_end(&o);
    }
}
END_TEST

START_TEST(roles_of_special_tokens)
{
    static const struct {
        const char *key, *role; /* NULL: none */
    } cases[] = {
        {"tokenizer.ggml.bos_token_id", "bos"},
        {"tokenizer.ggml.eos_token_id", "eos"},
        {"tokenizer.ggml.unknown_token_id", "unk"},
        {"tokenizer.ggml.padding_token_id", "pad"},
        {"tokenizer.ggml.seperator_token_id", "sep"},
        {"tokenizer.ggml.separator_token_id", "sep"},
        {"tokenizer.ggml.fim_pre_token_id", "fim_pre"},
        {"tokenizer.ggml.eot_token_id", "eot"},
        {"tokenizer.ggml._token_id", NULL},
        {"tokenizer.ggml.bos_token_ids", NULL},
        {"tokenizer.ggml_bos_token_id", NULL},
        {"x.tokenizer.ggml.bos_token_id", NULL},
        {"tokenizer.ggml.add_bos_token", NULL},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct ggfs_vocab vocab;
        struct opened o;
        struct mk m;
        mk_start(&m, 3, false);
        mk_key_int(&m, cases[i].key, MK_U32, 1);
        opened_start(&o, &m);
        ck_assert(ggfs_vocab_open(&vocab, o.model, &o.err));
        ck_assert_msg(vocab.n_specials == (cases[i].role != NULL), "%s", cases[i].key);
        if (cases[i].role)
            ck_assert(ggfs_str_equal(ggfs_vocab_role(&o.model->keys[0]),
                                     ggfs_str_from(cases[i].role)));
        ggfs_vocab_close(&vocab);
        opened_end(&o);
    }
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        types_have_names_and_widths,
        numbers_in_both_orders,
        values_as_numbers,
        arrays_are_no_numbers,
        walks_over_arrays_of_arrays,
        walks_over_flat_arrays,
        a_copy_is_a_bookmark,
        numbers_of_the_vocabulary,
        floats_of_the_vocabulary,
        signed_numbers_of_the_vocabulary,
        tokens_in_every_form,
        roles_of_special_tokens,
    };

    return suite_run("value", tests, COUNT(tests));
}
