/* SPDX-License-Identifier: MIT */
/* check_index.c - every name of a family has one distinct file name, and is found by it. */
#include <config.h>

#include "base/mem.h"
#include "suite.h"
#include "tree/index.h"
#include "tree/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STR(text) {text, sizeof(text) - 1}

struct list {
    struct ggfs_str *names;
    uint32_t n;
};

static struct ggfs_str name_at(const void *context, uint32_t i)
{
    const struct list *list = context;

    return list->names[i];
}

static void make(struct ggfs_index *index, const struct list *list)
{
    struct ggfs_err err;

    ggfs_err_init(&err, NULL);
    ck_assert(ggfs_index_make(index, list->n, name_at, list, &err));
}

static struct ggfs_str file_of(const struct ggfs_index *index, uint32_t item,
                               struct ggfs_str suffix, char out[255])
{
    size_t n = ggfs_index_file(index, item, suffix, out);

    ck_assert_uint_le(n, 255);
    return (struct ggfs_str){out, n};
}

START_TEST(bearers_of_one_name_are_counted)
{
    static struct ggfs_str names[] = {STR("w"), STR("a"), STR("w"), STR("w%~2"), STR(""),
                                      STR("w"), STR(""),  STR("x")};
    static const char *const files[] = {"w", "a", "w%~2", "w%25~2", "%", "w%~3", "%%~2", "x"};
    static const uint32_t repeats[] = {1, 1, 2, 1, 1, 3, 2, 1};
    const struct list list = {names, COUNT(names)};
    struct ggfs_index index;
    char out[255];

    make(&index, &list);
    for (uint32_t i = 0; i < list.n; i++) {
        uint32_t item = UINT32_MAX;
        ck_assert_uint_eq(ggfs_index_repeat(&index, i), repeats[i]);
        ck_assert(ggfs_str_equal(file_of(&index, i, GGFS_STR(""), out), ggfs_str_from(files[i])));
        ck_assert(ggfs_index_find(&index, ggfs_str_from(files[i]), GGFS_STR(""), &item));
        ck_assert_uint_eq(item, i);
    }
    ggfs_index_free(&index);
}
END_TEST

/* Other spellings of names that are there lead nowhere. */
START_TEST(names_have_one_spelling)
{
    static struct ggfs_str names[] = {STR("w"), STR("w"), STR("a/b"), STR("."), STR(""), STR("%"),
                                      STR("A")};
    static const struct ggfs_str wrong[] = {
        STR("w%~1"), STR("w%~02"), STR("w%~0"),   STR("w%~3"), STR("%77"),  STR("a%2fb"),
        STR("a/b"),  STR("."),     STR("%2E%~1"), STR(""),     STR("%~1"),  STR("%~2"),
        STR("%25%~2"), STR("a"),   STR("%41"),    STR("%00"),  STR("w%~2%~2"), STR("w "),
        STR("w%~af63dc4c8601ec8c"), STR("%2E%2E"), STR("w%~4294967295"), STR("w%~4294967296"),
    };
    const struct list list = {names, COUNT(names)};
    struct ggfs_index index;
    uint32_t item;

    make(&index, &list);
    for (size_t i = 0; i < COUNT(wrong); i++)
        ck_assert_msg(!ggfs_index_find(&index, wrong[i], GGFS_STR(""), &item), "`%s` leads to %u",
                      wrong[i].ptr, item);
    ck_assert(ggfs_index_find(&index, GGFS_STR("w%~2.f32"), GGFS_STR(".f32"), &item));
    ck_assert_uint_eq(item, 1);
    ck_assert(!ggfs_index_find(&index, GGFS_STR("w.f32%~2"), GGFS_STR(".f32"), &item));
    ck_assert(!ggfs_index_find(&index, GGFS_STR("w"), GGFS_STR(".f32"), &item));
    ggfs_index_free(&index);
}
END_TEST

START_TEST(no_names_at_all)
{
    const struct list list = {NULL, 0};
    struct ggfs_index index;
    uint32_t item;

    make(&index, &list);
    ck_assert(!ggfs_index_find(&index, GGFS_STR("w"), GGFS_STR(""), &item));
    ck_assert(!ggfs_index_find(&index, GGFS_STR("w%~2"), GGFS_STR(""), &item));
    ck_assert(!ggfs_index_find(&index, GGFS_STR("w%~0123456789abcdef"), GGFS_STR(""), &item));
    ggfs_index_free(&index);
}
END_TEST

/* The hash of a name that is there, but short: it has no cut name. */
START_TEST(short_names_have_no_hash)
{
    char file[300];
    struct ggfs_str name;
    const struct list list = {&name, 1};
    struct ggfs_index index;
    uint32_t item;
    char raw[255];
    size_t n;

    memset(raw, 'x', sizeof raw);
    name = (struct ggfs_str){raw, 240};
    make(&index, &list);
    n = (size_t)snprintf(file, sizeof file, "%.237s%%~%016llx", raw,
                         (unsigned long long)ggfs_names_hash(name));
    ck_assert(!ggfs_index_find(&index, (struct ggfs_str){file, n}, GGFS_STR(""), &item));
    ck_assert(ggfs_index_find(&index, name, GGFS_STR(""), &item));
    ggfs_index_free(&index);
}
END_TEST

static int by_bytes(const void *a, const void *b)
{
    const struct ggfs_str *x = a, *y = b;

    return ggfs_str_compare(*x, *y);
}

/* All files are distinct and lead back, with each suffix. */
static void check_all(const struct list *list)
{
    static const struct ggfs_str suffixes[] = {STR(""), STR(".f32"), STR(".npy"), STR(".jinja")};
    struct ggfs_str *files = calloc(list->n, sizeof *files);
    char *bytes = calloc(list->n, 255);
    struct ggfs_index index;

    ck_assert(files && bytes);
    make(&index, list);
    for (size_t s = 0; s < COUNT(suffixes); s++) {
        for (uint32_t i = 0; i < list->n; i++) {
            uint32_t item = UINT32_MAX;
            files[i] = file_of(&index, i, suffixes[s], bytes + (size_t)i * 255);
            ck_assert_msg(ggfs_index_find(&index, files[i], suffixes[s], &item) && item == i,
                          "item %u, found %u", i, item);
        }
        qsort(files, list->n, sizeof *files, by_bytes);
        for (uint32_t i = 1; i < list->n; i++)
            ck_assert(!ggfs_str_equal(files[i - 1], files[i]));
    }
    ggfs_index_free(&index);
    free(files);
    free(bytes);
}

/* Names whose lengths lie around the limits, with many bearers. */
START_TEST(every_item_has_a_name_of_its_own)
{
    uint64_t seed = suite_seed();

    for (int round = 0; round < 30; round++) {
        static char bytes[300 * 400];
        struct ggfs_str names[300];
        const struct list list = {names, COUNT(names)};
        uint64_t letters = 1 + suite_below(&seed, 3);
        for (uint32_t i = 0; i < list.n; i++) {
            char *raw = bytes + (size_t)i * 400;
            size_t n = suite_below(&seed, 2) ? 225 + suite_below(&seed, 40)
                                             : suite_below(&seed, 4);
            memset(raw, "x/%"[suite_below(&seed, letters)], n);
            if (n && suite_below(&seed, 2))
                raw[suite_below(&seed, n)] = "y.%~"[suite_below(&seed, 4)];
            names[i] = (struct ggfs_str){raw, n};
        }
        check_all(&list);
    }
}
END_TEST

START_TEST(many_bearers_of_a_cut_name)
{
    static const uint32_t lengths[] = {3, 230, 248, 252, 253, 254, 255, 256, 2000};

    for (size_t i = 0; i < COUNT(lengths); i++) {
        static char raw[2000];
        struct ggfs_str names[1200];
        const struct list list = {names, COUNT(names)};
        memset(raw, 'n', sizeof raw);
        for (uint32_t k = 0; k < list.n; k++)
            names[k] = (struct ggfs_str){raw, lengths[i]};
        check_all(&list);
    }
}
END_TEST

/* Each allocation fails once: an error, and nothing is left behind. */
START_TEST(without_memory)
{
    static char raw[300];
    struct ggfs_str names[] = {STR("a"), STR("a"), {raw, sizeof raw}};
    const struct list list = {names, COUNT(names)};

    memset(raw, 'x', sizeof raw);
    for (uint64_t nth = 1;; nth++) {
        struct ggfs_index index;
        struct ggfs_err err;
        bool made;
        ggfs_err_init(&err, NULL);
        ggfs_mem_fail_at(nth);
        made = ggfs_index_make(&index, list.n, name_at, &list, &err);
        ggfs_mem_fail_at(0);
        if (made) {
            ck_assert_uint_gt(nth, 2);
            ggfs_index_free(&index);
            break;
        }
        ck_assert_uint_eq(err.kind, GGFS_ERR_MEMORY);
    }
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        bearers_of_one_name_are_counted,
        names_have_one_spelling,
        no_names_at_all,
        short_names_have_no_hash,
        every_item_has_a_name_of_its_own,
        many_bearers_of_a_cut_name,
        without_memory,
    };

    return suite_run("index", tests, COUNT(tests));
}
