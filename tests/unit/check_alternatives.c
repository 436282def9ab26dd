/* SPDX-License-Identifier: MIT */
/* check_alternatives.c - rooms, and what they say of type numbers with more than one meaning. */
#include <config.h>

#include "model/model.h"
#include "suite.h"

#include <inttypes.h>
#include <string.h>

#define MOST 6
#define DATA_AT 4096

/* A tensor that takes `room` bytes up to the next one, and what must come out for it. */
struct piece {
    uint8_t type;
    uint64_t ne[2], room;
    unsigned faults;
    uint64_t bytes;
};

struct layout {
    const char *name;
    uint64_t alignment;
    struct piece pieces[MOST];
    unsigned n;
};

#define NO_FAULT 0
#define TYPE(id) GGFS_TYPE_##id
#define FAULT(id) (1u << GGFS_FAULT_##id)

static const struct layout layouts[] = {
    {"two blocks of 256 are not eight of 64",
     32,
     {{TYPE(Q4_K), {256, 8}, 1152, NO_FAULT, 1152}, {TYPE(F32), {8, 1}, 32, NO_FAULT, 32}},
     2},
    {"blocks of 64",
     32,
     {{TYPE(Q4_K), {256, 8}, 1216, FAULT(BLOCKS_OF_64), 1216},
      {TYPE(F32), {8, 1}, 32, NO_FAULT, 32}},
     2},
    {"each K type in blocks of 64",
     32,
     {{TYPE(Q2_K), {256, 8}, 768, FAULT(BLOCKS_OF_64), 768},
      {TYPE(Q3_K), {256, 64}, 7168, FAULT(BLOCKS_OF_64), 7168},
      {TYPE(Q4_K), {256, 8}, 1216, FAULT(BLOCKS_OF_64), 1216},
      {TYPE(Q5_K), {256, 8}, 1472, FAULT(BLOCKS_OF_64), 1472},
      {TYPE(Q6_K), {256, 8}, 1728, FAULT(BLOCKS_OF_64), 1728}},
     5},
    {"each K type as it is today",
     32,
     {{TYPE(Q2_K), {256, 8}, 672, NO_FAULT, 672},
      {TYPE(Q3_K), {256, 64}, 7040, NO_FAULT, 7040},
      {TYPE(Q4_K), {256, 8}, 1152, NO_FAULT, 1152},
      {TYPE(Q5_K), {256, 8}, 1408, NO_FAULT, 1408},
      {TYPE(Q6_K), {256, 8}, 1696, NO_FAULT, 1680}},
     5},
    {"rows that are no multiple of 256",
     32,
     {{TYPE(Q4_K), {320, 2}, 384, FAULT(BUILT_FOR_64), 380},
      {TYPE(Q6_K), {64, 1}, 54, FAULT(BUILT_FOR_64), 54}},
     2},
    {"beside those every K type is in blocks of 64, whatever its room",
     32,
     {{TYPE(Q5_K), {320, 1}, 256, FAULT(BUILT_FOR_64), 230},
      {TYPE(Q4_K), {256, 8}, 1152, FAULT(BUILT_FOR_64) | FAULT(SHORT_ROOM), 1216},
      {TYPE(Q4_K), {256, 8}, 2048, FAULT(BUILT_FOR_64), 1216},
      {TYPE(IQ2_XS), {256, 8}, 640, FAULT(BLOCKS_OF_64), 640},
      {TYPE(Q4_K), {32, 8}, 640, FAULT(PARTIAL_BLOCK), 640},
      {TYPE(Q3_K), {64, 4}, 112, FAULT(BUILT_FOR_64), 112}},
     6},
    {"rows that are no multiple of 256, and a room that says nothing",
     32,
     {{TYPE(Q4_K), {320, 2}, 4096, FAULT(PARTIAL_BLOCK), 4096}},
     1},
    {"one block, which padding makes alike, alone",
     32,
     {{TYPE(Q4_K), {256, 1}, 160, NO_FAULT, 144}, {TYPE(F32), {8, 1}, 32, NO_FAULT, 32}},
     2},
    {"one block, which padding makes alike, beside a larger one of another type",
     32,
     {{TYPE(Q4_K), {256, 1}, 160, FAULT(BLOCKS_OF_64), 160},
      {TYPE(Q6_K), {256, 8}, 1728, FAULT(BLOCKS_OF_64), 1728},
      {TYPE(Q4_K), {256, 1}, 152, FAULT(BLOCKS_OF_64), 152}},
     3},
    {"a gap",
     32,
     {{TYPE(Q4_K), {256, 8}, 2048, NO_FAULT, 1152}, {TYPE(F32), {8, 1}, 32, NO_FAULT, 32}},
     2},
    {"a gap beside blocks of 64",
     32,
     {{TYPE(Q4_K), {256, 8}, 2048, FAULT(BLOCKS_OF_64), 2048},
      {TYPE(Q5_K), {256, 8}, 1472, FAULT(BLOCKS_OF_64), 1472},
      {TYPE(Q4_0), {32, 1}, 32, NO_FAULT, 18}},
     3},
    {"too little room for either",
     32,
     {{TYPE(Q4_K), {256, 8}, 1120, FAULT(SHORT_ROOM), 1152}, {TYPE(F32), {8, 1}, 32, NO_FAULT, 32}},
     2},
    {"without alignment the room is exact",
     0,
     {{TYPE(Q4_K), {256, 1}, 152, FAULT(BLOCKS_OF_64), 152},
      {TYPE(Q4_K), {256, 1}, 144, NO_FAULT, 144}},
     2},
    {"2 bits a value in blocks of 64 and of 128",
     32,
     {{TYPE(Q2_0), {128, 64}, 2304, NO_FAULT, 2304}, {TYPE(Q2_0), {64, 64}, 1152, NO_FAULT, 1152}},
     2},
    {"2 bits a value in blocks of 128, small ones too",
     32,
     {{TYPE(Q2_0), {128, 1}, 64, FAULT(BLOCKS_OF_128), 64},
      {TYPE(Q2_0), {128, 64}, 2176, FAULT(BLOCKS_OF_128), 2176}},
     2},
    {"I2_S",
     32,
     {{TYPE(IQ4_NL_4_4), {128, 64}, 2080, FAULT(I2_S), 2080},
      {TYPE(IQ4_NL_4_4), {128, 6}, 224, FAULT(I2_S), 224},
      {TYPE(IQ4_NL_4_4), {128, 64}, 4608, NO_FAULT, 4608}},
     3},
    {"no values at all",
     32,
     {{TYPE(Q4_K), {0, 8}, 32, NO_FAULT, 0}, {TYPE(Q4_K), {256, 1}, 160, NO_FAULT, 144}},
     2},
    {"past the end",
     32,
     {{TYPE(Q4_K), {256, 8}, 1216, FAULT(BLOCKS_OF_64), 1216},
      {TYPE(Q4_K), {256, 8}, 0, FAULT(PAST_END), 1152}},
     2},
};

static void settle(const struct layout *layout, struct ggfs_tensor *tensors)
{
    struct ggfs_source source = {.data_at = DATA_AT, .alignment = layout->alignment};
    struct ggfs_model model = {
        .sources = &source, .n_sources = 1, .tensors = tensors, .n_tensors = layout->n};
    struct ggfs_err err;
    uint64_t at = DATA_AT;

    for (unsigned i = 0; i < layout->n; i++) {
        const struct piece *p = &layout->pieces[i];
        tensors[i] = (struct ggfs_tensor){
            .type = p->type, .ne = {p->ne[0], p->ne[1], 1, 1}, .n_dims = 2, .offset = at};
        at += p->room;
    }
    source.size = at;
    ggfs_err_init(&err, NULL);
    ck_assert(ggfs_model_settle(&model, &err));
}

START_TEST(the_room_decides)
{
    for (size_t i = 0; i < COUNT(layouts); i++) {
        struct ggfs_tensor tensors[MOST];
        settle(&layouts[i], tensors);
        for (unsigned j = 0; j < layouts[i].n; j++) {
            const struct piece *p = &layouts[i].pieces[j];
            ck_assert_msg(tensors[j].faults == p->faults, "%s: tensor %u has faults %#x, not %#x",
                          layouts[i].name, j, tensors[j].faults, p->faults);
            ck_assert_msg(tensors[j].bytes == p->bytes, "%s: tensor %u has %" PRIu64 " bytes",
                          layouts[i].name, j, tensors[j].bytes);
            ck_assert_uint_eq(tensors[j].room, p->room);
        }
    }
}
END_TEST

/* Whoever asks for the type of such a tensor must not be told the usual one. */
START_TEST(another_layout_has_no_type)
{
    struct ggfs_tensor tensors[MOST];
    char name[16];

    settle(&layouts[1], tensors);
    tensors[0].type_id = 12;
    ck_assert_uint_eq(tensors[0].type, GGFS_TYPE_NONE);
    ck_assert_str_eq(ggfs_tensor_type_name(&tensors[0], name), "type12");
    ck_assert(ggfs_tensor_hidden(&tensors[0]));
}
END_TEST

/* What only blocks of 64 can be is shown as such. */
START_TEST(proof_gives_the_other_type)
{
    struct ggfs_tensor tensors[MOST];
    char name[16];
    size_t i = 0;

    while (strncmp(layouts[i].name, "beside", 6) != 0)
        i++;
    settle(&layouts[i], tensors);
    ck_assert_str_eq(ggfs_tensor_type_name(&tensors[0], name), "Q5_K-64");
    ck_assert_str_eq(ggfs_tensor_type_name(&tensors[2], name), "Q4_K-64");
    ck_assert(!ggfs_tensor_hidden(&tensors[2]));
    ck_assert(ggfs_tensor_hidden(&tensors[1]));
    ck_assert_uint_eq(tensors[3].type, GGFS_TYPE_NONE);
}
END_TEST

/* Shards are one program's work: what one shows holds for all. */
START_TEST(evidence_counts_in_every_file)
{
    struct ggfs_source sources[2] = {{.size = 1216, .alignment = 32},
                                     {.size = 160, .alignment = 32}};
    struct ggfs_tensor tensors[2] = {
        {.type = GGFS_TYPE_Q4_K, .ne = {256, 8, 1, 1}, .source = 0},
        {.type = GGFS_TYPE_Q4_K, .ne = {256, 1, 1, 1}, .source = 1},
    };
    struct ggfs_model model = {
        .sources = sources, .n_sources = 2, .tensors = tensors, .n_tensors = 2};
    struct ggfs_err err;

    ggfs_err_init(&err, NULL);
    ck_assert(ggfs_model_settle(&model, &err));
    ck_assert_uint_eq(tensors[0].faults, 1u << GGFS_FAULT_BLOCKS_OF_64);
    ck_assert_uint_eq(tensors[1].faults, 1u << GGFS_FAULT_BLOCKS_OF_64);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_room_decides,
        another_layout_has_no_type,
        proof_gives_the_other_type,
        evidence_counts_in_every_file,
    };

    return suite_run("layout", tests, COUNT(tests));
}
