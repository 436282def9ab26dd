/* SPDX-License-Identifier: MIT */
/* legacy_types.c - what type numbers and ftype words meant, by container and year. */
#include <config.h>

#include "formats/legacy_tables.h"

#include "formats/gguf_types.h"

#define TYPE(name) GGFS_TYPE_##name
#define N GGFS_TYPE_NONE

/* Numbers 0 to 14 of llama.cpp and ggml; 9 is never in files. */
static const uint8_t v1[] = {TYPE(F32),     TYPE(F16),     TYPE(Q4_0_V1),
                             TYPE(Q4_1_V1), TYPE(Q4_2_V1), TYPE(Q4_3_V1),
                             TYPE(Q5_0_V1), TYPE(Q5_1_V1), TYPE(Q8_0_V1)};
static const uint8_t v1_type6[] = {TYPE(F32),     TYPE(F16),     TYPE(Q4_0_V1), TYPE(Q4_1_V1),
                                   TYPE(Q4_2_V1), TYPE(Q4_3_V1), TYPE(Q8_0_V1)};
static const uint8_t v2[] = {TYPE(F32), TYPE(F16),  TYPE(Q4_0_V2), TYPE(Q4_1_V2), N,
                             N,         TYPE(Q5_0), TYPE(Q5_1),    TYPE(Q8_0_V2)};
static const uint8_t v3[] = {TYPE(F32),  TYPE(F16),  TYPE(Q4_0), TYPE(Q4_1), N,
                             N,          TYPE(Q5_0), TYPE(Q5_1), TYPE(Q8_0), N,
                             TYPE(Q2_K), TYPE(Q3_K), TYPE(Q4_K), TYPE(Q5_K), TYPE(Q6_K)};
static const uint8_t v3_64[] = {TYPE(F32),
                                TYPE(F16),
                                TYPE(Q4_0),
                                TYPE(Q4_1),
                                N,
                                N,
                                TYPE(Q5_0),
                                TYPE(Q5_1),
                                TYPE(Q8_0),
                                N,
                                TYPE(Q2_K_64),
                                TYPE(Q3_K_64),
                                TYPE(Q4_K_64),
                                TYPE(Q5_K_64),
                                TYPE(Q6_K_64)};

/* rwkv.cpp's own numbers. */
static const uint8_t rwkv_v1[] = {TYPE(F32),     TYPE(F16),     TYPE(Q4_0_V1), TYPE(Q4_1_V1),
                                  TYPE(Q4_1_O),  TYPE(Q4_2_V1), TYPE(Q4_3_V1), TYPE(Q5_0_V1),
                                  TYPE(Q5_1_V1), TYPE(Q8_0_V1)};
static const uint8_t rwkv_v3[] = {TYPE(F32),  TYPE(F16),  TYPE(Q4_0), TYPE(Q4_1), N, N,
                                  N,          TYPE(Q5_0), TYPE(Q5_1), TYPE(Q8_0), N, TYPE(Q2_K),
                                  TYPE(Q3_K), TYPE(Q4_K), TYPE(Q5_K), TYPE(Q6_K)};
#undef N

#define TYPES(list) .types = list, .n_types = sizeof list

const struct ggfs_legacy_layout ggfs_legacy_layouts[GGFS_LAYOUT_COUNT] = {
    [GGFS_LAYOUT_V1] = {.name = "v1", TYPES(v1)},
    [GGFS_LAYOUT_V1_TYPE6] = {.name = "v1-type6", TYPES(v1_type6)},
    [GGFS_LAYOUT_V2] = {.name = "v2", TYPES(v2)},
    [GGFS_LAYOUT_V3] = {.name = "v3", TYPES(v3)},
    [GGFS_LAYOUT_V3_64] = {.name = "v3-64", TYPES(v3_64)},
    [GGFS_LAYOUT_V3_GGML] = {.name = "v3", TYPES(v3), .newer = true},
    [GGFS_LAYOUT_FLOATS] = {.name = "floats", .types = v1, .n_types = 2},
    [GGFS_LAYOUT_RWKV_V1] = {.name = "v1", TYPES(rwkv_v1)},
    [GGFS_LAYOUT_RWKV_V3] = {.name = "v3", TYPES(rwkv_v3)},
};

uint8_t ggfs_legacy_type(const struct ggfs_legacy_layout *layout, uint32_t number)
{
    uint8_t type;

    if (number < layout->n_types)
        return layout->types[number];
    if (!layout->newer || number < 16)
        return GGFS_TYPE_NONE;
    type = ggfs_gguf_type(number);
    /* Interleaved types never stood in these files. */
    return type != GGFS_TYPE_NONE && ggfs_types[type].woven_rows ? GGFS_TYPE_NONE : type;
}

struct ftype {
    int8_t number; /* in records */
    const char *words;
};

static const struct ftype llama_ftypes[] = {
    {0, "all F32"},
    {1, "mostly F16"},
    {2, "mostly Q4_0"},
    {3, "mostly Q4_1"},
    {3, "mostly Q4_1, some F16"},
    {4, "mostly Q4_2"},
    {5, "mostly Q4_3"},
    {8, "mostly Q8_0"},
    {6, "mostly Q5_0"},
    {7, "mostly Q5_1"},
    {10, "mostly Q2_K"},
    {11, "mostly Q3_K, small"},
    {11, "mostly Q3_K, medium"},
    {11, "mostly Q3_K, large"},
    {12, "mostly Q4_K, small"},
    {12, "mostly Q4_K, medium"},
    {13, "mostly Q5_K, small"},
    {13, "mostly Q5_K, medium"},
    {14, "mostly Q6_K"},
};

/* From 10 on, behind the same beginning. */
static const struct ftype ggml_ftypes[] = {
    {10, "mostly Q2_K"},   {11, "mostly Q3_K"},    {12, "mostly Q4_K"},   {13, "mostly Q5_K"},
    {14, "mostly Q6_K"},   {16, "mostly IQ2_XXS"}, {17, "mostly IQ2_XS"}, {18, "mostly IQ3_XXS"},
    {19, "mostly IQ1_S"},  {20, "mostly IQ4_NL"},  {21, "mostly IQ3_S"},  {22, "mostly IQ2_S"},
    {23, "mostly IQ4_XS"}, {29, "mostly IQ1_M"},   {30, "mostly BF16"},
};

/* The type number of the large matrices. */
static const struct ftype rwkv_ftypes[] = {
    {0, "all F32"},       {1, "mostly F16"},   {2, "mostly Q4_0"},  {3, "mostly Q4_1"},
    {4, "mostly Q4_1_O"}, {5, "mostly Q4_2"},  {6, "mostly Q4_3"},  {7, "mostly Q5_0"},
    {8, "mostly Q5_1"},   {9, "mostly Q8_0"},  {-1, NULL},          {11, "mostly Q2_K"},
    {12, "mostly Q3_K"},  {13, "mostly Q4_K"}, {14, "mostly Q5_K"}, {15, "mostly Q6_K"},
};

static const struct ftype *find(const struct ftype *list, size_t n, uint32_t base)
{
    return base < n && list[base].words ? &list[base] : NULL;
}

#define FIND(list, base) find(list, sizeof list / sizeof *list, base)

static const struct ftype *ftype_of(enum ggfs_legacy_ftypes which, uint32_t base)
{
    if (which == GGFS_FTYPES_RWKV)
        return FIND(rwkv_ftypes, base);
    if (which == GGFS_FTYPES_GGML && base >= 10)
        return FIND(ggml_ftypes, base - 10);
    return FIND(llama_ftypes, base);
}

int ggfs_legacy_ftype_number(enum ggfs_legacy_ftypes which, uint32_t base)
{
    const struct ftype *ftype = ftype_of(which, base);

    return ftype ? ftype->number : -1;
}

const char *ggfs_legacy_ftype_words(enum ggfs_legacy_ftypes which, uint32_t base)
{
    const struct ftype *ftype = ftype_of(which, base);

    return ftype ? ftype->words : NULL;
}
