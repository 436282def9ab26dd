/* SPDX-License-Identifier: MIT */
/* models_bad.c - the base model with one field wrong, a row each. */
#include <config.h>

#include "models.h"

static const uint64_t w_dims[] = {8}, v_dims[] = {32, 2};

void mk_base_make(struct mk_base *base, uint32_t version, bool big)
{
    struct mk *m = &base->m;

    mk_start(m, version, big);
    mk_key_str(m, "general.architecture", "llama");
    mk_key_int(m, "k", MK_U32, 7);
    base->key = m->at;
    mk_tensor_next(m, "w", MK_T_F32, 1, w_dims, 32);
    base->tensor = m->at;
    mk_tensor_next(m, "v", MK_T_Q8_0, 2, v_dims, 68);
    mk_data(m);
    mk_blocks(m, MK_T_F32, 8);
    mk_blocks(m, MK_T_Q8_0, 2);
}

size_t mk_field_offset(const struct mk_base *base, enum mk_field at)
{
    switch (at) {
    case MK_AT_MAGIC:
        return 0;
    case MK_AT_VERSION:
        return 4;
    case MK_AT_N_TENSORS:
        return base->m.n_tensors_at;
    case MK_AT_N_KV:
        return base->m.n_kv_at;
    case MK_AT_KEY_LENGTH:
        return base->key.key_length;
    case MK_AT_KEY_TYPE:
        return base->key.type;
    case MK_AT_NAME_LENGTH:
        return base->tensor.name_length;
    case MK_AT_N_DIMS:
        return base->tensor.n_dims;
    case MK_AT_DIM0:
        return base->tensor.dims;
    case MK_AT_TENSOR_TYPE:
        return base->tensor.tensor_type;
    case MK_AT_OFFSET:
        return base->tensor.offset;
    }
    return 0;
}

unsigned mk_field_width(const struct mk_base *base, enum mk_field at)
{
    switch (at) {
    case MK_AT_OFFSET:
        return 8;
    case MK_AT_N_TENSORS:
    case MK_AT_N_KV:
    case MK_AT_KEY_LENGTH:
    case MK_AT_NAME_LENGTH:
    case MK_AT_DIM0:
        return mk_length_bytes(&base->m);
    default:
        return 4;
    }
}

#define P(n) (UINT64_C(1) << (n))
#define MAX UINT64_MAX

const struct mk_wrong mk_wrong_kinds[] = {
    {"bad-magic-lower", MK_REFUSE, MK_AT_MAGIC, 0x66756767, "magic", "`gguf`"},
    {"bad-magic-zero", MK_REFUSE, MK_AT_MAGIC, 0, "magic", "zeros"},
    {"bad-version-0", MK_REFUSE, MK_AT_VERSION, 0, "version", "version 0"},
    {"bad-version-4", MK_REFUSE, MK_AT_VERSION, 4, "version", "version 4"},
    {"bad-version-be-4", MK_REFUSE, MK_AT_VERSION, P(26), "version", "big-endian version 4"},
    {"bad-version-65536", MK_REFUSE, MK_AT_VERSION, P(16), "version", "version 65536"},
    {"bad-version-max", MK_REFUSE, MK_AT_VERSION, UINT32_MAX, "version", "version 2^32-1"},
    {"bad-n_tensors-max", MK_REFUSE, MK_AT_N_TENSORS, MAX, "n_tensors", "2^64-1 tensors"},
    {"bad-n_tensors-2p63", MK_REFUSE, MK_AT_N_TENSORS, P(63), "n_tensors", "2^63 tensors"},
    {"bad-n_tensors-2p56", MK_REFUSE, MK_AT_N_TENSORS, P(56), "n_tensors", "2^56 tensors"},
    {"bad-n_tensors-2p32", MK_REFUSE, MK_AT_N_TENSORS, P(32), "n_tensors", "2^32 tensors"},
    {"bad-n_tensors-1e9", MK_REFUSE, MK_AT_N_TENSORS, 1000000000, "n_tensors", "10^9 tensors"},
    {"bad-n_kv-max", MK_REFUSE, MK_AT_N_KV, MAX, "n_kv", "2^64-1 keys"},
    {"bad-n_kv-2p32", MK_REFUSE, MK_AT_N_KV, P(32), "n_kv", "2^32 keys"},
    {"bad-key-length-max", MK_REFUSE, MK_AT_KEY_LENGTH, MAX, "kv[1].key.length", "2^64-1 bytes"},
    {"bad-key-length-2p32p1", MK_REFUSE, MK_AT_KEY_LENGTH, P(32) + 1, "kv[1].key.length",
     "2^32+1 bytes"},
    {"bad-key-length-10000", MK_REFUSE, MK_AT_KEY_LENGTH, 10000, "kv[1].key.length",
     "10,000 bytes"},
    {"bad-value-type-13", MK_REFUSE, MK_AT_KEY_TYPE, 13, "kv[1].type", "value type 13"},
    {"bad-value-type-256", MK_REFUSE, MK_AT_KEY_TYPE, 256, "kv[1].type", "value type 256"},
    {"bad-value-type-max", MK_REFUSE, MK_AT_KEY_TYPE, UINT32_MAX, "kv[1].type",
     "value type 2^32-1"},
    {"bad-name-length-max", MK_REFUSE, MK_AT_NAME_LENGTH, MAX, "tensor[0].name.length",
     "2^64-1 bytes"},
    {"bad-name-length-10000", MK_REFUSE, MK_AT_NAME_LENGTH, 10000, "tensor[0].name.length",
     "10,000 bytes"},
    {"bad-n_dims-2p29", MK_REFUSE, MK_AT_N_DIMS, P(29), "tensor[0].n_dims", "2^29 dimensions"},
    {"bad-n_dims-max", MK_REFUSE, MK_AT_N_DIMS, UINT32_MAX, "tensor[0].n_dims",
     "2^32-1 dimensions"},
    {"bad-n_dims-5", MK_EITHER, MK_AT_N_DIMS, 5, "tensor[0].n_dims", "5 dimensions"},
    {"bad-dims-2p63", MK_EITHER, MK_AT_DIM0, P(63), "tensor[0].dims[0]", "2^63 values"},
    {"bad-dims-max", MK_EITHER, MK_AT_DIM0, MAX, "tensor[0].dims[0]", "2^64-1 values"},
    {"bad-dims-2p62", MK_EITHER, MK_AT_DIM0, P(62), "tensor[0].dims[0]", "2^64 bytes"},
    {"bad-dims-2p38", MK_MARKED, MK_AT_DIM0, P(38), "tensor[0].dims[0]", "a terabyte"},
    {"bad-tensor-type-5", MK_MARKED, MK_AT_TENSOR_TYPE, 5, "tensor[0].type", "type 5"},
    {"bad-tensor-type-44", MK_MARKED, MK_AT_TENSOR_TYPE, 44, "tensor[0].type", "type 44"},
    {"bad-tensor-type-max", MK_MARKED, MK_AT_TENSOR_TYPE, UINT32_MAX, "tensor[0].type",
     "type 2^32-1"},
    {"bad-row", MK_EITHER, MK_AT_TENSOR_TYPE, MK_T_Q4_0, "tensor[0].dims[0]",
     "a row of a quarter of a block"},
    {"bad-offset-4096", MK_MARKED, MK_AT_OFFSET, 4096, "tensor[0].offset", "past the end"},
    {"bad-offset-2p63", MK_MARKED, MK_AT_OFFSET, P(63), "tensor[0].offset", "offset 2^63"},
    {"bad-offset-wrap", MK_MARKED, MK_AT_OFFSET, MAX - 31, "tensor[0].offset", "offset 2^64-32"},
    {"bad-offset-4", MK_EITHER, MK_AT_OFFSET, 4, "tensor[0].offset", "not aligned"},
    {NULL, MK_REFUSE, MK_AT_MAGIC, 0, NULL, NULL},
};
