/* SPDX-License-Identifier: MIT */
/* check_text.c - numbers as text, UTF-8, the line escape and JSON strings. */
#include <config.h>

#include "base/num.h"
#include "base/text.h"
#include "mkmodel.h"
#include "suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *f32_text(float value)
{
    static char out[GGFS_TEXT_NUMBER + 1];

    out[ggfs_text_f32(out, value)] = '\0';
    return out;
}

static const char *f64_text(double value)
{
    static char out[GGFS_TEXT_NUMBER + 1];

    out[ggfs_text_f64(out, value)] = '\0';
    return out;
}

START_TEST(integers_are_exact)
{
    char out[GGFS_TEXT_NUMBER];

    ck_assert_mem_eq(out, "0", ggfs_text_u64(out, 0));
    ck_assert_uint_eq(ggfs_text_u64(out, UINT64_MAX), 20);
    ck_assert_mem_eq(out, "18446744073709551615", 20);
    ck_assert_uint_eq(ggfs_text_i64(out, INT64_MIN), 20);
    ck_assert_mem_eq(out, "-9223372036854775808", 20);
    ck_assert_mem_eq(out, "-1", ggfs_text_i64(out, -1));
    ck_assert_mem_eq(out, "9007199254740993", ggfs_text_i64(out, INT64_C(9007199254740993)));
}
END_TEST

START_TEST(floats_are_those_of_python)
{
    static const struct {
        float value;
        const char *text;
    } cases[] = {
        {0.0f, "0"},
        {-0.0f, "-0"},
        {1.0f, "1"},
        {-2.5f, "-2.5"},
        {0.1f, "0.1"},
        {1e-4f, "0.0001"},
        {1e-5f, "1e-05"},
        {1.5e-5f, "1.5e-05"},
        {16777216.0f, "16777216"},
        {33554432.0f, "33554432"},
        {1e10f, "10000000000"},
        {1e15f, "1000000000000000"},
        {9.99e15f, "9990000000000000"},
        {1e16f, "1e+16"},
        {3.4028235e38f, "3.4028235e+38"},
        {1e-45f, "1e-45"},
        {1.1754944e-38f, "1.1754944e-38"},
        {5.9604645e-08f, "5.9604645e-08"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
        {NAN, "nan"},
    };

    for (size_t i = 0; i < COUNT(cases); i++)
        ck_assert_str_eq(f32_text(cases[i].value), cases[i].text);
    ck_assert_str_eq(f32_text(-NAN), "nan");
}
END_TEST

START_TEST(doubles_are_those_of_python)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0.1, "0.1"},
        {1.0 / 3, "0.3333333333333333"},
        {1e15, "1000000000000000"},
        {1e16, "1e+16"},
        {123456789012345680.0, "1.2345678901234568e+17"},
        {5e-324, "5e-324"},
        {2.2250738585072014e-308, "2.2250738585072014e-308"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
        {9007199254740993.0, "9007199254740992"},
        {0.0001, "0.0001"},
        {0.00001, "1e-05"},
        {9.5367431640625e-07, "9.5367431640625e-07"},
        {2e-323, "2e-323"},
        {-1e-100, "-1e-100"},
    };

    for (size_t i = 0; i < COUNT(cases); i++)
        ck_assert_str_eq(f64_text(cases[i].value), cases[i].text);
}
END_TEST

/* The digits of text without sign, point, exponent and the zeros around them. */
static void significant(const char *text, char out[64])
{
    size_t n = 0;

    for (; *text && *text != 'e'; text++)
        if (*text >= (n ? '0' : '1') && *text <= '9')
            out[n++] = *text;
    while (n > 0 && out[n - 1] == '0')
        n--;
    out[n] = '\0';
}

static double read_back(const char *text, bool single)
{
    return single ? (double)strtof(text, NULL) : strtod(text, NULL);
}

/* What printf and strtod find: the nearest decimal of the fewest digits that reads back. Below a
 * power of two, where floats lie closer, one that is not the nearest may do with a digit less. */
static void expect_shortest(double value, bool single)
{
    const char *text = single ? f32_text((float)value) : f64_text(value);
    char nearest[64], wanted[64], got[64];
    int digits = 0, exponent;

    do
        snprintf(nearest, sizeof nearest, "%.*e", digits++, value);
    while (read_back(nearest, single) != value);
    significant(nearest, wanted);
    significant(text, got);
    ck_assert_msg(read_back(text, single) == value, "%s is not %.17g", text, value);
    ck_assert_msg(strcmp(got, wanted) == 0 ||
                      (frexp(value, &exponent) == 0.5 && strlen(got) < strlen(wanted)),
                  "%s, not %s", text, nearest);
}

static void expect_around(double value)
{
    expect_shortest(value, false);
    expect_shortest(nextafter(value, INFINITY), false);
    expect_shortest(nextafter(value, 0), false);
    if (value <= 0x1p127 && value >= 0x1p-148) {
        expect_shortest((double)(float)value, true);
        expect_shortest((double)nextafterf((float)value, INFINITY), true);
        expect_shortest((double)nextafterf((float)value, 0), true);
    }
}

/* The ends of the range, where intervals are lopsided, and where decimals are exact. */
START_TEST(floats_around_powers_are_shortest)
{
    for (int i = -1073; i <= 1023; i++)
        expect_around(ldexp(1, i));
    for (int i = -323; i <= 308; i++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", i);
        expect_around(strtod(text, NULL));
    }
}
END_TEST

START_TEST(random_floats_are_shortest)
{
    struct mk m = {.seed = 20261207};

    for (unsigned i = 0; i < 20000; i++) {
        uint64_t bits = mk_random(&m) & INT64_MAX;
        float single = ggfs_num_f32((uint32_t)bits & INT32_MAX);
        double value = ggfs_num_f64(bits);
        if (isfinite(single) && single > 0)
            expect_shortest((double)single, true);
        if (isfinite(value) && value > 0)
            expect_shortest(value, false);
    }
}
END_TEST

START_TEST(powers_of_two_read_back)
{
    for (int e = -149; e < 128; e++)
        ck_assert_float_eq(strtof(f32_text(ldexpf(1, e)), NULL), ldexpf(1, e));
    for (int e = -1074; e < 1024; e++)
        ck_assert_double_eq(strtod(f64_text(ldexp(1, e)), NULL), ldexp(1, e));
    /* The shortest is not the nearest of its length here. */
    ck_assert_str_eq(f64_text(ldexp(1, -44)), "5.684341886080802e-14");
    ck_assert_str_eq(f64_text(9007199254740992.0 * 2), "1.8014398509481984e+16");
}
END_TEST

START_TEST(utf8_is_that_of_rfc_3629)
{
    static const struct {
        const char *bytes;
        size_t n, length;
    } cases[] = {
        {"a", 1, 1},
        {"\0", 1, 1},
        {"\x7F", 1, 1},
        {"\x80", 1, 0},
        {"\xC0\x80", 2, 0},
        {"\xC1\xBF", 2, 0},
        {"\xC2\x80", 2, 2},
        {"\xC2", 1, 0},
        {"\xC2\x41", 2, 0},
        {"\xE0\x9F\xBF", 3, 0},
        {"\xE0\xA0\x80", 3, 3},
        {"\xED\x9F\xBF", 3, 3},
        {"\xED\xA0\x80", 3, 0},
        {"\xEF\xBF\xBF", 3, 3},
        {"\xE2\x82", 2, 0},
        {"\xF0\x8F\xBF\xBF", 4, 0},
        {"\xF0\x90\x80\x80", 4, 4},
        {"\xF4\x8F\xBF\xBF", 4, 4},
        {"\xF4\x90\x80\x80", 4, 0},
        {"\xF5\x80\x80\x80", 4, 0},
        {"\xF0\x9F\xA6\x41", 4, 0},
        {"\xFF", 1, 0},
        {"", 0, 0},
    };

    for (size_t i = 0; i < COUNT(cases); i++)
        ck_assert_uint_eq(ggfs_text_utf8(cases[i].bytes, cases[i].n), cases[i].length);
}
END_TEST

static struct ggfs_str rendered(void (*render)(struct ggfs_sink *, struct ggfs_str),
                                struct ggfs_str s)
{
    static char out[4096];
    struct ggfs_sink sink;

    ggfs_sink_window(&sink, 0, out, sizeof out);
    render(&sink, s);
    return (struct ggfs_str){out, sink.got};
}

static void expect(void (*render)(struct ggfs_sink *, struct ggfs_str), struct ggfs_str from,
                   struct ggfs_str to)
{
    struct ggfs_str got = rendered(render, from);

    ck_assert_uint_eq(got.len, to.len);
    ck_assert_mem_eq(got.ptr, to.ptr, to.len);
}

START_TEST(escape_keeps_one_line)
{
    expect(ggfs_text_escape, GGFS_STR("a\\b\nc\rd\te"), GGFS_STR("a\\\\b\\nc\\rd\\te"));
    expect(ggfs_text_escape, GGFS_STR("\0\x1b\x7f"), GGFS_STR("\\x00\\x1b\\x7f"));
    expect(ggfs_text_escape, GGFS_STR("\xC3\x28\xE2\x82"), GGFS_STR("\\xc3(\\xe2\\x82"));
    expect(ggfs_text_escape, GGFS_STR("\xC2\x85\xE2\x80\xA8\xE2\x82\xAC"),
           GGFS_STR("\xC2\x85\xE2\x80\xA8\xE2\x82\xAC"));
    expect(ggfs_text_escape, GGFS_STR("\"/%"), GGFS_STR("\"/%"));
    expect(ggfs_text_escape, GGFS_STR(""), GGFS_STR(""));
}
END_TEST

START_TEST(json_is_strict)
{
    expect(ggfs_text_json_string, GGFS_STR("a\"\\/\n\r\t"), GGFS_STR("\"a\\\"\\\\/\\n\\r\\t\""));
    expect(ggfs_text_json, GGFS_STR("\0\b\x1f\x7f"), GGFS_STR("\\u0000\\u0008\\u001f\\u007f"));
    expect(ggfs_text_json, GGFS_STR("\xC3(\xFF\xFE"),
           GGFS_STR("\xEF\xBF\xBD(\xEF\xBF\xBD\xEF\xBF\xBD"));
    expect(ggfs_text_json, GGFS_STR("\xED\xA0\x80"),
           GGFS_STR("\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"));
}
END_TEST

/* As it stands in a sentence, before that is escaped. */
START_TEST(shell_words)
{
    expect(ggfs_text_shell, GGFS_STR("/mnt/a-b_c.d"), GGFS_STR("/mnt/a-b_c.d"));
    expect(ggfs_text_shell, GGFS_STR("/mnt/\xE2\x82\xAC"), GGFS_STR("/mnt/\xE2\x82\xAC"));
    expect(ggfs_text_shell, GGFS_STR("a b$c"), GGFS_STR("'a b$c'"));
    expect(ggfs_text_shell, GGFS_STR("it's"), GGFS_STR("'it'\"'\"'s'"));
    expect(ggfs_text_shell, GGFS_STR("it's\n\\"), GGFS_STR("$'it'\"'\"$'s\n\\'"));
    expect(ggfs_text_shell, GGFS_STR("\xFF"), GGFS_STR("$'\xFF'"));
    expect(ggfs_text_shell, GGFS_STR("-a b"), GGFS_STR("./'-a b'"));
    expect(ggfs_text_shell, GGFS_STR(""), GGFS_STR("''"));
}
END_TEST

/* What the escape made, undone. */
static size_t unescape(const char *from, size_t n, char *to)
{
    size_t used = 0;

    for (size_t i = 0; i < n; i++) {
        static const char letters[] = "nrt\\", bytes[] = "\n\r\t\\";
        char hex[3] = {0};
        if (from[i] != '\\') {
            to[used++] = from[i];
        } else if (from[++i] == 'x') {
            memcpy(hex, from + i + 1, 2);
            to[used++] = (char)strtoul(hex, NULL, 16);
            i += 2;
        } else {
            to[used++] = bytes[strchr(letters, from[i]) - letters];
        }
    }
    return used;
}

START_TEST(escape_can_be_undone)
{
    struct mk m = {.seed = 77};

    for (unsigned round = 0; round < 2000; round++) {
        char from[64], back[64];
        struct ggfs_str text = {from, mk_random(&m) % sizeof from}, got;
        for (size_t i = 0; i < text.len; i++)
            from[i] = (char)(mk_random(&m) >> (mk_random(&m) % 3 ? 57 : 56));
        got = rendered(ggfs_text_escape, text);
        for (size_t i = 0; i < got.len; i++)
            ck_assert_uint_ge((unsigned char)got.ptr[i], 0x20);
        ck_assert_uint_eq(unescape(got.ptr, got.len, back), text.len);
        ck_assert_msg(memcmp(back, from, text.len) == 0, "seed 77, round %u", round);
    }
}
END_TEST

/* A string rendered in pieces is the string rendered whole. */
START_TEST(pieces_make_the_whole)
{
    static const char text[] =
        "ab\xC2\x85\xE2\x82\xAC\xF0\x9F\xA6\x99\x80\x80\x80\x80\xE2\x82z\xC3";
    struct ggfs_str s = {text, sizeof text - 1}, whole = rendered(ggfs_text_escape, s);
    char kept[256], out[256];

    memcpy(kept, whole.ptr, whole.len);
    for (size_t n = 1; n < s.len + 2; n++) {
        struct ggfs_sink sink;
        ggfs_sink_window(&sink, 0, out, sizeof out);
        for (size_t at = 0; at < s.len;) {
            struct ggfs_str left = {s.ptr + at, s.len - at};
            left.len = ggfs_text_piece(left, n);
            ck_assert_uint_ge(left.len, 1);
            ggfs_text_escape(&sink, left);
            at += left.len;
        }
        if (n >= 4) {
            ck_assert_uint_eq(sink.got, whole.len);
            ck_assert_mem_eq(out, kept, whole.len);
        }
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        integers_are_exact,
        floats_are_those_of_python,
        doubles_are_those_of_python,
        floats_around_powers_are_shortest,
        random_floats_are_shortest,
        powers_of_two_read_back,
        utf8_is_that_of_rfc_3629,
        escape_keeps_one_line,
        shell_words,
        json_is_strict,
        escape_can_be_undone,
        pieces_make_the_whole,
    };

    return suite_run("text", tests, COUNT(tests));
}
