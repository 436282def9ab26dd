/* SPDX-License-Identifier: MIT */
/* gguf_types.c - GGUF's numbers for types of tensors and of files. */
#include <config.h>

#include "formats/gguf_types.h"

#include "kernels/types.h"
#include "model/model.h"

#include <string.h>

/* GGUF's tensor type numbers. 4 and 5 never stood in files; 31-33 and 36-38 left ggml in
 * 2024-12. */
static const uint8_t types[] = {
    [0] = GGFS_TYPE_F32,         [1] = GGFS_TYPE_F16,         [2] = GGFS_TYPE_Q4_0,
    [3] = GGFS_TYPE_Q4_1,        [4] = GGFS_TYPE_NONE,        [5] = GGFS_TYPE_NONE,
    [6] = GGFS_TYPE_Q5_0,        [7] = GGFS_TYPE_Q5_1,        [8] = GGFS_TYPE_Q8_0,
    [9] = GGFS_TYPE_Q8_1,        [10] = GGFS_TYPE_Q2_K,       [11] = GGFS_TYPE_Q3_K,
    [12] = GGFS_TYPE_Q4_K,       [13] = GGFS_TYPE_Q5_K,       [14] = GGFS_TYPE_Q6_K,
    [15] = GGFS_TYPE_Q8_K,       [16] = GGFS_TYPE_IQ2_XXS,    [17] = GGFS_TYPE_IQ2_XS,
    [18] = GGFS_TYPE_IQ3_XXS,    [19] = GGFS_TYPE_IQ1_S,      [20] = GGFS_TYPE_IQ4_NL,
    [21] = GGFS_TYPE_IQ3_S,      [22] = GGFS_TYPE_IQ2_S,      [23] = GGFS_TYPE_IQ4_XS,
    [24] = GGFS_TYPE_I8,         [25] = GGFS_TYPE_I16,        [26] = GGFS_TYPE_I32,
    [27] = GGFS_TYPE_I64,        [28] = GGFS_TYPE_F64,        [29] = GGFS_TYPE_IQ1_M,
    [30] = GGFS_TYPE_BF16,       [31] = GGFS_TYPE_Q4_0_4_4,   [32] = GGFS_TYPE_Q4_0_4_8,
    [33] = GGFS_TYPE_Q4_0_8_8,   [34] = GGFS_TYPE_TQ1_0,      [35] = GGFS_TYPE_TQ2_0,
    [36] = GGFS_TYPE_IQ4_NL_4_4, [37] = GGFS_TYPE_IQ4_NL_4_8, [38] = GGFS_TYPE_IQ4_NL_8_8,
    [39] = GGFS_TYPE_MXFP4,      [40] = GGFS_TYPE_NVFP4,      [41] = GGFS_TYPE_Q1_0,
    [42] = GGFS_TYPE_Q2_0,       [43] = GGFS_TYPE_F8_E4M3,
};

/* general.file_type: what most of the matrices are, by llama.cpp's numbers. */
static const char *const file_types[] = {
    [0] = "all F32",          [1] = "mostly F16",       [2] = "mostly Q4_0",
    [3] = "mostly Q4_1",      [4] = "mostly Q4_1, some F16", [5] = "mostly Q4_2",
    [6] = "mostly Q4_3",      [7] = "mostly Q8_0",      [8] = "mostly Q5_0",
    [9] = "mostly Q5_1",      [10] = "mostly Q2_K",     [11] = "mostly Q3_K, small",
    [12] = "mostly Q3_K, medium", [13] = "mostly Q3_K, large", [14] = "mostly Q4_K, small",
    [15] = "mostly Q4_K, medium", [16] = "mostly Q5_K, small", [17] = "mostly Q5_K, medium",
    [18] = "mostly Q6_K",     [19] = "mostly IQ2_XXS",  [20] = "mostly IQ2_XS",
    [21] = "mostly Q2_K, small", [22] = "mostly IQ3_XS", [23] = "mostly IQ3_XXS",
    [24] = "mostly IQ1_S",    [25] = "mostly IQ4_NL",   [26] = "mostly IQ3_S",
    [27] = "mostly IQ3_M",    [28] = "mostly IQ2_S",    [29] = "mostly IQ2_M",
    [30] = "mostly IQ4_XS",   [31] = "mostly IQ1_M",    [32] = "mostly BF16",
    [33] = "mostly Q4_0_4_4", [34] = "mostly Q4_0_4_8", [35] = "mostly Q4_0_8_8",
    [36] = "mostly TQ1_0",    [37] = "mostly TQ2_0",    [38] = "mostly MXFP4",
};

uint8_t ggfs_gguf_type(uint32_t number)
{
    return number < sizeof types / sizeof *types ? types[number] : GGFS_TYPE_NONE;
}

/* What gguf-py's gguf_convert_endian.py swaps (2026-06), beside what has single bytes only. */
static bool has_defined_order(uint8_t type)
{
    static const uint8_t defined[] = {GGFS_TYPE_F32,  GGFS_TYPE_F16,  GGFS_TYPE_BF16,
                                      GGFS_TYPE_Q4_0, GGFS_TYPE_Q8_0, GGFS_TYPE_Q4_K,
                                      GGFS_TYPE_Q6_K};

    return memchr(defined, type, sizeof defined) || !strpbrk(ggfs_types[type].fields, "hwd");
}

void ggfs_gguf_set_type(struct ggfs_tensor *tensor, bool big)
{
    bool reserved = tensor->type_id < sizeof types / sizeof *types;

    tensor->type = ggfs_gguf_type(tensor->type_id);
    if (tensor->type == GGFS_TYPE_NONE) {
        tensor->faults |= 1u << (reserved ? GGFS_FAULT_NO_SUCH_TYPE : GGFS_FAULT_UNKNOWN_TYPE);
        return;
    }
    if (ggfs_types[tensor->type].woven_rows)
        tensor->faults |= 1u << GGFS_FAULT_REMOVED_TYPE;
    if (big && !has_defined_order(tensor->type))
        tensor->faults |= 1u << GGFS_FAULT_OWN_SWAP;
}

const char *ggfs_gguf_file_type(uint64_t number)
{
    return number < sizeof file_types / sizeof *file_types ? file_types[number] : NULL;
}
