/* SPDX-License-Identifier: MIT */
/* check_gguf.c - GGUF files, good and wrong: what the parser takes, and which byte it blames. */
#include <config.h>

#include "formats/format.h"
#include "formats/reader.h"
#include "models.h"
#include "opened.h"
#include "suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    uint32_t version;
    bool big;
} forms[] = {{1, false}, {1, true}, {2, false}, {2, true}, {3, false}, {3, true}};

/* The file of m is refused, by this field at this offset. Frees m. */
static void expect_refusal(struct mk *m, const char *field, uint64_t offset, const char *what)
{
    struct opened o;

    opened_file(&o, m);
    if (opened_try(&o))
        ck_abort_msg("%s (%s): not refused", field, what);
    if (o.err.kind != GGFS_ERR_FORMAT || strcmp(o.err.field, field) != 0 ||
        o.err.offset != offset || !o.err.text[0])
        ck_abort_msg("%s (%s) at 0x%" PRIx64 ": got %s at 0x%" PRIx64 ": %s", field, what, offset,
                     o.err.field, o.err.offset, o.err.text);
    opened_end(&o);
    mk_free(m);
}

/* Every type of value. */

static const struct {
    const char *name;
    uint32_t type;
    int64_t value;
} integers[] = {
    {"u8", MK_U8, 0},           {"u8", MK_U8, 255},
    {"i8", MK_I8, -128},        {"i8", MK_I8, 127},
    {"u16", MK_U16, 65535},     {"i16", MK_I16, -32768},
    {"u32", MK_U32, 4294967295}, {"i32", MK_I32, -2147483648},
    {"u64", MK_U64, -1},        {"i64", MK_I64, INT64_MIN},
    {"i64", MK_I64, INT64_MAX}, {"bool", MK_BOOL, 1},
};

static void put_scalars(struct mk *m)
{
    for (size_t i = 0; i < COUNT(integers); i++)
        mk_key_int(m, integers[i].name, integers[i].type, integers[i].value);
    mk_key_f32(m, "f32", 0.1f);
    mk_key_f64(m, "f64", 0.1);
    mk_key_str(m, "str", "value");
    mk_key_str(m, "empty", "");
}

static void expect_integer(const struct ggfs_value *value, size_t i)
{
    int64_t got = ggfs_value_is_unsigned(value->type) || value->type == GGFS_VALUE_BOOL
                      ? (int64_t)ggfs_value_unsigned(value->data, value->type, value->big)
                      : ggfs_value_signed(value->data, value->type, value->big);

    ck_assert_int_eq(got, integers[i].value);
    ck_assert_uint_eq(value->type, integers[i].type);
    ck_assert_uint_eq(value->elem, integers[i].type);
    ck_assert_uint_eq(value->count, 1);
    ck_assert_uint_eq(value->size, ggfs_value_width(value->type));
}

START_TEST(every_scalar_in_every_form)
{
    for (size_t form = 0; form < COUNT(forms); form++) {
        struct ggfs_str text;
        struct opened o;
        struct mk m;
        const struct ggfs_key *keys;
        mk_start(&m, forms[form].version, forms[form].big);
        put_scalars(&m);
        opened_start(&o, &m);
        keys = o.model->keys;
        ck_assert_uint_eq(o.model->n_keys, COUNT(integers) + 4);
        for (size_t i = 0; i < COUNT(integers); i++)
            expect_integer(&keys[i].value, i);
        keys += COUNT(integers);
        ck_assert(ggfs_value_float(keys[0].value.data, MK_F32, forms[form].big) == (double)0.1f);
        ck_assert(ggfs_value_float(keys[1].value.data, MK_F64, forms[form].big) == 0.1);
        ck_assert(ggfs_value_as_str(&keys[2].value, &text));
        ck_assert(ggfs_str_equal(text, GGFS_STR("value")));
        ck_assert(ggfs_value_as_str(&keys[3].value, &text));
        ck_assert_uint_eq(text.len, 0);
        opened_end(&o);
    }
}
END_TEST

START_TEST(arrays_of_every_type)
{
    for (size_t form = 0; form < COUNT(forms); form++) {
        struct opened o;
        struct mk m;
        mk_start(&m, forms[form].version, forms[form].big);
        for (uint32_t type = 0; type < GGFS_VALUE_TYPES; type++) {
            mk_key_array(&m, "a", type, 3);
            for (unsigned i = 0; i < 3; i++) {
                if (type == MK_STR)
                    mk_string(&m, "abc");
                else if (type == MK_ARR)
                    mk_array(&m, MK_U8, 0);
                else
                    mk_zeros(&m, ggfs_value_width(type));
            }
        }
        opened_start(&o, &m);
        for (uint32_t type = 0; type < GGFS_VALUE_TYPES; type++) {
            const struct ggfs_value *value = &o.model->keys[type].value;
            uint64_t length = forms[form].version == 1 ? 4 : 8;
            uint64_t each = type == MK_STR ? length + 3
                            : type == MK_ARR ? length + 4 : ggfs_value_width(type);
            ck_assert_uint_eq(value->type, GGFS_VALUE_ARR);
            ck_assert_uint_eq(value->elem, type);
            ck_assert_uint_eq(value->count, 3);
            ck_assert_uint_eq(value->size, 3 * each);
        }
        opened_end(&o);
    }
}
END_TEST

START_TEST(form_is_told)
{
    static const char *const names[] = {"GGUF 1 little-endian", "GGUF 1 big-endian",
                                        "GGUF 2 little-endian", "GGUF 2 big-endian",
                                        "GGUF 3 little-endian", "GGUF 3 big-endian"};

    for (size_t form = 0; form < COUNT(forms); form++) {
        struct mk_base base;
        struct opened o;
        mk_base_make(&base, forms[form].version, forms[form].big);
        opened_start(&o, &base.m);
        ck_assert_str_eq(o.model->format, names[form]);
        ck_assert_int_eq(o.model->sources[0].big, forms[form].big);
        ck_assert_uint_eq(o.model->sources[0].len_bytes, forms[form].version == 1 ? 4 : 8);
        ck_assert_uint_eq(o.model->n_tensors, 2);
        ck_assert_uint_eq(o.model->tensors[1].ne[0], 32);
        ck_assert_uint_eq(o.model->tensors[1].ne[1], 2);
        ck_assert_uint_eq(o.model->tensors[1].ne[2], 1);
        ck_assert_uint_eq(o.model->tensors[1].faults, 0);
        opened_end(&o);
    }
}
END_TEST

/* Wrong files. */

static void expect_marked(struct mk_base *base, const struct mk_wrong *wrong)
{
    struct opened o;

    opened_file(&o, &base->m);
    if (!opened_try(&o)) {
        ck_assert_msg(wrong->expect == MK_EITHER, "%s: refused: %s", wrong->name, o.err.text);
        ck_assert_uint_eq(o.err.offset, mk_field_offset(base, wrong->at));
        ck_assert_str_eq(o.err.field, wrong->field);
    } else {
        ck_assert_msg(o.model->tensors[0].faults != 0, "%s: not marked", wrong->name);
        ck_assert(opened_read_all(&o));
    }
    opened_end(&o);
    mk_free(&base->m);
}

START_TEST(wrong_fields_are_blamed)
{
    for (size_t form = 2; form < COUNT(forms); form++) {
        for (const struct mk_wrong *wrong = mk_wrong_kinds; wrong->name; wrong++) {
            struct mk_base base;
            mk_base_make(&base, forms[form].version, forms[form].big);
            mk_patch(&base.m, mk_field_offset(&base, wrong->at), mk_field_width(&base, wrong->at),
                     wrong->value);
            if (wrong->expect == MK_REFUSE)
                expect_refusal(&base.m, wrong->field, mk_field_offset(&base, wrong->at),
                               wrong->name);
            else
                expect_marked(&base, wrong);
        }
    }
}
END_TEST

/* Version 1 has lengths of 4 bytes, so its largest are other numbers. */
START_TEST(wrong_fields_of_version_1)
{
    static const struct {
        enum mk_field at;
        const char *field;
    } cases[] = {
        {MK_AT_N_TENSORS, "n_tensors"},        {MK_AT_N_KV, "n_kv"},
        {MK_AT_KEY_LENGTH, "kv[1].key.length"}, {MK_AT_KEY_TYPE, "kv[1].type"},
        {MK_AT_NAME_LENGTH, "tensor[0].name.length"}, {MK_AT_N_DIMS, "tensor[0].n_dims"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct mk_base base;
        mk_base_make(&base, 1, false);
        mk_patch(&base.m, mk_field_offset(&base, cases[i].at), 4, UINT32_MAX);
        expect_refusal(&base.m, cases[i].field, mk_field_offset(&base, cases[i].at), "version 1");
    }
}
END_TEST

static struct mk_marks string_array(struct mk *m, uint64_t second_length)
{
    struct mk_marks marks;

    mk_start(m, 3, false);
    mk_key_array(m, "a", MK_STR, 2);
    marks = m->at;
    mk_string(m, "abc");
    mk_length(m, second_length);
    mk_zeros(m, 5);
    return marks;
}

START_TEST(wrong_values_are_blamed)
{
    static const uint64_t lengths[] = {6, UINT32_MAX, INT64_MAX, UINT64_MAX, UINT64_MAX - 40};
    struct mk_marks marks;
    struct mk m;

    for (size_t i = 0; i < COUNT(lengths); i++) {
        marks = string_array(&m, lengths[i]);
        expect_refusal(&m, "kv[0][1].length", marks.elems + 11, "string in an array");
        mk_start(&m, 3, false);
        mk_key_int(&m, "first", MK_U8, 1);
        mk_key(&m, "s", MK_STR);
        mk_length(&m, lengths[i]);
        mk_zeros(&m, 5);
        marks = m.at;
        expect_refusal(&m, "kv[1].value.length", marks.value, "string");
    }
    for (uint32_t type = GGFS_VALUE_TYPES; type; type = type * 4 + 1) {
        marks = string_array(&m, 5);
        mk_patch(&m, marks.elem, 4, type);
        expect_refusal(&m, "kv[0].elem_type", marks.elem, "element type");
        if (type > UINT32_MAX / 8)
            break;
    }
    mk_start(&m, 3, false);
    mk_key(&m, "n", MK_U64);
    mk_zeros(&m, 7);
    marks = m.at;
    expect_refusal(&m, "kv[0].value", marks.value, "half a number");
}
END_TEST

START_TEST(wrong_counts_are_blamed)
{
    static const uint64_t counts[] = {UINT64_MAX, INT64_MAX, UINT64_C(1) << 61, UINT64_C(1) << 60,
                                      UINT64_C(1) << 32, 65};

    for (uint32_t type = 0; type < GGFS_VALUE_TYPES; type++) {
        for (size_t i = 0; i < COUNT(counts); i++) {
            struct mk_marks marks;
            struct mk m;
            mk_start(&m, 3, false);
            mk_key_array(&m, "a", type, counts[i]);
            marks = m.at;
            mk_zeros(&m, 64);
            if (type == MK_ARR)
                expect_refusal(&m, "kv[0].value", marks.value, "count");
            else
                expect_refusal(&m, "kv[0].count", marks.count, "count");
        }
    }
}
END_TEST

/* Records beyond what any model has are not read, however large the file says it is. */
START_TEST(counts_of_a_sparse_file)
{
    static const uint64_t counts[] = {UINT64_C(1) << 32, UINT64_C(1) << 31, UINT64_C(1) << 26,
                                      (UINT64_C(1) << 22) + 1};

    for (size_t i = 0; i < COUNT(counts); i++) {
        for (int keys = 0; keys < 2; keys++) {
            struct mk m;
            mk_start(&m, 3, false);
            mk_counts(&m, keys ? 0 : counts[i], keys ? counts[i] : 0);
            m.file_size = UINT64_C(1) << 40;
            if (keys)
                expect_refusal(&m, "n_kv", 16, "sparse");
            else
                expect_refusal(&m, "n_tensors", 8, "sparse");
        }
    }
}
END_TEST

START_TEST(a_header_without_end)
{
    struct mk_marks marks;
    struct mk m;

    mk_start(&m, 3, false);
    mk_key_array(&m, "a", MK_U8, GGFS_HEADER_MAX);
    marks = m.at;
    m.file_size = UINT64_C(1) << 40;
    expect_refusal(&m, "kv[0].value", marks.elems, "a gibibyte");
    mk_start(&m, 3, false);
    mk_key(&m, "a", MK_STR);
    mk_length(&m, GGFS_HEADER_MAX);
    marks = m.at;
    m.file_size = UINT64_C(1) << 40;
    expect_refusal(&m, "kv[0].value.length", marks.value, "a gibibyte");
}
END_TEST

/* Nested arrays. */

static struct mk_marks nest(struct mk *m, unsigned levels, uint32_t last)
{
    mk_start(m, 3, false);
    mk_key_array(m, "deep", levels > 1 ? MK_ARR : last, 1);
    for (unsigned i = 1; i < levels; i++)
        mk_array(m, i + 1 < levels ? MK_ARR : last, 1);
    return m->at;
}

START_TEST(nesting_has_a_depth)
{
    for (unsigned levels = 1; levels < 24; levels++) {
        struct mk_marks marks;
        struct opened o;
        struct mk m;
        marks = nest(&m, levels, MK_U8);
        mk_u8(&m, 7);
        if (levels > GGFS_VALUE_DEPTH) {
            expect_refusal(&m, "kv[0].value", marks.value, "too deep");
            continue;
        }
        opened_start(&o, &m);
        ck_assert(opened_read_all(&o));
        opened_end(&o);
    }
}
END_TEST

/* An array of arrays that holds none is no deeper than itself. */
START_TEST(nesting_counts_what_is_there)
{
    struct opened o;
    struct mk m;

    nest(&m, GGFS_VALUE_DEPTH - 1, MK_ARR);
    mk_array(&m, MK_ARR, 0);
    opened_start(&o, &m);
    opened_expect(&o, "metadata/deep", "[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]\n");
    opened_end(&o);
}
END_TEST

START_TEST(wrong_inner_arrays_are_the_values_fault)
{
    static const struct {
        uint32_t elem;
        uint64_t count;
        const char *what;
    } cases[] = {
        {13, 0, "element type"},
        {UINT32_MAX, 1, "element type"},
        {MK_U8, 9, "count"},
        {MK_U64, UINT64_C(1) << 61, "count"},
        {MK_STR, UINT64_MAX, "count"},
        {MK_ARR, UINT64_MAX, "count"},
        {MK_STR, 1, "string"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct mk_marks marks;
        struct mk m;
        mk_start(&m, 3, false);
        mk_key_int(&m, "k", MK_U8, 1);
        mk_key_array(&m, "a", MK_ARR, 2);
        marks = m.at;
        mk_array(&m, MK_U8, 0);
        mk_array(&m, cases[i].elem, cases[i].count);
        mk_u64(&m, UINT64_MAX);
        expect_refusal(&m, "kv[1].value", marks.value, cases[i].what);
    }
}
END_TEST

/* Alignment. */

static const struct {
    uint32_t type;
    int64_t value;
    bool good;
} alignments[] = {
    {MK_U32, 1, true},       {MK_U32, 2, true},     {MK_U32, 4, true},        {MK_U32, 8, true},
    {MK_U32, 16, true},      {MK_U32, 32, true},    {MK_U32, 64, true},       {MK_U32, 4096, true},
    {MK_U32, 65536, true},   {MK_U64, 32, true},    {MK_I32, 64, true},       {MK_U8, 128, true},
    {MK_I64, 256, true},     {MK_U32, 0, false},    {MK_U32, 3, false},       {MK_U32, 12, false},
    {MK_U32, 2147483649, false}, {MK_I32, -1, false}, {MK_I32, INT32_MIN, false},
    {MK_U64, -1, false},     {MK_I64, INT64_MIN, false}, {MK_I8, -128, false},
};

START_TEST(alignment_is_a_power_of_two)
{
    static const uint64_t dims[] = {3};

    for (size_t i = 0; i < COUNT(alignments); i++) {
        uint64_t value = (uint64_t)alignments[i].value;
        struct mk_marks marks;
        struct opened o;
        struct mk m;
        mk_start(&m, 3, false);
        mk_key_str(&m, "k", "odd");
        mk_key_int(&m, "general.alignment", alignments[i].type, alignments[i].value);
        marks = m.at;
        mk_key_int(&m, "general.alignment", MK_U32, 7); /* the first one counts */
        m.alignment = alignments[i].good ? value : 32;
        mk_tensor_next(&m, "a", MK_T_F32, 1, dims, 12);
        mk_tensor_next(&m, "b", MK_T_F32, 1, dims, 12);
        mk_data(&m);
        mk_data_to(&m, m.next);
        if (!alignments[i].good) {
            expect_refusal(&m, "kv[1].value", marks.value, "alignment");
            continue;
        }
        ck_assert_uint_eq(m.data_at % value, 0);
        marks.offset = m.data_at;
        opened_start(&o, &m);
        ck_assert_uint_eq(o.model->sources[0].alignment, value);
        ck_assert_uint_eq(o.model->sources[0].data_at, marks.offset);
        ck_assert_uint_eq(o.model->tensors[0].offset, marks.offset);
        ck_assert_uint_eq(o.model->tensors[1].faults, 0);
        ck_assert(value < 16 || o.model->tensors[1].offset == marks.offset + value);
        opened_end(&o);
    }
}
END_TEST

START_TEST(alignment_is_an_integer)
{
    static const struct {
        uint32_t type;
        size_t bytes;
    } types[] = {{MK_F32, 4}, {MK_BOOL, 1}, {MK_STR, 8}, {MK_ARR, 12}, {MK_F64, 8}};

    for (size_t i = 0; i < COUNT(types); i++) {
        struct mk_marks marks;
        struct mk m;
        mk_start(&m, 3, false);
        mk_key(&m, "general.alignment", types[i].type);
        marks = m.at;
        mk_zeros(&m, types[i].bytes);
        expect_refusal(&m, "kv[0].type", marks.type, "alignment");
    }
}
END_TEST

START_TEST(alignment_beyond_the_file)
{
    static const uint64_t dims[] = {3};
    struct opened o;
    struct mk m;

    mk_start(&m, 3, false);
    mk_key_int(&m, "general.alignment", MK_U64, INT64_MIN);
    mk_tensor(&m, "w", MK_T_F32, 1, dims, 0);
    mk_zeros(&m, 100);
    opened_start(&o, &m);
    ck_assert(o.model->tensors[0].faults != 0);
    ck_assert(opened_read_all(&o));
    opened_end(&o);
}
END_TEST

/* Prefixes. */

struct field {
    size_t end; /* of the field and, for a string, its bytes */
    size_t at;
    const char *name;
};

/* The fields of the base model in order, up to the first tensor's offset. */
static size_t base_fields(const struct mk_base *base, struct field *fields)
{
    const struct mk_marks *k = &base->key, *t = &base->tensor;
    size_t n_tensors = base->m.n_tensors_at, n_kv = base->m.n_kv_at, first = n_kv + 8;
    const struct field list[] = {
        {4, 0, "magic"},
        {8, 4, "version"},
        {n_kv, n_tensors, "n_tensors"},
        {first, n_kv, "n_kv"},
        {first + 28, first, "kv[0].key.length"},
        {first + 32, first + 28, "kv[0].type"},
        {first + 45, first + 32, "kv[0].value.length"},
        {k->type, k->key_length, "kv[1].key.length"},
        {k->value, k->type, "kv[1].type"},
        {k->value + 4, k->value, "kv[1].value"},
        {t->n_dims, t->name_length, "tensor[0].name.length"},
        {t->dims, t->n_dims, "tensor[0].n_dims"},
        {t->tensor_type, t->dims, "tensor[0].dims[0]"},
        {t->offset, t->tensor_type, "tensor[0].type"},
        {t->offset + 8, t->offset, "tensor[0].offset"},
    };

    memcpy(fields, list, sizeof list);
    return COUNT(list);
}

/* Which field is blamed where the file ends after size bytes: the one that is cut, but a count that
 * the rest cannot hold comes before it. */
static const struct field *blamed(const struct field *fields, size_t n, size_t size)
{
    size_t records = fields[3].end;

    if (size >= records && size - records < 2 * 24)
        return &fields[2];
    for (size_t i = 0; i < n; i++)
        if (size < fields[i].end)
            return &fields[i];
    return NULL;
}

START_TEST(every_prefix_blames_its_end)
{
    struct field fields[20];
    struct mk_base base;
    size_t n, end;

    mk_base_make(&base, 3, false);
    n = base_fields(&base, fields);
    end = fields[n - 1].end;
    mk_free(&base.m);
    for (size_t size = 1; size < end; size++) {
        const struct field *field = blamed(fields, n, size);
        char what[40];
        snprintf(what, sizeof what, "%zu bytes", size);
        mk_base_make(&base, 3, false);
        mk_cut(&base.m, size);
        expect_refusal(&base.m, field->name, field->at, what);
    }
}
END_TEST

/* Cut at every byte of the header and at some of the data. */
static void check_prefixes(const struct mk *m)
{
    struct opened o;

    opened_file(&o, m);
    for (size_t size = m->size; size-- > 0; size -= size > m->data_at + 200 ? 61 : 0) {
        ck_assert_int_eq(ftruncate(o.fd, (off_t)size), 0);
        if (opened_try(&o)) {
            ck_assert_uint_ge(size, o.model->header_size);
            ck_assert_msg(opened_read_all(&o), "cut at %zu", size);
            opened_close(&o);
        } else {
            ck_assert_uint_eq(o.err.kind, GGFS_ERR_FORMAT);
            ck_assert_msg(o.err.offset <= size || o.err.offset == GGFS_NO_OFFSET,
                          "cut at %zu: blames 0x%" PRIx64, size, o.err.offset);
        }
    }
    opened_end(&o);
}

/* A little of everything that a header can hold. */
static void make_mixture(struct mk *m, uint32_t version, bool big)
{
    static const uint64_t dims[] = {32, 2, 3};
    static const char *const tokens[] = {"a", "", "\xFF/", "a"};

    mk_start(m, version, big);
    put_scalars(m);
    mk_key_strs(m, "tokenizer.ggml.tokens", tokens, COUNT(tokens));
    mk_key_array(m, "tokenizer.ggml.scores", MK_F32, 2);
    mk_zeros(m, 8);
    mk_key_int(m, "tokenizer.ggml.bos_token_id", MK_U32, 1);
    mk_key_str(m, "tokenizer.chat_template", "{{ x }}");
    mk_key_array(m, "nested", MK_ARR, 2);
    mk_array(m, MK_STR, 1);
    mk_string(m, "s");
    mk_array(m, MK_ARR, 1);
    mk_array(m, MK_I16, 2);
    mk_u32(m, 0);
    mk_key_alignment(m, 16);
    mk_tensor_next(m, "q", MK_T_Q8_0, 3, dims, 204);
    mk_tensor_next(m, "f", MK_T_F32, 1, dims, 128);
    mk_tensor_next(m, "n", MK_T_F16, 0, dims, 2);
    mk_data(m);
    mk_data_to(m, m->next);
}

START_TEST(every_prefix_fails_inside_itself)
{
    for (size_t form = 0; form < COUNT(forms); form++) {
        struct mk m;
        make_mixture(&m, forms[form].version, forms[form].big);
        check_prefixes(&m);
        mk_free(&m);
    }
}
END_TEST

/* Flipped bytes. */

static void check_flips(const struct mk *m, size_t end, uint64_t *seed)
{
    struct opened o;

    opened_file(&o, m);
    for (size_t at = 0; at < end; at++) {
        uint8_t changed[] = {(uint8_t)~m->data[at], m->data[at] ^ 0x80, m->data[at] ^ 1,
                             (uint8_t)suite_random(seed)};
        for (size_t i = 0; i < COUNT(changed); i++) {
            ck_assert_int_eq(pwrite(o.fd, &changed[i], 1, (off_t)at), 1);
            if (opened_try(&o)) {
                ck_assert_msg(opened_read_all(&o), "byte %zu: %02x", at, changed[i]);
                opened_close(&o);
            } else {
                ck_assert_msg(o.err.kind == GGFS_ERR_FORMAT, "%s", o.err.text);
            }
        }
        ck_assert_int_eq(pwrite(o.fd, m->data + at, 1, (off_t)at), 1);
    }
    opened_end(&o);
}

START_TEST(no_flipped_byte_crashes)
{
    uint64_t seed = suite_seed();

    for (size_t form = 0; form < COUNT(forms); form++) {
        struct mk m;
        make_mixture(&m, forms[form].version, forms[form].big);
        check_flips(&m, m.data_at, &seed);
        mk_free(&m);
    }
}
END_TEST

/* Several bytes at once, words of extreme numbers among them. */
START_TEST(no_garbled_header_crashes)
{
    static const uint64_t words[] = {0, 1, UINT64_MAX, UINT64_C(1) << 63, UINT64_C(1) << 32,
                                     UINT64_C(1) << 31, 9, 8, 12, 13};
    uint64_t seed = suite_seed();

    for (int round = 0; round < 3000; round++) {
        size_t form = suite_below(&seed, COUNT(forms));
        struct opened o;
        struct mk m;
        make_mixture(&m, forms[form].version, forms[form].big);
        for (uint64_t i = 1 + suite_below(&seed, 4); i > 0; i--)
            mk_patch(&m, 8 + suite_below(&seed, m.data_at - 16),
                     1u << suite_below(&seed, 4), words[suite_below(&seed, COUNT(words))]);
        opened_file(&o, &m);
        if (opened_try(&o))
            ck_assert(opened_read_all(&o));
        else
            ck_assert(o.err.kind == GGFS_ERR_FORMAT);
        opened_end(&o);
        mk_free(&m);
    }
}
END_TEST

/* Reading. */

START_TEST(header_is_read_in_pieces)
{
    struct ggfs_source source;
    struct ggfs_reader reader;
    struct ggfs_err err;
    struct opened o;
    uint64_t k = 1024;

    opened_bytes(&o, "GGUF", 4);
    ck_assert_int_eq(ftruncate(o.fd, (off_t)1 << 36), 0);
    ggfs_err_init(&err, NULL);
    ck_assert(ggfs_source_open(&source, o.path, &err));
    ggfs_reader_init(&reader, &source, &err);
    ck_assert(ggfs_reader_need(&reader, 4, "a"));
    ck_assert_uint_eq(reader.have, 64 * k);
    ck_assert(ggfs_reader_need(&reader, 64 * k, "a"));
    ck_assert_uint_eq(reader.have, 64 * k);
    ck_assert(ggfs_reader_need(&reader, 64 * k + 1, "a"));
    ck_assert_uint_eq(reader.have, 128 * k);
    ck_assert(ggfs_reader_need(&reader, 10 * k * k, "a"));
    ck_assert_uint_le(reader.have, 11 * k * k);
    ck_assert(!ggfs_reader_need(&reader, (UINT64_C(1) << 36) + 1, "a"));
    ck_assert_str_eq(err.field, "a");
    ggfs_reader_drop(&reader);
    ggfs_source_close(&source);
    opened_end(&o);
}
END_TEST

START_TEST(a_file_that_shrinks)
{
    struct ggfs_source source;
    struct ggfs_reader reader;
    struct ggfs_err err;
    struct opened o;

    opened_bytes(&o, "GGUF", 4);
    ck_assert_int_eq(ftruncate(o.fd, 100000), 0);
    ggfs_err_init(&err, NULL);
    ck_assert(ggfs_source_open(&source, o.path, &err));
    ggfs_reader_init(&reader, &source, &err);
    ck_assert(ggfs_reader_need(&reader, 4, "a"));
    ck_assert_int_eq(ftruncate(o.fd, 70000), 0);
    ck_assert(!ggfs_reader_need(&reader, 100000, "a"));
    ck_assert_uint_eq(err.kind, GGFS_ERR_IO);
    ggfs_reader_drop(&reader);
    ggfs_source_close(&source);
    opened_end(&o);
}
END_TEST

/* Other files. */

START_TEST(strangers_have_their_sentence)
{
#define HEAD(text) text, sizeof(text) - 1
    static const struct {
        const char *bytes;
        size_t n;
        const char *says;
        bool place;
    } cases[] = {
        {HEAD(""), "empty", false},
        {HEAD("version https://git-lfs.github.com/spec/v1\n"), "git lfs pull", false},
        {HEAD("<!DOCTYPE html>"), "HTML", false},
        {HEAD("<!doctype html>"), "HTML", false},
        {HEAD("<html>"), "HTML", false},
        {HEAD("PK\x03\x04zip"), "zip", false},
        {HEAD("\x1F\x8B\x08"), "gzip", false},
        {HEAD("\x0A\0\0\0\0\0\0\0{\"a\":1}   "), "safetensors", false},
        {HEAD("GGU"), "3", true},
        {HEAD("GGUG\0"), "47 47 55 47", true},
        {HEAD("GGUG\nlines\n"), "not a model file, but text that begins with \"GGUG\"", true},
        {HEAD("FUGG"), "FUGG", true},
        {HEAD("ccgg\x0A\0\0\0"), "ggcc", true},
        {HEAD("nsgg"), "session", true},
        {HEAD("ggml"), "chatglm", true},
    };
#undef HEAD

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct opened o;
        opened_bytes(&o, cases[i].bytes, cases[i].n);
        ck_assert(!opened_try(&o));
        ck_assert_uint_eq(o.err.kind, GGFS_ERR_FORMAT);
        ck_assert_msg(strstr(o.err.text, cases[i].says), "%zu: %s", i, o.err.text);
        ck_assert_uint_eq(o.err.offset, cases[i].place ? 0 : GGFS_NO_OFFSET);
        ck_assert_str_eq(o.err.field, cases[i].place ? "magic" : "");
        opened_end(&o);
    }
}
END_TEST

START_TEST(at_most_one_container_claims_a_file)
{
    for (const struct mk_kind *kind = mk_good_kinds; kind->name; kind++) {
        int claims = 0;
        struct mk m;
        if (strcmp(kind->name, "big") == 0)
            continue;
        kind->make(&m, 0);
        for (size_t n = 0; n <= m.size && n <= GGFS_FORMAT_HEAD; n++) {
            claims = 0;
            for (const struct ggfs_format *const *format = ggfs_formats; *format; format++)
                claims += (*format)->probe(m.data, n);
            ck_assert_int_le(claims, 1);
        }
        ck_assert_int_eq(claims, 1);
        mk_free(&m);
    }
}
END_TEST

START_TEST(what_is_no_file_is_not_opened)
{
    static const char *const paths[] = {"/", "/dev/null", "/nowhere/at/all", ""};
    struct ggfs_open_options options = {0};

    for (size_t i = 0; i < COUNT(paths); i++) {
        struct ggfs_err err;
        ggfs_err_init(&err, paths[i]);
        ck_assert_ptr_null(ggfs_formats_open(paths[i], &options, &err));
        ck_assert_uint_eq(err.kind, GGFS_ERR_OPEN);
        ck_assert_uint_eq(err.offset, GGFS_NO_OFFSET);
    }
}
END_TEST

static void expect_unopened(const char *path, const char *says)
{
    struct ggfs_open_options options = {0};
    struct ggfs_err err;

    ggfs_err_init(&err, path);
    ck_assert_ptr_null(ggfs_formats_open(path, &options, &err));
    ck_assert_uint_eq(err.kind, GGFS_ERR_OPEN);
    ck_assert_msg(strstr(err.text, says), "%s: %s", path, err.text);
}

START_TEST(what_kind_of_file_it_is)
{
    char folder[] = "/tmp/check_gguf.XXXXXX", path[64];

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/fifo.gguf", folder);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    expect_unopened(path, "a FIFO");
    unlink(path);
    expect_unopened(path, "No such file");
    expect_unopened(folder, "a directory");
    expect_unopened("/dev/null", "a character device");
    rmdir(folder);
}
END_TEST

START_TEST(size_of_a_file_now)
{
    struct opened o;
    uint64_t size;

    opened_kind(&o, "no-keys", 0);
    ck_assert_int_eq(ftruncate(o.fd, 77), 0);
    ck_assert(ggfs_source_size_now(&o.model->sources[0], &size, &o.err));
    ck_assert_uint_eq(size, 77);
    opened_end(&o);
}
END_TEST

START_TEST(good_models_open)
{
    for (const struct mk_kind *kind = mk_good_kinds; kind->name; kind++) {
        struct opened o;
        if (strcmp(kind->name, "big") == 0)
            continue;
        opened_kind(&o, kind->name, 0);
        ck_assert_msg(opened_read_all(&o), "%s", kind->name);
        opened_end(&o);
    }
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        every_scalar_in_every_form,
        arrays_of_every_type,
        form_is_told,
        wrong_fields_are_blamed,
        wrong_fields_of_version_1,
        wrong_values_are_blamed,
        wrong_counts_are_blamed,
        counts_of_a_sparse_file,
        a_header_without_end,
        nesting_has_a_depth,
        nesting_counts_what_is_there,
        wrong_inner_arrays_are_the_values_fault,
        alignment_is_a_power_of_two,
        alignment_is_an_integer,
        alignment_beyond_the_file,
        every_prefix_blames_its_end,
        every_prefix_fails_inside_itself,
        no_flipped_byte_crashes,
        no_garbled_header_crashes,
        header_is_read_in_pieces,
        a_file_that_shrinks,
        strangers_have_their_sentence,
        at_most_one_container_claims_a_file,
        what_is_no_file_is_not_opened,
        what_kind_of_file_it_is,
        size_of_a_file_now,
        good_models_open,
    };

    return suite_run("gguf", tests, COUNT(tests));
}
