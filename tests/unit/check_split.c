/* SPDX-License-Identifier: MIT */
/* check_split.c - a model in several files opens as one, and says what does not agree. */
#include <config.h>

#include "formats/format.h"
#include "mkmodel.h"
#include "suite.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHARDS 3

/* What one shard says of itself; the good ones say what agrees. */
struct shard {
    int64_t no, count, total;
    uint32_t type; /* of the three numbers */
    const char *architecture;
    const char *tensor;
};

static char folder[PATH_MAX];

static void setup(void)
{
    const char *tmp = getenv("TMPDIR");

    snprintf(folder, sizeof folder, "%s/check_split.XXXXXX", tmp ? tmp : "/tmp");
    ck_assert(mkdtemp(folder) != NULL);
}

static const char *path_of(const char *name)
{
    static char path[PATH_MAX + 64];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static const char *shard_name(int number, int count)
{
    static char name[64];

    snprintf(name, sizeof name, "model-%05d-of-%05d.gguf", number, count);
    return name;
}

static void teardown(void)
{
    for (int i = 1; i <= SHARDS; i++)
        unlink(path_of(shard_name(i, SHARDS)));
    unlink(path_of(shard_name(1, 2)));
    unlink(path_of("model.gguf"));
    ck_assert_int_eq(rmdir(folder), 0);
}

static void write_shard(const char *name, const struct shard *shard)
{
    struct mk m;

    mk_start(&m, 3, false);
    if (shard->architecture)
        mk_key_str(&m, "general.architecture", shard->architecture);
    mk_key_int(&m, "split.no", shard->type, shard->no);
    mk_key_int(&m, "split.count", shard->type, shard->count);
    mk_key_int(&m, "split.tensors.count", shard->type, shard->total);
    mk_tensor_next(&m, shard->tensor, MK_T_F32, 1, (uint64_t[]){8}, 32);
    mk_data(&m);
    m.seed = (uint64_t)shard->no + 1;
    mk_blocks(&m, MK_T_F32, 8);
    ck_assert(mk_write(&m, path_of(name)));
    mk_free(&m);
}

static const struct shard good[SHARDS] = {
    {0, 3, 3, MK_U16, "llama", "a"},
    {1, 3, 3, MK_I32, NULL, "b"},
    {2, 3, 3, MK_U64, "llama", "c"},
};

static void write_all(const struct shard *shards)
{
    for (int i = 0; i < SHARDS; i++)
        write_shard(shard_name(i + 1, SHARDS), &shards[i]);
}

static struct ggfs_model *open_model(const char *name, struct ggfs_open_options options,
                                     struct ggfs_err *err)
{
    ggfs_err_init(err, path_of(name));
    return ggfs_formats_open(path_of(name), &options, err);
}

static const struct ggfs_open_options as_one, alone = {.no_split = true},
                                      some = {.partial = true};

START_TEST(any_shard_or_the_prefix_opens_all)
{
    static const char *const names[] = {"model-00001-of-00003.gguf", "model-00002-of-00003.gguf",
                                        "model-00003-of-00003.gguf", "model"};
    struct ggfs_model *model;
    struct ggfs_err err;

    write_all(good);
    model = open_model(names[_i], as_one, &err);
    ck_assert_msg(model != NULL, "%s: %s", names[_i], err.text);
    ck_assert_uint_eq(model->n_tensors, 3);
    ck_assert_uint_eq(model->n_sources, 3);
    ck_assert_uint_eq(model->n_keys, 4);
    ck_assert_ptr_null(model->notes);
    for (uint32_t i = 0; i < SHARDS; i++) {
        const struct ggfs_tensor *tensor = &model->tensors[i];
        ck_assert_mem_eq(tensor->name.ptr, good[i].tensor, 1);
        ck_assert_uint_eq(tensor->source, i);
        ck_assert_str_eq(model->sources[i].name, shard_name((int)i + 1, SHARDS));
        ck_assert_uint_eq(tensor->bytes, 32);
        ck_assert_uint_eq(tensor->room, 32);
    }
    ggfs_model_free(model);
}
END_TEST

START_TEST(nosplit_opens_one)
{
    struct ggfs_model *model;
    struct ggfs_err err;

    write_all(good);
    model = open_model("model-00002-of-00003.gguf", alone, &err);
    ck_assert(model != NULL);
    ck_assert_uint_eq(model->n_tensors, 1);
    ck_assert_str_eq(model->notes->text, "shard 2 of 3, opened by itself");
    ck_assert_int_eq(model->notes->level, GGFS_LEVEL_NOTE);
    ggfs_model_free(model);
}
END_TEST

START_TEST(a_missing_shard_is_named)
{
    struct ggfs_model *model;
    struct ggfs_err err;

    write_all(good);
    unlink(path_of(shard_name(_i + 1, SHARDS)));
    model = open_model(shard_name(_i ? 1 : 2, SHARDS), as_one, &err);
    ck_assert(model == NULL);
    ck_assert_int_eq(err.kind, GGFS_ERR_OPEN);
    ck_assert(strstr(err.text, shard_name(_i + 1, SHARDS)) != NULL);

    model = open_model(shard_name(_i ? 1 : 2, SHARDS), some, &err);
    ck_assert(model != NULL);
    ck_assert_uint_eq(model->n_tensors, 2);
    ck_assert_uint_eq(model->n_sources, 2);
    ck_assert_int_eq(model->notes->level, GGFS_LEVEL_ERROR);
    ck_assert(strstr(model->notes->text, "is missing") != NULL);
    ggfs_model_free(model);
}
END_TEST

/* One thing wrong in each, and what is said of it. */
static const struct {
    int shard;
    struct shard wrong;
    const char *said;
} wrongs[] = {
    {1, {2, 3, 3, MK_U16, NULL, "b"}, "shard 2 of 3 has the number 2 in split.no"},
    {2, {2, 4, 3, MK_U16, NULL, "c"}, "shard 3 of 3 says 4 in split.count"},
    {1,
     {1, 3, 3, MK_I32, "gpt2", "b"},
     "shard 2 has another value of general.architecture than the first"},
    {1,
     {1, 3, 9, MK_U16, NULL, "b"},
     "shard 2 has another value of split.tensors.count than the first"},
    {0, {0, 3, 7, MK_U16, "llama", "a"}, "split.tensors.count is 7, but there are 3 tensors"},
    {0,
     {0, 3, -1, MK_I32, "llama", "a"},
     "split.tensors.count is no number of tensors; there are 3"},
};

static bool has_note(const struct ggfs_model *model, const char *text)
{
    for (const struct ggfs_note *note = model->notes; note; note = note->next)
        if (strcmp(note->text, text) == 0)
            return note->level == GGFS_LEVEL_WARNING && strcmp(note->check, "split") == 0;
    return false;
}

START_TEST(what_disagrees_is_said)
{
    struct shard shards[SHARDS];
    struct ggfs_model *model;
    struct ggfs_err err;

    memcpy(shards, good, sizeof shards);
    shards[wrongs[_i].shard] = wrongs[_i].wrong;
    write_all(shards);
    model = open_model(shard_name(wrongs[_i].shard ? 1 : 2, SHARDS), as_one, &err);
    ck_assert(model != NULL);
    ck_assert_uint_eq(model->n_tensors, 3);
    ck_assert_msg(has_note(model, wrongs[_i].said), "%s: said %s", wrongs[_i].said,
                  model->notes ? model->notes->text : "nothing");
    ggfs_model_free(model);
}
END_TEST

START_TEST(another_format_is_said)
{
    struct ggfs_model *model;
    struct ggfs_err err;
    struct mk m;

    write_all(good);
    mk_start(&m, 2, true);
    mk_key_int(&m, "split.no", MK_U16, 1);
    mk_key_int(&m, "split.count", MK_U16, SHARDS);
    mk_data(&m);
    ck_assert(mk_write(&m, path_of(shard_name(2, SHARDS))));
    mk_free(&m);
    model = open_model(shard_name(1, SHARDS), as_one, &err);
    ck_assert(model != NULL);
    ck_assert_str_eq(model->format, "GGUF 3 little-endian");
    ck_assert(has_note(model, "shard 2 of 3 is GGUF 2 big-endian, the first GGUF 3 little-endian"));
    ggfs_model_free(model);
}
END_TEST

START_TEST(names_and_counts_that_differ_open_alone)
{
    static const struct shard of_two = {0, 3, 1, MK_U16, "llama", "a"};
    struct ggfs_model *model;
    struct ggfs_err err;

    write_shard(shard_name(1, 2), &of_two);
    write_shard("model.gguf", &of_two);
    model = open_model(shard_name(1, 2), as_one, &err);
    ck_assert(model != NULL);
    ck_assert(has_note(model, "named as shard 1 of 2, but split.count is 3: opened by itself"));
    ggfs_model_free(model);
    model = open_model("model.gguf", as_one, &err);
    ck_assert(model != NULL);
    ck_assert_uint_eq(model->n_tensors, 1);
    ck_assert(has_note(model, "split.count is 3, but the file is not named "
                              "NAME-NNNNN-of-NNNNN.gguf: opened by itself"));
    ggfs_model_free(model);
}
END_TEST

START_TEST(two_counts_for_a_prefix_are_refused)
{
    struct ggfs_err err;

    write_all(good);
    write_shard(shard_name(1, 2), &good[0]);
    ck_assert(open_model("model", as_one, &err) == NULL);
    ck_assert(strstr(err.text, "name one of them") != NULL);
}
END_TEST

/* A download cache links names to files that are called by a hash; names are what counts. */
START_TEST(links_are_not_resolved)
{
    struct ggfs_model *model;
    struct ggfs_err err;
    char blob[PATH_MAX + 64];

    write_all(good);
    snprintf(blob, sizeof blob, "%s", path_of("0123abcd"));
    ck_assert_int_eq(rename(path_of(shard_name(2, SHARDS)), blob), 0);
    ck_assert_int_eq(symlink(blob, path_of(shard_name(2, SHARDS))), 0);
    model = open_model(shard_name(2, SHARDS), as_one, &err);
    ck_assert(model != NULL);
    ck_assert_uint_eq(model->n_tensors, 3);
    ggfs_model_free(model);
    ck_assert_int_eq(unlink(blob), 0);
}
END_TEST

START_TEST(a_damaged_shard_is_named)
{
    struct ggfs_err err;

    write_all(good);
    ck_assert_int_eq(truncate(path_of(shard_name(3, SHARDS)), 40), 0);
    ck_assert(open_model("model", as_one, &err) == NULL);
    ck_assert_int_eq(err.kind, GGFS_ERR_FORMAT);
    ck_assert(strstr(err.file, shard_name(3, SHARDS)) != NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("split");
    TCase *tests = tcase_create("split");
    SRunner *runner;
    int failed;

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, any_shard_or_the_prefix_opens_all, 0, 4);
    tcase_add_test(tests, nosplit_opens_one);
    tcase_add_loop_test(tests, a_missing_shard_is_named, 0, SHARDS);
    tcase_add_loop_test(tests, what_disagrees_is_said, 0, COUNT(wrongs));
    tcase_add_test(tests, another_format_is_said);
    tcase_add_test(tests, names_and_counts_that_differ_open_alone);
    tcase_add_test(tests, two_counts_for_a_prefix_are_refused);
    tcase_add_test(tests, links_are_not_resolved);
    tcase_add_test(tests, a_damaged_shard_is_named);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
