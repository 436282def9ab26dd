/* SPDX-License-Identifier: MIT */
/* check_names.c - file names from names in a model, and back. */
#include <config.h>

#include "base/text.h"
#include "suite.h"
#include "tree/names.h"

#include <stdio.h>
#include <string.h>

#define STR(text) {text, sizeof(text) - 1}

static struct ggfs_str file_of(struct ggfs_str raw, uint32_t repeat, struct ggfs_str suffix)
{
    static char out[GGFS_NAMES_MAX + 1];
    size_t n = ggfs_names_file(raw, repeat, suffix, out);

    ck_assert_uint_le(n, GGFS_NAMES_MAX);
    return (struct ggfs_str){out, n};
}

static void expect_file(struct ggfs_str raw, uint32_t repeat, struct ggfs_str suffix,
                        struct ggfs_str expected)
{
    struct ggfs_str file = file_of(raw, repeat, suffix);

    ck_assert_msg(ggfs_str_equal(file, expected), "`%.*s`, not `%.*s`", (int)file.len, file.ptr,
                  (int)expected.len, expected.ptr);
}

START_TEST(hashes_are_those_of_fnv_1a)
{
    ck_assert_uint_eq(ggfs_names_hash(GGFS_STR("")), UINT64_C(0xcbf29ce484222325));
    ck_assert_uint_eq(ggfs_names_hash(GGFS_STR("a")), UINT64_C(0xaf63dc4c8601ec8c));
    ck_assert_uint_eq(ggfs_names_hash(GGFS_STR("foobar")), UINT64_C(0x85944171f73967e8));
    ck_assert_uint_eq(ggfs_names_hash(GGFS_STR("\xFF")), UINT64_C(0xaf64724c8602eb6e));
}
END_TEST

START_TEST(exact_names)
{
    static const struct {
        struct ggfs_str raw;
        uint32_t repeat;
        struct ggfs_str suffix, file;
    } cases[] = {
        {STR("blk.0.attn_q.weight"), 1, STR(""), STR("blk.0.attn_q.weight")},
        {STR("blk.0.attn_q.weight"), 1, STR(".f32"), STR("blk.0.attn_q.weight.f32")},
        {STR("a/b"), 1, STR(""), STR("a%2Fb")},
        {STR("/"), 1, STR(""), STR("%2F")},
        {STR("a\0b"), 1, STR(""), STR("a%00b")},
        {STR("%"), 1, STR(""), STR("%25")},
        {STR("a%2Fb"), 1, STR(""), STR("a%252Fb")},
        {STR("."), 1, STR(""), STR("%2E")},
        {STR(".."), 1, STR(""), STR("%2E%2E")},
        {STR("..."), 1, STR(""), STR("...")},
        {STR("./"), 1, STR(""), STR(".%2F")},
        {STR("../x"), 1, STR(""), STR("..%2Fx")},
        {STR(".hidden"), 1, STR(""), STR(".hidden")},
        {STR("."), 1, STR(".f32"), STR("%2E.f32")},
        {STR(".."), 3, STR(".npy"), STR("%2E%2E%~3.npy")},
        {STR(""), 1, STR(""), STR("%")},
        {STR(""), 2, STR(""), STR("%%~2")},
        {STR(""), 1, STR(".f32"), STR("%.f32")},
        {STR("w"), 2, STR(""), STR("w%~2")},
        {STR("w"), 2, STR(".f32"), STR("w%~2.f32")},
        {STR("w"), 4294967295, STR(""), STR("w%~4294967295")},
        {STR("w%~2"), 1, STR(""), STR("w%25~2")},
        {STR("w~2"), 1, STR(""), STR("w~2")},
        {STR("\n"), 1, STR(""), STR("\n")},
        {STR("\xC3\x28\xFF"), 1, STR(""), STR("\xC3\x28\xFF")},
        {STR("\xE2\x96\x81the"), 1, STR(""), STR("\xE2\x96\x81the")},
        {STR(" "), 1, STR(""), STR(" ")},
        {STR("-rf"), 1, STR(""), STR("-rf")},
        {STR("\\"), 1, STR(""), STR("\\")},
        {STR("a.f32"), 1, STR(".f32"), STR("a.f32.f32")},
    };

    for (size_t i = 0; i < COUNT(cases); i++)
        expect_file(cases[i].raw, cases[i].repeat, cases[i].suffix, cases[i].file);
}
END_TEST

/* A name of n times `part` and its file name of count times `escaped`, the hash and the rest. */
static void expect_cut(const char *part, size_t n, uint32_t repeat, const char *suffix,
                       const char *escaped, size_t count)
{
    char raw[1024], expected[512];
    struct ggfs_str name = {raw, 0};
    size_t length = 0;

    for (size_t i = 0; i < n; i++) {
        memcpy(raw + name.len, part, strlen(part));
        name.len += strlen(part);
    }
    for (size_t i = 0; i < count; i++)
        length += (size_t)snprintf(expected + length, sizeof expected - length, "%s", escaped);
    length += (size_t)snprintf(expected + length, sizeof expected - length, "%%~%016llx",
                               (unsigned long long)ggfs_names_hash(name));
    if (repeat > 1)
        length += (size_t)snprintf(expected + length, sizeof expected - length, "%%~%u", repeat);
    length += (size_t)snprintf(expected + length, sizeof expected - length, "%s", suffix);
    expect_file(name, repeat, ggfs_str_from(suffix), (struct ggfs_str){expected, length});
}

START_TEST(long_names_are_cut)
{
    expect_cut("x", 256, 1, "", "x", 255 - 18);
    expect_cut("x", 1000, 1, "", "x", 255 - 18);
    expect_cut("x", 252, 1, ".f32", "x", 255 - 18 - 4);
    expect_cut("x", 253, 2, "", "x", 255 - 18 - 3);
    expect_cut("x", 249, 2, ".f32", "x", 255 - 18 - 3 - 4);
    expect_cut("x", 300, 4294967295, ".jinja", "x", 255 - 18 - 12 - 6);
    /* 237 bytes hold 79 escapes of three bytes. */
    expect_cut("/", 86, 1, "", "%2F", 79);
    expect_cut("/", 86, 1, ".f32", "%2F", 77); /* 233 bytes: two left over */
    expect_cut("\xE2\x96\x81", 100, 1, "", "\xE2\x96\x81", 79);
    expect_cut("\xE2\x96\x81", 100, 2, "", "\xE2\x96\x81", 78);
    expect_cut("\xF0\x9F\xA6\x99", 100, 1, "", "\xF0\x9F\xA6\x99", 59);
    expect_cut("\xC3\xA9", 200, 1, "", "\xC3\xA9", 118);
    /* Bytes that begin no character are cut anywhere. */
    expect_cut("\x96", 300, 1, "", "\x96", 237);
    expect_cut("\xE2", 300, 1, "", "\xE2", 237);
}
END_TEST

START_TEST(names_of_255_bytes_stay)
{
    char raw[256];

    memset(raw, 'x', sizeof raw);
    expect_file((struct ggfs_str){raw, 255}, 1, GGFS_STR(""), (struct ggfs_str){raw, 255});
    ck_assert(!ggfs_names_is_long((struct ggfs_str){raw, 255}, 1, GGFS_STR("")));
    ck_assert(ggfs_names_is_long((struct ggfs_str){raw, 256}, 1, GGFS_STR("")));
    ck_assert(!ggfs_names_is_long((struct ggfs_str){raw, 251}, 1, GGFS_STR(".f32")));
    ck_assert(ggfs_names_is_long((struct ggfs_str){raw, 252}, 1, GGFS_STR(".f32")));
    ck_assert(!ggfs_names_is_long((struct ggfs_str){raw, 248}, 2, GGFS_STR(".f32")));
    ck_assert(ggfs_names_is_long((struct ggfs_str){raw, 249}, 2, GGFS_STR(".f32")));
    ck_assert(!ggfs_names_is_long((struct ggfs_str){raw, 247}, 10, GGFS_STR(".f32")));
    ck_assert(ggfs_names_is_long((struct ggfs_str){raw, 248}, 10, GGFS_STR(".f32")));
    memset(raw, '%', 85);
    ck_assert(!ggfs_names_is_long((struct ggfs_str){raw, 85}, 1, GGFS_STR("")));
    ck_assert_uint_eq(ggfs_names_escaped_length((struct ggfs_str){raw, 85}), 255);
}
END_TEST

/* A random name: bytes that matter to the escape, characters, and any bytes. */
static size_t random_name(uint64_t *seed, char *raw)
{
    static const struct ggfs_str parts[] = {
        STR("/"), STR("%"), STR("."), STR("~"), STR("%~"), STR("%~2"), STR("\0"), STR("2F"),
        STR("%2F"), STR("a"), STR("weight"), STR("\xE2\x96\x81"), STR("\xF0\x9F\xA6\x99"),
        STR("\xC3"), STR("\n"), STR(".f32"), STR("%00"), STR("%~0123456789abcdef"),
    };
    size_t n = 0;

    for (uint64_t left = suite_below(seed, suite_below(seed, 4) ? 8 : 120); left > 0; left--) {
        struct ggfs_str part = parts[suite_below(seed, COUNT(parts))];
        memcpy(raw + n, part.ptr, part.len);
        n += part.len;
        if (suite_below(seed, 5) == 0)
            raw[n++] = (char)suite_random(seed);
    }
    return n;
}

/* What a file name must be, whatever it comes from. */
static void check_file_name(struct ggfs_str file)
{
    ck_assert_uint_gt(file.len, 0);
    ck_assert_uint_le(file.len, 255);
    ck_assert_ptr_null(memchr(file.ptr, '/', file.len));
    ck_assert_ptr_null(memchr(file.ptr, '\0', file.len));
    ck_assert(!ggfs_str_equal(file, GGFS_STR(".")));
    ck_assert(!ggfs_str_equal(file, GGFS_STR("..")));
}

START_TEST(names_come_back)
{
    static const struct ggfs_str suffixes[] = {STR(""), STR(".f32"), STR(".npy"), STR(".jinja")};
    uint64_t seed = suite_seed();

    for (int round = 0; round < 30000; round++) {
        struct ggfs_str suffix = suffixes[suite_below(&seed, COUNT(suffixes))], file, raw;
        uint32_t repeat = suite_below(&seed, 3) ? 1 : 1 + (uint32_t)(suite_random(&seed) >> 40);
        struct ggfs_names_parts parts;
        char bytes[4096];
        raw = (struct ggfs_str){bytes, random_name(&seed, bytes)};
        file = file_of(raw, repeat, suffix);
        check_file_name(file);
        ck_assert(ggfs_names_parse(file, suffix, &parts));
        ck_assert_uint_eq(parts.repeat, repeat);
        ck_assert_int_eq(parts.hashed, ggfs_names_is_long(raw, repeat, suffix));
        if (parts.hashed)
            ck_assert_uint_eq(parts.hash, ggfs_names_hash(raw));
        else
            ck_assert(ggfs_str_equal((struct ggfs_str){parts.raw, parts.raw_len}, raw));
    }
}
END_TEST

/* Where in the cut name's escape a character or an escape begins, its end is there too. */
static void check_whole(struct ggfs_str raw, struct ggfs_str stem)
{
    size_t i = 0, r = 0;

    while (i < stem.len) {
        size_t step = ggfs_text_utf8(raw.ptr + r, raw.len - r);
        if (stem.ptr[i] == '%') {
            i += 3;
            r++;
            continue;
        }
        i += step ? step : 1;
        r += step ? step : 1;
    }
    ck_assert_uint_eq(i, stem.len);
}

START_TEST(cuts_keep_characters_whole)
{
    uint64_t seed = suite_seed();

    for (int round = 0; round < 20000; round++) {
        struct ggfs_str raw, file;
        char bytes[4096];
        raw = (struct ggfs_str){bytes, random_name(&seed, bytes)};
        if (!ggfs_names_is_long(raw, 1, GGFS_STR("")))
            continue;
        file = file_of(raw, 1, GGFS_STR(""));
        ck_assert_uint_ge(file.len, 255 - 3);
        check_whole(raw, (struct ggfs_str){file.ptr, file.len - 18});
    }
}
END_TEST

START_TEST(what_is_no_name)
{
    static const struct {
        struct ggfs_str file, suffix;
    } cases[] = {
        {STR("w"), STR(".f32")},
        {STR(".f32"), STR(".f32")},
        {STR(""), STR("")},
        {STR("w%"), STR("")},
        {STR("w%2"), STR("")},
        {STR("w%2G"), STR("")},
        {STR("w%~"), STR("")},
        {STR("w%~x"), STR("")},
        {STR("w%~-1"), STR("")},
        {STR("w%~4294967296"), STR("")},
        {STR("w%~99999999999"), STR("")},
        {STR("w%~2%~3"), STR("")},
        {STR("w%~000000000000000g"), STR("")},
        {STR("w%~000000000000000F"), STR("")},
        {STR("w%~2.f32x"), STR(".f32")},
    };
    struct ggfs_names_parts parts;
    char longest[300];

    for (size_t i = 0; i < COUNT(cases); i++)
        ck_assert_msg(!ggfs_names_parse(cases[i].file, cases[i].suffix, &parts), "%s",
                      cases[i].file.ptr);
    memset(longest, 'x', sizeof longest);
    ck_assert(!ggfs_names_parse((struct ggfs_str){longest, 256}, GGFS_STR(""), &parts));
}
END_TEST

START_TEST(no_file_name_crashes_the_parser)
{
    uint64_t seed = suite_seed();

    for (int round = 0; round < 30000; round++) {
        struct ggfs_names_parts parts;
        char bytes[4096];
        size_t n = random_name(&seed, bytes);
        if (ggfs_names_parse((struct ggfs_str){bytes, n}, GGFS_STR(""), &parts) && !parts.hashed)
            ck_assert_uint_le(parts.raw_len, 255);
        ggfs_names_parse((struct ggfs_str){bytes, n}, GGFS_STR(".f32"), &parts);
    }
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        hashes_are_those_of_fnv_1a,
        exact_names,
        long_names_are_cut,
        names_of_255_bytes_stay,
        names_come_back,
        cuts_keep_characters_whole,
        what_is_no_name,
        no_file_name_crashes_the_parser,
    };

    return suite_run("names", tests, COUNT(tests));
}
