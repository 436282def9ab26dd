/* SPDX-License-Identifier: MIT */
/* check_render.c - the texts of the tree, byte for byte. */
#include <config.h>

#include "opened.h"
#include "suite.h"
#include "tree/impl.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONG (1 << 20)

/* metadata/KEY */

START_TEST(scalars_as_text)
{
    static const struct {
        const char *key, *text;
    } cases[] = {
        {"u8", "255\n"},
        {"i8", "-128\n"},
        {"u16", "65535\n"},
        {"i16", "-32768\n"},
        {"u32", "4294967295\n"},
        {"i32", "-2147483648\n"},
        {"u64", "18446744073709551615\n"},
        {"i64", "-9223372036854775808\n"},
        {"two", "true\n"},
        {"false", "false\n"},
        {"str", "two\nlines\t\\ \x01\xFF\n"},
        {"empty", "\n"},
        {"whole", "3\n"},
        {"small", "1e-05\n"},
        {"tenth", "0.1\n"},
        {"negative", "-0\n"},
        {"inf", "-inf\n"},
        {"nan", "nan\n"},
        {"pi", "3.141592653589793\n"},
        {"large", "1e+16\n"},
    };
    static const bool orders[] = {false, true};

    for (size_t order = 0; order < COUNT(orders); order++) {
        struct opened o;
        struct mk m;
        mk_start(&m, 3, orders[order]);
        mk_key_int(&m, "u8", MK_U8, 255);
        mk_key_int(&m, "i8", MK_I8, -128);
        mk_key_int(&m, "u16", MK_U16, 65535);
        mk_key_int(&m, "i16", MK_I16, -32768);
        mk_key_int(&m, "u32", MK_U32, 4294967295);
        mk_key_int(&m, "i32", MK_I32, INT32_MIN);
        mk_key_int(&m, "u64", MK_U64, -1);
        mk_key_int(&m, "i64", MK_I64, INT64_MIN);
        mk_key_int(&m, "two", MK_BOOL, 2);
        mk_key_int(&m, "false", MK_BOOL, 0);
        mk_key_str(&m, "str", "two\nlines\t\\ \x01\xFF");
        mk_key_str(&m, "empty", "");
        mk_key_f32(&m, "whole", 3.0f);
        mk_key_f32(&m, "small", 1e-5f);
        mk_key_f32(&m, "tenth", 0.1f);
        mk_key_f32(&m, "negative", -0.0f);
        mk_key_f32(&m, "inf", -INFINITY);
        mk_key_f64(&m, "nan", -NAN);
        mk_key_f64(&m, "pi", 3.141592653589793);
        mk_key_f64(&m, "large", 1e16);
        opened_start(&o, &m);
        for (size_t i = 0; i < COUNT(cases); i++) {
            char path[64];
            snprintf(path, sizeof path, "metadata/%s", cases[i].key);
            opened_expect(&o, path, cases[i].text);
        }
        opened_end(&o);
    }
}
END_TEST

/* One array of each kind, for the three forms that show it. */
static void put_arrays(struct mk *m)
{
    static const float floats[] = {1.5f, INFINITY, -INFINITY, NAN, 1e-5f, -0.0f};

    mk_key_array(m, "none", MK_U32, 0);
    mk_key_array(m, "bools", MK_BOOL, 3);
    mk_put(m, "\1\0\x80", 3);
    mk_key_array(m, "bytes", MK_I8, 2);
    mk_put(m, "\x80\x7F", 2);
    mk_key_array(m, "floats", MK_F32, COUNT(floats));
    for (size_t i = 0; i < COUNT(floats); i++)
        mk_f32(m, floats[i]);
    mk_key_array(m, "strings", MK_STR, 8);
    mk_string(m, "plain");
    mk_string(m, "");
    mk_string(m, "a\\b\nc\rd\te");
    mk_string_n(m, "\0\x1F\x7F", 3);
    mk_string(m, "\xFF\xC3\xA9\xC3");
    mk_string(m, "\xED\xA0\x80\xC0\x80\xF4\x90\x80\x80");
    mk_string(m, "\"/\xC2\x85\xE2\x80\xA8");
    mk_string(m, "\xF0\x9F\xA6\x99");
    mk_key_array(m, "nested", MK_ARR, 4);
    mk_array(m, MK_I32, 2);
    mk_u32(m, 1);
    mk_u32(m, (uint32_t)-2);
    mk_array(m, MK_STR, 2);
    mk_string(m, "q\"\\\n\x01/\xFF");
    mk_string(m, "");
    mk_array(m, MK_ARR, 2);
    mk_array(m, MK_F64, 2);
    mk_f64(m, NAN);
    mk_f64(m, 0.5);
    mk_array(m, MK_U8, 0);
    mk_array(m, MK_BOOL, 1);
    mk_u8(m, 0);
}

START_TEST(arrays_as_lines)
{
    static const bool orders[] = {false, true};

    for (size_t order = 0; order < COUNT(orders); order++) {
        struct opened o;
        struct mk m;
        mk_start(&m, order ? 2 : 1, orders[order]);
        put_arrays(&m);
        opened_start(&o, &m);
        opened_expect(&o, "metadata/none", "");
        opened_expect(&o, "metadata/bools", "true\nfalse\ntrue\n");
        opened_expect(&o, "metadata/bytes", "-128\n127\n");
        opened_expect(&o, "metadata/floats", "1.5\ninf\n-inf\nnan\n1e-05\n-0\n");
        opened_expect(&o, "metadata/strings",
                      "plain\n\na\\\\b\\nc\\rd\\te\n\\x00\\x1f\\x7f\n\\xff\xC3\xA9\\xc3\n"
                      "\\xed\\xa0\\x80\\xc0\\x80\\xf4\\x90\\x80\\x80\n"
                      "\"/\xC2\x85\xE2\x80\xA8\n\xF0\x9F\xA6\x99\n");
        opened_expect(&o, "metadata/nested",
                      "[1,-2]\n[\"q\\\"\\\\\\n\\u0001/\xEF\xBF\xBD\",\"\"]\n"
                      "[[null,0.5],[]]\n[false]\n");
        opened_end(&o);
    }
}
END_TEST

START_TEST(metadata_as_json)
{
    struct opened o;
    struct mk m;

    mk_start(&m, 3, false);
    put_arrays(&m);
    mk_key_int(&m, "i64", MK_I64, INT64_C(-9007199254740993));
    mk_key_str(&m, "a\"b/\x01\xFF", "x\n");
    mk_key_f64(&m, "inf", INFINITY);
    mk_key_int(&m, "i64", MK_BOOL, 1);
    mk_key_str(&m, "", "");
    mk_key_int(&m, "i64", MK_U8, 3);
    opened_start(&o, &m);
    opened_expect(&o, "metadata.json",
                  "{\n"
                  "  \"none\": [],\n"
                  "  \"bools\": [true,false,true],\n"
                  "  \"bytes\": [-128,127],\n"
                  "  \"floats\": [1.5,null,null,null,1e-05,-0],\n"
                  "  \"strings\": [\"plain\",\"\",\"a\\\\b\\nc\\rd\\te\",\"\\u0000\\u001f\\u007f\","
                  "\"\xEF\xBF\xBD\xC3\xA9\xEF\xBF\xBD\",\""
                  "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"
                  "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\","
                  "\"\\\"/\xC2\x85\xE2\x80\xA8\",\"\xF0\x9F\xA6\x99\"],\n"
                  "  \"nested\": [[1,-2],[\"q\\\"\\\\\\n\\u0001/\xEF\xBF\xBD\",\"\"],"
                  "[[null,0.5],[]],[false]],\n"
                  "  \"i64\": -9007199254740993,\n"
                  "  \"a\\\"b/\\u0001\xEF\xBF\xBD\": \"x\\n\",\n"
                  "  \"inf\": null,\n"
                  "  \"i64%~2\": true,\n"
                  "  \"\": \"\",\n"
                  "  \"i64%~3\": 3\n"
                  "}\n");
    opened_end(&o);
}
END_TEST

/* A name that looks like another with its mark is told from it, as the files are. */
START_TEST(json_names_differ)
{
    static const char *const names[] = {"a",      "a",        "a%~2",     "a%25~2", "a%~2",
                                        "a%25~2", "a%2525~2", "%2F%25%2", "%%~~%25"};
    struct opened o;
    struct mk m;

    mk_start(&m, 3, false);
    for (unsigned i = 0; i < COUNT(names); i++)
        mk_key_int(&m, names[i], MK_U8, (int)i);
    opened_start(&o, &m);
    opened_expect(&o, "metadata.json",
                  "{\n"
                  "  \"a\": 0,\n"
                  "  \"a%~2\": 1,\n"
                  "  \"a%25~2\": 2,\n"
                  "  \"a%2525~2\": 3,\n"
                  "  \"a%25~2%~2\": 4,\n"
                  "  \"a%2525~2%~2\": 5,\n"
                  "  \"a%252525~2\": 6,\n"
                  "  \"%2F%25%2\": 7,\n"
                  "  \"%%25~~%25\": 8\n"
                  "}\n");
    opened_expect(&o, "metadata/a%~2", "1\n");
    opened_expect(&o, "metadata/a%25~2", "2\n");
    opened_expect(&o, "metadata/a%2525~2", "3\n");
    opened_expect(&o, "metadata/a%25~2%~2", "4\n");
    opened_end(&o);
}
END_TEST

START_TEST(metadata_as_tsv)
{
    struct opened o;
    struct mk m;

    mk_start(&m, 3, false);
    put_arrays(&m);
    mk_key_int(&m, "k\ty", MK_U64, 7);
    mk_key_str(&m, "s", "line\n\\");
    mk_key_str(&m, "e", "");
    opened_start(&o, &m);
    opened_expect(&o, "metadata.tsv",
                  "#key\ttype\tcount\tvalue\n"
                  "none\tarr[u32]\t0\t\n"
                  "bools\tarr[bool]\t3\ttrue\\nfalse\\ntrue\n"
                  "bytes\tarr[i8]\t2\t-128\\n127\n"
                  "floats\tarr[f32]\t6\t1.5\\ninf\\n-inf\\nnan\\n1e-05\\n-0\n"
                  "strings\tarr[str]\t8\tplain\\n\\na\\\\\\\\b\\\\nc\\\\rd\\\\te\\n"
                  "\\\\x00\\\\x1f\\\\x7f\\n"
                  "\\\\xff\xC3\xA9\\\\xc3\\n\\\\xed\\\\xa0\\\\x80\\\\xc0\n"
                  "nested\tarr[arr]\t4\t[1,-2]\\n[\"q\\\\\"\\\\\\\\\\\\n\\\\u0001/\xEF\xBF\xBD\","
                  "\"\"]\\n"
                  "[[null,0.5],[]]\\n[false]\n"
                  "k\\ty\tu64\t1\t7\n"
                  "s\tstr\t1\tline\\n\\\\\n"
                  "e\tstr\t1\t\n");
    opened_end(&o);
}
END_TEST

/* The last field of the only line of metadata.tsv. */
static void expect_excerpt(const void *value, size_t n, const char *excerpt)
{
    char expected[1024];
    struct opened o;
    struct mk m;

    mk_start(&m, 3, false);
    mk_key(&m, "k", MK_STR);
    mk_string_n(&m, value, n);
    opened_start(&o, &m);
    snprintf(expected, sizeof expected, "#key\ttype\tcount\tvalue\nk\tstr\t1\t%s\n", excerpt);
    opened_expect(&o, "metadata.tsv", expected);
    opened_end(&o);
}

static void repeat(char *out, const char *part, size_t n)
{
    *out = '\0';
    while (n-- > 0)
        out = stpcpy(out, part);
}

START_TEST(excerpts_have_60_code_points)
{
    static const struct {
        const char *part, *shown;
    } cases[] = {
        {"x", "x"},
        {"\xC3\xA9", "\xC3\xA9"},
        {"\xE2\x96\x81", "\xE2\x96\x81"},
        {"\xF0\x9F\xA6\x99", "\xF0\x9F\xA6\x99"},
        {"\n", "\\n"},
        {"\xFF", "\\xff"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        for (size_t n = 57; n < 64; n++) {
            char value[512], shown[512];
            repeat(value, cases[i].part, n);
            repeat(shown, cases[i].shown, n < 60 ? n : 60);
            expect_excerpt(value, strlen(value), shown);
        }
    }
    expect_excerpt("\0a", 2, "\\x00a");
    expect_excerpt("a\n", 2, "a\\n");
    /* 59 characters and half of one. */
    expect_excerpt("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\xF0\x9F\xA6", 62,
                   "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\\xf0");
}
END_TEST

START_TEST(excerpts_of_arrays_cross_lines)
{
    char expected[256], lines[200];
    struct opened o;
    struct mk m;

    mk_start(&m, 3, false);
    mk_key_array(&m, "k", MK_STR, 100);
    for (int i = 0; i < 100; i++)
        mk_string(&m, "");
    opened_start(&o, &m);
    repeat(lines, "\\n", 60);
    snprintf(expected, sizeof expected, "#key\ttype\tcount\tvalue\nk\tarr[str]\t100\t%s\n", lines);
    opened_expect(&o, "metadata.tsv", expected);
    opened_end(&o);
}
END_TEST

/* Tensors. */

START_TEST(tensors_as_text)
{
    static const uint64_t d[] = {32, 2, 3, 5};
    char expected[4096];
    struct opened o;
    struct mk m;

    mk_start(&m, 3, false);
    mk_tensor(&m, "a/b", MK_T_F32, 1, d, 0);
    mk_tensor(&m, "q", MK_T_Q8_0, 4, d, 128);
    mk_tensor(&m, "scalar\t\"\xFF", MK_T_F32, 0, d, 1152);
    mk_tensor(&m, "odd", 137, 2, d, 1184);
    mk_tensor(&m, "a/b", MK_T_I8, 2, d, UINT64_MAX - 5);
    mk_data(&m);
    mk_zeros(&m, 1200);
    opened_start(&o, &m);
    opened_expect(&o, "tensors.tsv",
                  "#name\ttype\tshape\tbytes\n"
                  "a/b\tF32\t32\t128\n"
                  "q\tQ8_0\t5x3x2x32\t1020\n"
                  "scalar\\t\"\\xff\tF32\t-\t4\n"
                  "odd\ttype137\t2x32\t16\n"
                  "a/b\tI8\t2x32\t64\n");
    snprintf(
        expected, sizeof expected,
        "{\n  \"format\": \"GGUF 3 little-endian\",\n  \"notes\": [],\n  \"tensors\": ["
        "{\"name\":\"a/b\",\"path\":\"tensors/a%%2Fb\",\"type\":\"F32\",\"type_id\":0,"
        "\"shape\":[32],\"ne\":[32],\"bytes\":128,\"block\":[1,4],\"file\":\"%d\","
        "\"offset\":%llu,\"parts\":[],\"notes\":[]},"
        "{\"name\":\"q\",\"path\":\"tensors/q\",\"type\":\"Q8_0\",\"type_id\":8,"
        "\"shape\":[5,3,2,32],\"ne\":[32,2,3,5],\"bytes\":1020,\"block\":[32,34],\"file\":\"%d\","
        "\"offset\":%llu,\"parts\":[],\"notes\":[]},"
        "{\"name\":\"scalar\\t\\\"\xEF\xBF\xBD\",\"path\":\"tensors/scalar\\t\\\"\xEF\xBF\xBD\","
        "\"type\":\"F32\",\"type_id\":0,\"shape\":[],\"ne\":[],\"bytes\":4,\"block\":[1,4],"
        "\"file\":\"%d\",\"offset\":%llu,\"parts\":[],\"notes\":[]},"
        "{\"name\":\"odd\",\"path\":\"tensors/odd\",\"type\":\"type137\",\"type_id\":137,"
        "\"shape\":[2,32],\"ne\":[32,2],\"bytes\":16,\"block\":null,\"file\":\"%d\","
        "\"offset\":%llu,\"parts\":[],\"notes\":[\"a type number that ggfs does not know\"]},"
        "{\"name\":\"a/b\",\"path\":\"tensors/a%%2Fb%%~2\",\"type\":\"I8\",\"type_id\":24,"
        "\"shape\":[2,32],\"ne\":[32,2],\"bytes\":64,\"block\":[1,1],\"file\":\"%d\","
        "\"offset\":null,\"parts\":[],\"notes\":[\"begins at or past the end of the file\"]}]\n}\n",
        o.fd, (unsigned long long)o.model->tensors[0].offset, o.fd,
        (unsigned long long)o.model->tensors[1].offset, o.fd,
        (unsigned long long)o.model->tensors[2].offset, o.fd,
        (unsigned long long)o.model->tensors[3].offset, o.fd);
    opened_expect(&o, "tensors.json", expected);
    opened_end(&o);
}
END_TEST

START_TEST(json_is_read_back)
{
    static const char *const paths[] = {"metadata.json", "tensors.json", "vocab/vocab.json"};
    struct opened o;

    opened_kind(&o, "sample", 0);
    for (size_t i = 0; i < COUNT(paths); i++) {
        char *text = opened_text(&o, paths[i], NULL);
        cJSON *json = cJSON_ParseWithOpts(text, NULL, true);
        ck_assert_msg(json, "%s", paths[i]);
        if (i == 0)
            ck_assert_int_eq(cJSON_GetArraySize(json), (int)o.model->n_keys);
        if (i == 1)
            ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItem(json, "tensors")),
                             (int)o.model->n_tensors);
        if (i == 2)
            ck_assert_int_eq(cJSON_GetArraySize(json), (int)o.tree->vocab.n);
        cJSON_Delete(json);
        free(text);
    }
    opened_end(&o);
}
END_TEST

START_TEST(json_says_what_the_records_say)
{
    struct opened o;
    const cJSON *tensor;
    uint32_t i = 0;
    cJSON *json;
    char *text;

    opened_kind(&o, "sample", 0);
    text = opened_text(&o, "tensors.json", NULL);
    json = cJSON_Parse(text);
    cJSON_ArrayForEach(tensor, cJSON_GetObjectItem(json, "tensors"))
    {
        const struct ggfs_tensor *record = &o.model->tensors[i++];
        const char *path = cJSON_GetObjectItem(tensor, "path")->valuestring;
        struct ggfs_node_attr attr;
        uint64_t node = opened_node(&o, path);
        ck_assert_uint_ne(node, 0);
        ck_assert(ggfs_tree_attr(o.tree, node, &attr, NULL));
        ck_assert(cJSON_GetObjectItem(tensor, "bytes")->valuedouble == (double)attr.size);
        ck_assert(cJSON_GetObjectItem(tensor, "offset")->valuedouble == (double)record->offset);
        ck_assert(ggfs_str_equal(record->name,
                                 ggfs_str_from(cJSON_GetObjectItem(tensor, "name")->valuestring)));
    }
    cJSON_Delete(json);
    free(text);
    opened_end(&o);
}
END_TEST

/* Summary, format, vocabulary. */

START_TEST(format_is_one_line)
{
    struct opened o;

    opened_kind(&o, "v2-be", 0);
    opened_expect(&o, "format", "GGUF 2 big-endian\n");
    opened_end(&o);
}
END_TEST

START_TEST(summary_of_a_model)
{
    static const uint64_t d[] = {1000, 1500};
    char expected[1024];
    struct opened o;
    struct mk m;

    mk_start(&m, 3, false);
    mk_key_str(&m, "general.architecture", "llama");
    mk_key_str(&m, "general.name", "A\tname");
    mk_key_int(&m, "general.file_type", MK_U32, 7);
    mk_key_int(&m, "llama.context_length", MK_U64, 4096);
    mk_key_strs(&m, "tokenizer.ggml.tokens", (const char *const[]){"a", "b"}, 2);
    mk_tensor(&m, "w", MK_T_F32, 2, d, 0);
    mk_tensor(&m, "x", MK_T_F16, 1, d, 6000000);
    mk_data(&m);
    m.file_size = m.data_at + 6002000;
    opened_start(&o, &m);
    snprintf(expected, sizeof expected,
             "format: GGUF 3 little-endian\n"
             "architecture: llama\n"
             "name: A\\tname\n"
             "tensors: 2\n"
             "parameters: 1501000 (1.50 million)\n"
             "tensor bytes: 6002000\n"
             "bits per weight: 31.99\n"
             "tensor types: F32 1, F16 1\n"
             "file bytes: %llu\n"
             "file type: mostly Q8_0\n"
             "context length: 4096\n"
             "vocabulary: 2 tokens\n"
             "metadata keys: 5\n",
             (unsigned long long)o.model->sources[0].size);
    opened_expect(&o, "summary.txt", expected);
    opened_end(&o);
}
END_TEST

START_TEST(summary_of_nothing)
{
    struct opened o;

    opened_kind(&o, "header-only", 0);
    opened_expect(&o, "summary.txt",
                  "format: GGUF 3 little-endian\ntensors: 0\nfile bytes: 24\nmetadata keys: 0\n");
    opened_expect(&o, "metadata.json", "{\n}\n");
    opened_expect(&o, "metadata.tsv", "#key\ttype\tcount\tvalue\n");
    opened_expect(&o, "tensors.tsv", "#name\ttype\tshape\tbytes\n");
    opened_expect(&o, "tensors.json",
                  "{\n  \"format\": \"GGUF 3 little-endian\",\n  \"notes\": [],\n"
                  "  \"tensors\": []\n}\n");
    ck_assert_uint_eq(opened_node(&o, "vocab"), 0);
    opened_end(&o);
}
END_TEST

START_TEST(vocabulary_with_everything_wrong)
{
    static const char start[] = "#id\ttype\tscore\ttoken\n0\t0\t1.5\ta\n1\t1\t\tb\n2\t2\t\ta\n"
                                "3\t3\t\tzzz";
    struct opened o;
    size_t n;
    char *bytes;

    /* Tokens a, b, a, 10,240 z, n NUL l; a score; seven types; merges that are a number. */
    opened_kind(&o, "odd-vocab", 0);
    bytes = opened_text(&o, "vocab/vocab.tsv", &n);
    ck_assert_int_eq(strncmp(bytes, start, sizeof start - 1), 0);
    ck_assert_str_eq(bytes + n - 13, "\n4\t4\t\tn\\x00l\n");
    free(bytes);
    opened_expect(&o, "vocab/special.tsv", "#role\tid\ttoken\nbos\t99\t\n");
    ck_assert_uint_eq(opened_node(&o, "vocab/merges.txt"), 0);
    bytes = opened_text(&o, "vocab/scores.f32", &n);
    ck_assert_uint_eq(n, 4);
    ck_assert_int_eq(memcmp(bytes, "\0\0\xC0\x3F", 4), 0);
    free(bytes);
    bytes = opened_text(&o, "vocab/types.i32", &n);
    ck_assert_uint_eq(n, 28);
    ck_assert_int_eq(memcmp(bytes + 24, "\6\0\0\0", 4), 0);
    free(bytes);
    opened_expect(&o, "vocab/ids/a%~2", "2\n");
    opened_expect(&o, "vocab/ids/n%00l", "4\n");
    bytes = opened_text(&o, "vocab/tokens/4", &n);
    ck_assert_uint_eq(n, 3);
    ck_assert_int_eq(memcmp(bytes, "n\0l", 3), 0);
    free(bytes);
    ck_assert_uint_eq(opened_node(&o, "vocab/tokens/5"), 0);
    ck_assert_uint_eq(opened_node(&o, "vocab/tokens/04"), 0);
    ck_assert_uint_eq(opened_node(&o, "vocab/tokens/18446744073709551616"), 0);
    opened_end(&o);
}
END_TEST

START_TEST(vocabulary_in_all_forms)
{
    static const char *const tokens[] = {"<s>", "a\n", "\xFF", "<s>"};
    struct opened o;
    struct mk m;

    mk_start(&m, 3, true);
    mk_key_strs(&m, "tokenizer.ggml.tokens", tokens, COUNT(tokens));
    mk_key_array(&m, "tokenizer.ggml.scores", MK_F64, 4);
    for (unsigned i = 0; i < 4; i++)
        mk_f64(&m, (double)i / 2);
    mk_key_array(&m, "tokenizer.ggml.token_type", MK_U8, 4);
    mk_put(&m, "\1\2\3\4", 4);
    mk_key_strs(&m, "tokenizer.ggml.merges", (const char *const[]){"a b", "\t"}, 2);
    mk_key_int(&m, "tokenizer.ggml.bos_token_id", MK_U32, 0);
    mk_key_int(&m, "tokenizer.ggml.padding_token_id", MK_I32, -1);
    mk_key_int(&m, "tokenizer.ggml.unknown_token_id", MK_U8, 2);
    mk_key_str(&m, "tokenizer.chat_template", "{{ x }}\n");
    mk_key_str(&m, "tokenizer.chat_template.a/b", "");
    mk_key_int(&m, "tokenizer.chat_template.number", MK_U8, 1);
    mk_key_str(&m, "tokenizer.chat_template", "second");
    opened_start(&o, &m);
    opened_expect(&o, "vocab/tokens.txt", "<s>\na\\n\n\\xff\n<s>\n");
    opened_expect(&o, "metadata/tokenizer.ggml.tokens", "<s>\na\\n\n\\xff\n<s>\n");
    opened_expect(&o, "vocab/vocab.tsv",
                  "#id\ttype\tscore\ttoken\n0\t1\t0\t<s>\n1\t2\t0.5\ta\\n\n2\t3\t1\t\\xff\n"
                  "3\t4\t1.5\t<s>\n");
    opened_expect(&o, "vocab/vocab.json",
                  "{\n  \"<s>\": 0,\n  \"a\\n\": 1,\n  \"\xEF\xBF\xBD\": 2,\n  \"<s>\": 3\n}\n");
    opened_expect(&o, "vocab/special.tsv",
                  "#role\tid\ttoken\nbos\t0\t<s>\npad\t-1\t\nunk\t2\t\\xff\n");
    opened_expect(&o, "vocab/merges.txt", "a b\n\\t\n");
    opened_expect(&o, "vocab/chat_template.jinja", "{{ x }}\n");
    opened_expect(&o, "vocab/chat_template.a%2Fb.jinja", "");
    opened_expect(&o, "vocab/chat_template%~2.jinja", "second");
    ck_assert_uint_eq(opened_node(&o, "vocab/chat_template.number.jinja"), 0);
    ck_assert_uint_eq(opened_node(&o, "vocab/chat_template.jinja%~2"), 0);
    opened_end(&o);
}
END_TEST

/* A small file could otherwise make a text of terabytes. */
START_TEST(special_tokens_have_an_end)
{
    struct opened o;
    char name[64];
    struct mk m;
    size_t n;

    mk_start(&m, 3, false);
    mk_key_strs(&m, "tokenizer.ggml.tokens", (const char *const[]){"x"}, 1);
    for (int i = 0; i < 300; i++) {
        snprintf(name, sizeof name, "tokenizer.ggml.r%d_token_id", i);
        mk_key_int(&m, name, MK_U8, 0);
    }
    opened_start(&o, &m);
    ck_assert_uint_eq(o.tree->vocab.n_specials, GGFS_VOCAB_SPECIALS);
    free(opened_text(&o, "vocab/special.tsv", &n));
    ck_assert_uint_eq(n, 15 + 10 * 7 + 90 * 8 + 156 * 9);
    opened_end(&o);
}
END_TEST

START_TEST(template_without_vocabulary)
{
    struct ggfs_tree_entry entry;
    struct opened o;

    opened_kind(&o, "template-only", 0);
    opened_expect(&o, "vocab/chat_template.jinja", "{{ messages }}\n");
    ck_assert(ggfs_tree_entry(o.tree, opened_node(&o, "vocab"), 0, &entry, NULL));
    ck_assert_str_eq(entry.name, "chat_template.jinja");
    ck_assert(ggfs_tree_entry(o.tree, opened_node(&o, "vocab"), 1, &entry, NULL));
    ck_assert_uint_eq(entry.node, 0);
    opened_end(&o);
}
END_TEST

START_TEST(vocabulary_without_tokens)
{
    struct opened o;
    struct mk m;

    mk_start(&m, 3, false);
    mk_key_array(&m, "tokenizer.ggml.tokens", MK_STR, 0);
    opened_start(&o, &m);
    opened_expect(&o, "vocab/tokens.txt", "");
    opened_expect(&o, "vocab/vocab.tsv", "#id\ttype\tscore\ttoken\n");
    opened_expect(&o, "vocab/vocab.json", "{\n}\n");
    opened_expect(&o, "vocab/special.tsv", "#role\tid\ttoken\n");
    ck_assert(opened_node(&o, "vocab/tokens") && opened_node(&o, "vocab/ids"));
    ck_assert_uint_eq(opened_node(&o, "vocab/scores.f32"), 0);
    opened_end(&o);
}
END_TEST

/* n elements are n lines. */
START_TEST(elements_are_lines)
{
    static const char *const paths[] = {"metadata.tsv", "tensors.tsv", "vocab/tokens.txt",
                                        "vocab/vocab.tsv", "vocab/special.tsv"};
    struct opened o;

    opened_kind(&o, "sample", 0);
    for (size_t i = 0; i < COUNT(paths); i++) {
        uint64_t expected[] = {o.model->n_keys + 1, o.model->n_tensors + 1, o.tree->vocab.n,
                               o.tree->vocab.n + 1, o.tree->vocab.n_specials + 1};
        uint64_t lines = 0;
        size_t n;
        char *text = opened_text(&o, paths[i], &n);
        for (size_t k = 0; k < n; k++)
            lines += text[k] == '\n';
        ck_assert_msg(lines == expected[i], "%s: %llu lines", paths[i], (unsigned long long)lines);
        free(text);
    }
    opened_end(&o);
}
END_TEST

/* The twin of the other byte order has the same metadata. */
START_TEST(byte_order_does_not_show)
{
    struct opened little, big;

    opened_kind(&little, "sample", 0);
    opened_kind(&big, "sample-be", 0);
    for (uint32_t i = 0; i < little.model->n_keys; i++) {
        struct ggfs_tree_entry entry;
        char path[300], *text;
        ck_assert(ggfs_tree_entry(little.tree, opened_node(&little, "metadata"), i, &entry, NULL));
        snprintf(path, sizeof path, "metadata/%s", entry.name);
        text = opened_text(&little, path, NULL);
        opened_expect(&big, path, text);
        free(text);
    }
    opened_end(&little);
    opened_end(&big);
}
END_TEST

/* Steps, by which the cost of a read is bounded. */

/* A model in which everything that can be long is long. */
static void put_long(struct mk *m, char *text)
{
    static const uint64_t dims[] = {8};

    mk_start(m, 3, false);
    mk_key(m, "general.architecture", MK_STR);
    mk_string_n(m, text, LONG);
    mk_key(m, "general.name", MK_STR);
    mk_string_n(m, text, LONG);
    mk_key_n(m, text, LONG, MK_STR);
    mk_string_n(m, text, LONG);
    mk_key_n(m, text, LONG, MK_BOOL);
    mk_u8(m, 1);
    mk_key_array(m, "tokenizer.ggml.tokens", MK_STR, 2);
    mk_string_n(m, text, LONG);
    mk_string(m, "");
    mk_key_strs(m, "tokenizer.ggml.merges", (const char *const[]){"a b"}, 1);
    memcpy(text, "tokenizer.ggml.", 15);
    memcpy(text + LONG - 9, "_token_id", 9);
    mk_key_n(m, text, LONG, MK_U32);
    mk_u32(m, 0);
    mk_tensor_n(m, text, LONG, MK_T_F32, 1, dims, 0);
    mk_tensor_n(m, text, LONG, 4, 1, dims, 0);
    mk_data(m);
    mk_zeros(m, 32);
}

/* The most that a step of this text puts out. */
static uint64_t largest_step(const struct ggfs_tree *tree, unsigned kind, uint64_t index,
                             uint64_t *total)
{
    struct ggfs_text_at at = {0};
    uint64_t largest = 0, before = 0;
    struct ggfs_sink out;
    bool more;

    ggfs_sink_count(&out);
    do {
        more = ggfs_kinds[kind].step(tree, index, &at, &out);
        if (out.total - before > largest)
            largest = out.total - before;
        before = out.total;
    } while (more);
    *total = out.total;
    return largest;
}

START_TEST(no_step_is_long)
{
    /* Bytes that become three and six. */
    static const uint8_t fills[] = {'x', 0xFF, 0x01};
    char *text = malloc(LONG);

    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < COUNT(fills); i++) {
        struct opened o;
        struct mk m;
        memset(text, fills[i], LONG);
        put_long(&m, text);
        opened_start(&o, &m);
        ck_assert(opened_read_all(&o)); /* makes the names, which some texts show */
        for (unsigned kind = 0; kind < GGFS_KIND_COUNT; kind++) {
            uint64_t total = 0, count = ggfs_kinds[kind].count(o.tree);
            for (uint64_t index = 0; ggfs_kinds[kind].step && index < count; index++)
                ck_assert_msg(largest_step(o.tree, kind, index, &total) <= 32 * 1024,
                              "kind %u has a step of more than 32 KiB", kind);
        }
        opened_end(&o);
    }
    free(text);
}
END_TEST

/* Characters of three bytes, so that pieces of 4 KiB would cut them. */
START_TEST(long_texts_are_complete)
{
    size_t length = LONG / 3 * 3, n;
    char *text = malloc(length);
    struct opened o;
    struct mk m;

    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < length; i += 3)
        memcpy(text + i, "\xE2\x96\x81", 3);
    mk_start(&m, 3, false);
    mk_key_n(&m, text, length, MK_STR);
    mk_string_n(&m, text, length);
    opened_start(&o, &m);
    free(text);
    text = opened_text(&o, "metadata.json", &n);
    ck_assert_uint_eq(n, strlen("{\n  \"\": \"\"\n}\n") + 2 * length);
    ck_assert_ptr_null(strstr(text, "\xEF\xBF\xBD"));
    free(text);
    text = opened_text(&o, "metadata.tsv", &n);
    ck_assert_uint_eq(n, strlen("#key\ttype\tcount\tvalue\n\tstr\t1\t\n") + length + 180);
    free(text);
    opened_end(&o);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        scalars_as_text,
        arrays_as_lines,
        metadata_as_json,
        json_names_differ,
        metadata_as_tsv,
        excerpts_have_60_code_points,
        excerpts_of_arrays_cross_lines,
        tensors_as_text,
        json_is_read_back,
        json_says_what_the_records_say,
        format_is_one_line,
        summary_of_a_model,
        summary_of_nothing,
        vocabulary_with_everything_wrong,
        vocabulary_in_all_forms,
        special_tokens_have_an_end,
        template_without_vocabulary,
        vocabulary_without_tokens,
        elements_are_lines,
        byte_order_does_not_show,
        no_step_is_long,
        long_texts_are_complete,
    };

    return suite_run("render", tests, COUNT(tests));
}
