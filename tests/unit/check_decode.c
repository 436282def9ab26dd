/* SPDX-License-Identifier: MIT */
/* check_decode.c - ranges cut into pieces equal the whole: every type, both byte orders, cut files.
 */
#include <config.h>

#include "base/num.h"
#include "decode/decode.h"
#include "decode/swap.h"
#include "decode/weave.h"
#include "kernels/kernels.h"

#include <check.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The tensor lies between other bytes, at an address that is no multiple of anything. */
#define BEFORE 77
#define BEHIND 513
#define GUARD 64

static uint64_t random_state;

static uint64_t random_word(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return random_state >> 16;
}

static uint64_t random_below(uint64_t n)
{
    return random_word() % n;
}

/* GGFS_SEED repeats a run. */
static void seed_from_environment(void)
{
    const char *text = getenv("GGFS_SEED");

    random_state = text ? strtoull(text, NULL, 0) : (uint64_t)getpid();
    printf("GGFS_SEED=%" PRIu64 "\n", random_state);
    fflush(stdout);
}

/* One tensor in a temporary file, its bytes as stored, and what it must decode to. */
struct fixture {
    struct ggfs_model model;
    struct ggfs_source source;
    struct ggfs_tensor tensor;
    struct ggfs_scratch scratch;
    char path[PATH_MAX];
    int fd;          /* for writing */
    bool big;
    uint8_t *plain;  /* little-endian plain blocks in value order */
    uint8_t *stored; /* the tensor's bytes in the file */
    float *floats;
};

static void *take(size_t n)
{
    void *p = malloc(n ? n : 1);

    ck_assert_ptr_nonnull(p);
    return p;
}

static const struct ggfs_type_info *info_of(const struct fixture *f)
{
    return &ggfs_types[f->tensor.type];
}

/* The recipe read once more, byte by byte. */
static void swap_one(const char *fields, uint8_t *block)
{
    while (*fields) {
        char letter = *fields;
        unsigned width = letter == 'b' ? 1 : letter == 'h' ? 2 : letter == 'w' ? 4 : 8;
        unsigned long count = strtoul(fields + 1, (char **)(uintptr_t)&fields, 10);
        for (; count > 0; count--, block += width)
            for (unsigned i = 0; i < width / 2; i++) {
                uint8_t kept = block[i];
                block[i] = block[width - 1 - i];
                block[width - 1 - i] = kept;
            }
    }
}

/* The same of a planar one: minimums, scales and quants of a row in planes, in this order. */
static size_t planar_place(const struct fixture *f, size_t block, size_t i)
{
    size_t nb = (size_t)f->tensor.ne[0] / 32, unit = info_of(f)->block_bytes, scales = unit - 16;
    size_t row = block / nb * nb * unit, column = block % nb;

    if (i >= scales)
        return row + nb * scales + column * 16 + i - scales;
    if (scales == 8)
        return row + (i < 4 ? nb * 4 : 0) + column * 4 + i % 4;
    return row + column * 4 + i;
}

/* Place in the file of byte i of plain block `block` of a woven tensor, by the formula of the
 * layout's description. */
static size_t woven_place(const struct fixture *f, size_t block, size_t i)
{
    const struct ggfs_type_info *type = info_of(f);
    size_t nb = (size_t)f->tensor.ne[0] / 32, rows = type->woven_rows, run = type->woven_run;
    size_t row = block / nb, column = block % nb, r = row % rows;
    size_t wide = ((row / rows) * nb + column) * rows * 18;

    if (rows == 1)
        return planar_place(f, block, i);
    if (i < 2)
        return wide + 2 * r + i;
    i -= 2;
    return wide + 2 * rows + i / run * rows * run + r * run + i % run;
}

static void store(struct fixture *f)
{
    const struct ggfs_type_info *type = info_of(f);
    size_t unit = type->block_bytes, n = (size_t)f->tensor.bytes / unit;
    uint8_t block[512];

    for (size_t b = 0; b < n; b++) {
        memcpy(block, f->plain + b * unit, unit);
        if (f->big)
            swap_one(type->fields, block);
        if (!type->woven_rows)
            memcpy(f->stored + b * unit, block, unit);
        for (size_t i = 0; type->woven_rows && i < unit; i++)
            f->stored[woven_place(f, b, i)] = i < 2 ? block[i] : block[i] ^ type->woven_mask;
    }
}

static void put(const struct fixture *f, const void *bytes, size_t n, size_t at)
{
    ck_assert_int_eq(pwrite(f->fd, bytes, n, (off_t)at), (ssize_t)n);
}

/* The file has no name any more once it is open. */
static void write_file(struct fixture *f)
{
    static uint8_t around[BEFORE + BEHIND];
    const char *folder = getenv("TMPDIR");
    struct ggfs_err err;

    ggfs_err_init(&err, NULL);
    snprintf(f->path, sizeof f->path, "%s/check_decode.XXXXXX", folder ? folder : "/tmp");
    f->fd = mkstemp(f->path);
    ck_assert_int_ge(f->fd, 0);
    memset(around, 0xAA, sizeof around);
    put(f, around, BEFORE, 0);
    put(f, f->stored, f->tensor.bytes, BEFORE);
    put(f, around, BEHIND, BEFORE + f->tensor.bytes);
    ck_assert(ggfs_source_open(&f->source, f->path, &err));
    f->source.big = f->big;
    ck_assert_int_eq(unlink(f->path), 0);
}

static void cut_file(const struct fixture *f, uint64_t size)
{
    ck_assert_int_eq(ftruncate(f->fd, (off_t)(BEFORE + size)), 0);
}

/* A tensor of this type and shape in f, over random blocks. */
static void fixture_open(struct fixture *f, unsigned type, uint64_t row, uint64_t rows, bool big)
{
    const struct ggfs_type_info *info = &ggfs_types[type];
    struct ggfs_err err;

    memset(f, 0, sizeof *f);
    ggfs_err_init(&err, NULL);
    f->model.sources = &f->source;
    f->model.n_sources = 1;
    f->model.tensors = &f->tensor;
    f->model.n_tensors = 1;
    f->big = big;
    f->tensor.name = GGFS_STR("blk.0.weight");
    f->tensor.type = (uint8_t)type;
    memcpy(f->tensor.ne, (uint64_t[]){row, rows, 1, 1}, sizeof f->tensor.ne);
    f->tensor.values = row * rows;
    f->tensor.bytes = f->tensor.values / info->block_values * info->block_bytes;
    f->tensor.room = f->tensor.bytes + 5;
    f->tensor.offset = BEFORE;
    f->plain = take(f->tensor.bytes);
    f->stored = take(f->tensor.bytes);
    f->floats = take(f->tensor.values * sizeof(float));
    for (size_t i = 0; i < f->tensor.bytes; i++)
        f->plain[i] = (uint8_t)random_word();
    ggfs_kernel((enum ggfs_type)info->plain)(f->floats, f->plain,
                                             f->tensor.values / info->block_values);
    store(f);
    write_file(f);
    ck_assert(ggfs_scratch_init(&f->scratch, &err));
}

static void fixture_close(struct fixture *f)
{
    ggfs_source_close(&f->source);
    ggfs_scratch_free(&f->scratch);
    ck_assert_int_eq(close(f->fd), 0);
    free(f->plain);
    free(f->stored);
    free(f->floats);
}

static bool has_kernel(unsigned type)
{
    return ggfs_kernel((enum ggfs_type)ggfs_types[type].plain) != NULL;
}

/* An odd number of blocks a row, so that pieces end inside rows and groups. */
static void open_small(struct fixture *f, unsigned type, bool big)
{
    fixture_open(f, type, (uint64_t)ggfs_types[type].block_values * 7, 32, big);
}

static bool all_bits_equal(const void *a, const void *b, size_t n)
{
    return n == 0 || memcmp(a, b, n) == 0;
}

static bool untouched(const uint8_t *p, const uint8_t *end)
{
    while (p < end && *p == 0x5A)
        p++;
    return p == end;
}

typedef bool (*decode_fn)(const struct ggfs_model *, const struct ggfs_tensor *, uint64_t, void *,
                          size_t, size_t *, struct ggfs_scratch *, struct ggfs_err *);

/* One read into memory of random alignment with guards around it. want: how much must come. */
static void read_range(struct fixture *f, decode_fn decode, const void *whole, uint64_t first,
                       size_t n, size_t want)
{
    size_t shift = GUARD + (size_t)random_below(5), got = 0;
    uint8_t *memory = take(n + 2 * GUARD), *dst = memory + shift;
    struct ggfs_err err;
    bool ok;

    ggfs_err_init(&err, NULL);
    memset(memory, 0x5A, n + 2 * GUARD);
    ok = decode(&f->model, &f->tensor, first, dst, n, &got, &f->scratch, &err);
    ck_assert_msg(got == want, "%s %" PRIu64 "+%zu: got %zu, not %zu", info_of(f)->name, first, n,
                  got, want);
    ck_assert(ok == (want > 0 || n == 0));
    ck_assert((err.kind == GGFS_ERR_NONE) == ok);
    ck_assert_msg(all_bits_equal(dst, (const uint8_t *)whole + first, got),
                  "%s %" PRIu64 "+%zu differs", info_of(f)->name, first, n);
    ck_assert_msg(untouched(memory, dst) && untouched(dst + n, memory + n + 2 * GUARD),
                  "%s: wrote outside of %zu bytes", info_of(f)->name, n);
    free(memory);
}

static void read_random(struct fixture *f, decode_fn decode, const void *whole, uint64_t total)
{
    uint64_t first = random_below(total);
    size_t n = (size_t)random_below(total - first + 1);

    read_range(f, decode, whole, first, n, n);
    n = (size_t)ggfs_num_min(n, 1 + random_below(40));
    read_range(f, decode, whole, first, n, n);
}

static void read_in_pieces(struct fixture *f, decode_fn decode, const void *whole, uint64_t total)
{
    uint64_t most = total / 5 + 1;

    for (uint64_t at = 0; at < total;) {
        size_t n = (size_t)ggfs_num_min(1 + random_below(most), total - at);
        read_range(f, decode, whole, at, n, n);
        at += n;
    }
}

static void read_all_ways(struct fixture *f, decode_fn decode, const void *whole, uint64_t total,
                          int times)
{
    read_range(f, decode, whole, 0, (size_t)total, (size_t)total);
    for (int i = 0; i < times; i++)
        read_random(f, decode, whole, total);
    read_in_pieces(f, decode, whole, total);
}

START_TEST(test_f32)
{
    for (int big = 0; big < 2; big++) {
        struct fixture f;
        if (!has_kernel((unsigned)_i))
            continue;
        open_small(&f, (unsigned)_i, big);
        ck_assert(ggfs_decode_can(&f.tensor));
        read_all_ways(&f, ggfs_decode_f32, f.floats, f.tensor.values * 4, 60);
        fixture_close(&f);
    }
}
END_TEST

START_TEST(test_stored)
{
    for (int big = 0; big < 2; big++) {
        struct fixture f;
        if (!ggfs_types[_i].npy)
            continue;
        open_small(&f, (unsigned)_i, big);
        read_all_ways(&f, ggfs_decode_stored, f.plain, f.tensor.bytes, 60);
        fixture_close(&f);
    }
}
END_TEST

/* Larger than any piece that the decoder works in, rows too. */
START_TEST(test_large)
{
    static const unsigned types[] = {GGFS_TYPE_Q4_0,     GGFS_TYPE_Q6_K,    GGFS_TYPE_F16,
                                     GGFS_TYPE_Q4_0_4_4, GGFS_TYPE_F32,     GGFS_TYPE_I64,
                                     GGFS_TYPE_Q4_0_4_8, GGFS_TYPE_Q4_0_8_8,
                                     GGFS_TYPE_Q4_0_PLANAR, GGFS_TYPE_Q4_1_PLANAR};
    unsigned type = types[_i / 2];
    struct fixture f;

    if (!has_kernel(type))
        return;
    fixture_open(&f, type, 32 * 1000 * 8, 16, _i % 2);
    read_all_ways(&f, ggfs_decode_f32, f.floats, f.tensor.values * 4, 6);
    if (ggfs_types[type].npy)
        read_all_ways(&f, ggfs_decode_stored, f.plain, f.tensor.bytes, 6);
    fixture_close(&f);
}
END_TEST

/* True where all bytes of a plain block lie before byte size of the tensor. */
static bool block_there(const struct fixture *f, size_t block, uint64_t size)
{
    size_t unit = info_of(f)->block_bytes;

    if (info_of(f)->woven_rows == 1)
        return woven_place(f, block, unit - 1) < size;
    if (info_of(f)->woven_rows) /* a woven block is there as a whole or not at all */
        return woven_place(f, block, 0) / (unit * info_of(f)->woven_rows) <
               size / (unit * info_of(f)->woven_rows);
    return (block + 1) * unit <= size;
}

/* End of what can be read from `first` on, when the file holds size bytes of the tensor. */
static uint64_t end_of_good(const struct fixture *f, uint64_t first, uint64_t size)
{
    size_t unit = (size_t)info_of(f)->block_values * 4, block = (size_t)first / unit;

    while (block < f->tensor.values * 4 / unit && block_there(f, block, size))
        block++;
    return block * unit;
}

static void read_cut(struct fixture *f, uint64_t size)
{
    uint64_t total = f->tensor.values * 4, first = random_below(total), end;
    size_t n = 1 + (size_t)random_below(total - first), want;

    if (f->tensor.type == GGFS_TYPE_F32 && !f->big)
        end = size;
    else
        end = end_of_good(f, first, size);
    want = end > first ? (size_t)ggfs_num_min(end - first, n) : 0;
    read_range(f, ggfs_decode_f32, f->floats, first, n, want);
}

START_TEST(test_cut_file)
{
    for (int big = 0; big < 2; big++) {
        struct fixture f;
        if (!has_kernel((unsigned)_i))
            continue;
        open_small(&f, (unsigned)_i, big);
        for (uint64_t size = f.tensor.bytes; size > 0;) {
            size = random_below(size);
            cut_file(&f, size);
            for (int i = 0; i < 12; i++)
                read_cut(&f, size);
        }
        fixture_close(&f);
    }
}
END_TEST

/* The file goes on, but the bytes behind the room belong to someone else. */
START_TEST(test_room)
{
    struct fixture f;

    if (!has_kernel((unsigned)_i))
        return;
    open_small(&f, (unsigned)_i, false);
    for (int i = 0; i < 30; i++) {
        f.tensor.room = random_below(f.tensor.bytes);
        read_cut(&f, f.tensor.room);
    }
    fixture_close(&f);
}
END_TEST

START_TEST(test_error_names_place)
{
    struct fixture f;
    struct ggfs_err err;
    uint8_t byte;
    size_t got;

    open_small(&f, GGFS_TYPE_Q4_0, false);
    ggfs_err_init(&err, NULL);
    cut_file(&f, 0);
    ck_assert(
        !ggfs_decode_f32(&f.model, &f.tensor, 32 * 4 * 3 + 5, &byte, 1, &got, &f.scratch, &err));
    ck_assert_int_eq(err.kind, GGFS_ERR_IO);
    ck_assert_uint_eq(err.offset, BEFORE + 3 * 18);
    ck_assert_str_eq(err.file, f.path);
    ck_assert_str_eq(err.field, "tensor[0]");
    ck_assert_ptr_nonnull(strstr(err.text, "blk.0.weight"));
    fixture_close(&f);
}
END_TEST

START_TEST(test_failed_read)
{
    struct fixture f;
    struct ggfs_err err;
    uint8_t byte;
    size_t got;

    open_small(&f, (unsigned)_i, false);
    ggfs_err_init(&err, NULL);
    ggfs_source_close(&f.source);
    if (has_kernel((unsigned)_i)) {
        ck_assert(!ggfs_decode_f32(&f.model, &f.tensor, 0, &byte, 1, &got, &f.scratch, &err));
        ck_assert_int_eq(err.kind, GGFS_ERR_IO);
    }
    fixture_close(&f);
}
END_TEST

START_TEST(test_nothing_to_tell)
{
    struct fixture f;
    struct ggfs_err err;
    uint8_t byte;
    size_t got;

    open_small(&f, GGFS_TYPE_Q4_0, false);
    ggfs_err_init(&err, NULL);
    ck_assert(!ggfs_decode_stored(&f.model, &f.tensor, 0, &byte, 1, &got, &f.scratch, &err));
    f.tensor.type = GGFS_TYPE_NONE;
    ck_assert(!ggfs_decode_can(&f.tensor));
    ck_assert(!ggfs_decode_f32(&f.model, &f.tensor, 0, &byte, 1, &got, &f.scratch, &err));
    f.tensor.type = GGFS_TYPE_F16;
    ck_assert(ggfs_decode_can(&f.tensor));
    f.tensor.faults = 1u << GGFS_FAULT_SHORT_ROOM;
    ck_assert(!ggfs_decode_can(&f.tensor));
    ck_assert(!ggfs_decode_stored(&f.model, &f.tensor, 0, &byte, 1, &got, &f.scratch, &err));
    f.tensor.faults = 0;
    f.tensor.values = UINT64_C(1) << 61;
    ck_assert(!ggfs_decode_can(&f.tensor));
    fixture_close(&f);
}
END_TEST

START_TEST(test_past_the_end)
{
    struct fixture f;
    struct ggfs_err err;
    uint8_t byte;
    size_t got = 1;

    open_small(&f, GGFS_TYPE_F16, false);
    ggfs_err_init(&err, NULL);
    ck_assert(ggfs_decode_f32(&f.model, &f.tensor, f.tensor.values * 4, &byte, 1, &got, &f.scratch,
                              &err));
    ck_assert_uint_eq(got, 0);
    ck_assert(
        ggfs_decode_stored(&f.model, &f.tensor, UINT64_MAX, &byte, 1, &got, &f.scratch, &err));
    ck_assert_uint_eq(got, 0);
    f.tensor.values = f.tensor.bytes = f.tensor.ne[0] = 0;
    ck_assert(ggfs_decode_f32(&f.model, &f.tensor, 0, &byte, 1, &got, &f.scratch, &err));
    ck_assert_uint_eq(got, 0);
    fixture_close(&f);
}
END_TEST

START_TEST(test_recipe_fills_block)
{
    struct ggfs_swap swap;

    ck_assert(ggfs_swap_parse(&swap, ggfs_types[_i].fields));
    ck_assert_uint_eq(swap.block_bytes, ggfs_types[_i].block_bytes);
}
END_TEST

START_TEST(test_wrong_recipes)
{
    static const char *const wrong[] = {"", "x1", "h", "h0", "1h", "h1b", "d9999", "h1w1h1w1h1"};
    struct ggfs_swap swap;

    ck_assert(!ggfs_swap_parse(&swap, wrong[_i]));
}
END_TEST

static uint8_t *load(const char *folder, const char *name, const char *suffix, size_t *size)
{
    char path[4096];
    uint8_t *bytes = NULL;
    FILE *in;

    snprintf(path, sizeof path, "%s/%s.%s", folder, name, suffix);
    in = fopen(path, "rb");
    if (!in)
        return NULL;
    ck_assert_int_eq(fseek(in, 0, SEEK_END), 0);
    *size = (size_t)ftell(in);
    rewind(in);
    bytes = take(*size);
    ck_assert_uint_eq(fread(bytes, 1, *size, in), *size);
    fclose(in);
    return bytes;
}

static bool same_values(const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && (a[i] == a[i] || b[i] == b[i]))
            return false;
    return true;
}

/* stored becomes the tensor's bytes as they are; what it decodes to must be values. */
static void compare_stored(unsigned type, const uint64_t ne[2], const uint8_t *stored,
                           const float *values)
{
    struct fixture f;
    struct ggfs_err err;
    float *dst = take(ne[0] * ne[1] * sizeof *dst);
    size_t got;

    ggfs_err_init(&err, NULL);
    fixture_open(&f, type, ne[0], ne[1], false);
    put(&f, stored, f.tensor.bytes, BEFORE);
    ck_assert(
        ggfs_decode_f32(&f.model, &f.tensor, 0, dst, f.tensor.values * 4, &got, &f.scratch, &err));
    ck_assert_uint_eq(got, f.tensor.values * 4);
    ck_assert_msg(same_values(dst, values, f.tensor.values), "%s: %" PRIu64 " x %" PRIu64,
                  info_of(&f)->name, ne[0], ne[1]);
    fixture_close(&f);
    free(dst);
}

/* The four small tensors that each interleaved type's vectors consist of. */
static void compare_woven(unsigned type, const uint8_t *stored, const float *values)
{
    static const uint64_t shapes[][2] = {{256, 16}, {96, 16}, {96, 24}, {64, 8}};

    for (size_t i = 0; i < 4; i++) {
        size_t n = (size_t)(shapes[i][0] * shapes[i][1]);
        compare_stored(type, shapes[i], stored, values);
        stored += n / 32 * 18;
        values += n;
    }
}

/* GGFS_VECTORS names the folder with the full set of vectors. */
START_TEST(test_vectors)
{
    const char *folder = getenv("GGFS_VECTORS");
    const struct ggfs_type_info *info = &ggfs_types[_i];
    size_t size, size_values;
    uint8_t *stored, *values;

    if (!folder || !*folder || !has_kernel((unsigned)_i))
        return;
    stored = load(folder, info->name, "blocks", &size);
    values = load(folder, info->name, "f32", &size_values);
    if (stored && values && info->woven_rows)
        compare_woven((unsigned)_i, stored, (const float *)(const void *)values);
    else if (stored && values)
        compare_stored((unsigned)_i, (const uint64_t[]){size_values / 4, 1}, stored,
                       (const float *)(const void *)values);
    free(stored);
    free(values);
}
END_TEST

static Suite *decode_suite(void)
{
    Suite *suite = suite_create("decode");
    TCase *tcase = tcase_create("ranges");

    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, test_f32, 0, GGFS_TYPE_COUNT);
    tcase_add_loop_test(tcase, test_stored, 0, GGFS_TYPE_COUNT);
    tcase_add_loop_test(tcase, test_large, 0, 16);
    tcase_add_loop_test(tcase, test_cut_file, 0, GGFS_TYPE_COUNT);
    tcase_add_loop_test(tcase, test_room, 0, GGFS_TYPE_COUNT);
    tcase_add_test(tcase, test_error_names_place);
    tcase_add_loop_test(tcase, test_failed_read, 0, GGFS_TYPE_COUNT);
    tcase_add_test(tcase, test_nothing_to_tell);
    tcase_add_test(tcase, test_past_the_end);
    tcase_add_loop_test(tcase, test_recipe_fills_block, 0, GGFS_TYPE_COUNT);
    tcase_add_loop_test(tcase, test_wrong_recipes, 0, 8);
    tcase_add_loop_test(tcase, test_vectors, 0, GGFS_TYPE_COUNT);
    suite_add_tcase(suite, tcase);
    return suite;
}

int main(void)
{
    SRunner *runner = srunner_create(decode_suite());
    const char *cpu = getenv("GGFS_CPU");
    int failed;

    seed_from_environment();
    if (!ggfs_kernels_init(cpu && *cpu ? cpu : NULL))
        return 1;
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
