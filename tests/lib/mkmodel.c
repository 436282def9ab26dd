/* SPDX-License-Identifier: MIT */
/* mkmodel.c - GGUF records into a growing buffer. */
#include <config.h>

#include "mkmodel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void make_room(struct mk *m, size_t n)
{
    if (m->room - m->size >= n)
        return;
    m->room = m->room * 2 + n + 4096;
    m->data = realloc(m->data, m->room);
    if (!m->data) {
        fputs("mkmodel: no memory\n", stderr);
        exit(2);
    }
}

void mk_put(struct mk *m, const void *bytes, size_t n)
{
    make_room(m, n);
    if (n)
        memcpy(m->data + m->size, bytes, n);
    m->size += n;
}

void mk_zeros(struct mk *m, size_t n)
{
    make_room(m, n);
    if (n)
        memset(m->data + m->size, 0, n);
    m->size += n;
}

static void store(uint8_t *to, unsigned width, uint64_t value, bool big)
{
    for (unsigned i = 0; i < width; i++)
        to[big ? width - 1 - i : i] = (uint8_t)(value >> 8 * i);
}

static void put_word(struct mk *m, unsigned width, uint64_t value)
{
    uint8_t word[8];

    store(word, width, value, m->big);
    mk_put(m, word, width);
}

void mk_u8(struct mk *m, uint8_t value)
{
    put_word(m, 1, value);
}

void mk_u16(struct mk *m, uint16_t value)
{
    put_word(m, 2, value);
}

void mk_u32(struct mk *m, uint32_t value)
{
    put_word(m, 4, value);
}

void mk_u64(struct mk *m, uint64_t value)
{
    put_word(m, 8, value);
}

void mk_f32(struct mk *m, float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    mk_u32(m, bits);
}

void mk_f64(struct mk *m, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    mk_u64(m, bits);
}

unsigned mk_length_bytes(const struct mk *m)
{
    return m->version == 1 ? 4 : 8;
}

void mk_length(struct mk *m, uint64_t value)
{
    put_word(m, mk_length_bytes(m), value);
}

void mk_start(struct mk *m, uint32_t version, bool big)
{
    *m = (struct mk){.version = version, .big = big, .alignment = 32, .seed = 1};
    mk_put(m, "GGUF", 4);
    mk_u32(m, version);
    m->n_tensors_at = m->size;
    mk_length(m, 0);
    m->n_kv_at = m->size;
    mk_length(m, 0);
}

void mk_free(struct mk *m)
{
    free(m->data);
    *m = (struct mk){0};
}

void mk_string_n(struct mk *m, const void *bytes, size_t n)
{
    mk_length(m, n);
    mk_put(m, bytes, n);
}

void mk_string(struct mk *m, const char *text)
{
    mk_string_n(m, text, strlen(text));
}

void mk_key_n(struct mk *m, const void *name, size_t n, uint32_t type)
{
    mk_counts(m, m->n_tensors, m->n_kv + 1);
    m->n_kv++;
    m->at.key_length = m->size;
    m->at.key_bytes = m->size + mk_length_bytes(m);
    mk_string_n(m, name, n);
    m->at.type = m->size;
    mk_u32(m, type);
    m->at.value = m->size;
}

void mk_key(struct mk *m, const char *name, uint32_t type)
{
    mk_key_n(m, name, strlen(name), type);
}

static unsigned width_of(uint32_t type)
{
    switch (type) {
    case MK_U8:
    case MK_I8:
    case MK_BOOL:
        return 1;
    case MK_U16:
    case MK_I16:
        return 2;
    case MK_U64:
    case MK_I64:
    case MK_F64:
        return 8;
    default:
        return 4;
    }
}

void mk_key_int(struct mk *m, const char *name, uint32_t type, int64_t value)
{
    mk_key(m, name, type);
    put_word(m, width_of(type), (uint64_t)value);
}

void mk_key_f32(struct mk *m, const char *name, float value)
{
    mk_key(m, name, MK_F32);
    mk_f32(m, value);
}

void mk_key_f64(struct mk *m, const char *name, double value)
{
    mk_key(m, name, MK_F64);
    mk_f64(m, value);
}

void mk_key_str(struct mk *m, const char *name, const char *value)
{
    mk_key(m, name, MK_STR);
    mk_string(m, value);
}

void mk_array(struct mk *m, uint32_t elem, uint64_t count)
{
    m->at.elem = m->size;
    mk_u32(m, elem);
    m->at.count = m->size;
    mk_length(m, count);
    m->at.elems = m->size;
}

void mk_key_array(struct mk *m, const char *name, uint32_t elem, uint64_t count)
{
    mk_key(m, name, MK_ARR);
    mk_array(m, elem, count);
}

void mk_key_strs(struct mk *m, const char *name, const char *const *values, size_t n)
{
    mk_key_array(m, name, MK_STR, n);
    for (size_t i = 0; i < n; i++)
        mk_string(m, values[i]);
}

void mk_key_alignment(struct mk *m, uint32_t alignment)
{
    mk_key_int(m, "general.alignment", MK_U32, alignment);
    m->alignment = alignment;
}

void mk_tensor_n(struct mk *m, const void *name, size_t n, uint32_t type, uint32_t n_dims,
                 const uint64_t *dims, uint64_t offset)
{
    mk_counts(m, m->n_tensors + 1, m->n_kv);
    m->n_tensors++;
    m->at.name_length = m->size;
    m->at.name_bytes = m->size + mk_length_bytes(m);
    mk_string_n(m, name, n);
    m->at.n_dims = m->size;
    mk_u32(m, n_dims);
    m->at.dims = m->size;
    for (uint32_t i = 0; i < n_dims; i++)
        mk_length(m, dims[i]);
    m->at.tensor_type = m->size;
    mk_u32(m, type);
    m->at.offset = m->size;
    mk_u64(m, offset);
}

void mk_tensor(struct mk *m, const char *name, uint32_t type, uint32_t n_dims, const uint64_t *dims,
               uint64_t offset)
{
    mk_tensor_n(m, name, strlen(name), type, n_dims, dims, offset);
}

static uint64_t aligned(const struct mk *m, uint64_t offset)
{
    uint64_t over = m->alignment ? offset % m->alignment : 0;

    return over ? offset + (m->alignment - over) : offset;
}

uint64_t mk_tensor_next(struct mk *m, const char *name, uint32_t type, uint32_t n_dims,
                        const uint64_t *dims, uint64_t bytes)
{
    uint64_t offset = aligned(m, m->next);

    mk_tensor(m, name, type, n_dims, dims, offset);
    m->next = offset + bytes;
    return offset;
}

void mk_data(struct mk *m)
{
    mk_zeros(m, (size_t)(aligned(m, m->size) - m->size));
    m->data_at = m->size;
}

void mk_data_to(struct mk *m, uint64_t offset)
{
    uint64_t end = m->data_at + offset;

    if (end > m->size)
        mk_zeros(m, (size_t)(end - m->size));
}

void mk_counts(struct mk *m, uint64_t n_tensors, uint64_t n_kv)
{
    mk_patch(m, m->n_tensors_at, mk_length_bytes(m), n_tensors);
    mk_patch(m, m->n_kv_at, mk_length_bytes(m), n_kv);
}

void mk_patch(struct mk *m, size_t at, unsigned width, uint64_t value)
{
    store(m->data + at, width, value, m->big);
}

void mk_cut(struct mk *m, size_t size)
{
    if (size < m->size)
        m->size = size;
}

/* SplitMix64. */
uint64_t mk_random(struct mk *m)
{
    uint64_t z = m->seed += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

unsigned mk_block_bytes(uint32_t type)
{
    switch (type) {
    case MK_T_F32:
    case MK_T_I32:
        return 4;
    case MK_T_F16:
    case MK_T_BF16:
    case MK_T_I16:
        return 2;
    case MK_T_F64:
    case MK_T_I64:
        return 8;
    case MK_T_I8:
        return 1;
    case MK_T_Q4_0:
        return 18;
    case MK_T_Q4_1:
        return 20;
    case MK_T_Q8_0:
        return 34;
    default:
        return 0;
    }
}

unsigned mk_block_values(uint32_t type)
{
    return type == MK_T_Q4_0 || type == MK_T_Q4_1 || type == MK_T_Q8_0 ? 32 : 1;
}

/* A half between 2^-10 and 2^-6 of either sign, as scales of weights are. */
static uint16_t small_half(uint64_t random)
{
    return (uint16_t)((0x1400 + (random & 0x0FFF)) | (random >> 12 & 1) << 15);
}

static void put_float(struct mk *m, uint32_t type, uint64_t random)
{
    float value = (float)((int)(random % 4097) - 2048) / 1024.0f;
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    if (type == MK_T_F16)
        mk_u16(m, small_half(random));
    else if (type == MK_T_BF16)
        mk_u16(m, (uint16_t)(bits >> 16));
    else if (type == MK_T_F64)
        mk_f64(m, (double)value / 3);
    else
        mk_f32(m, value);
}

static void put_quants(struct mk *m, uint32_t type)
{
    unsigned left = mk_block_bytes(type) - 2;

    mk_u16(m, small_half(mk_random(m)));
    if (type == MK_T_Q4_1) {
        mk_u16(m, small_half(mk_random(m)));
        left -= 2;
    }
    for (; left > 0; left -= 8 < left ? 8 : left) {
        uint64_t random = mk_random(m);
        uint8_t bytes[8];
        store(bytes, 8, random, false);
        mk_put(m, bytes, left < 8 ? left : 8);
    }
}

void mk_blocks(struct mk *m, uint32_t type, size_t nblocks)
{
    for (size_t i = 0; i < nblocks; i++) {
        if (mk_block_values(type) > 1)
            put_quants(m, type);
        else if (type >= MK_T_I8 && type <= MK_T_I64)
            put_word(m, mk_block_bytes(type), mk_random(m) >> 3 & 0x7FFFFFF);
        else
            put_float(m, type, mk_random(m));
    }
}

static bool write_all(int fd, const uint8_t *bytes, size_t n)
{
    while (n > 0) {
        ssize_t wrote = write(fd, bytes, n);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return false;
        bytes += wrote;
        n -= (size_t)wrote;
    }
    return true;
}

bool mk_write(const struct mk *m, const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    bool ok = fd >= 0 && write_all(fd, m->data, m->size);

    if (ok && m->file_size > m->size)
        ok = ftruncate(fd, (off_t)m->file_size) == 0;
    if (!ok)
        fprintf(stderr, "mkmodel: %s: %s\n", path, strerror(errno));
    if (fd >= 0 && close(fd) != 0)
        ok = false;
    return ok;
}
