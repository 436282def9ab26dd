/* SPDX-License-Identifier: MIT */
/* mkmodel.h - a writer of GGUF files for tests, good ones and wrong ones. Stands alone; stops the
 * program where there is no memory. */
#ifndef GGFS_TESTS_MKMODEL_H
#define GGFS_TESTS_MKMODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mk_value_type {
    MK_U8,
    MK_I8,
    MK_U16,
    MK_I16,
    MK_U32,
    MK_I32,
    MK_F32,
    MK_BOOL,
    MK_STR,
    MK_ARR,
    MK_U64,
    MK_I64,
    MK_F64,
};

/* Type numbers as they stand in files. */
enum mk_tensor_type {
    MK_T_F32 = 0,
    MK_T_F16 = 1,
    MK_T_Q4_0 = 2,
    MK_T_Q4_1 = 3,
    MK_T_Q8_0 = 8,
    MK_T_Q4_K = 12,
    MK_T_I8 = 24,
    MK_T_I16 = 25,
    MK_T_I32 = 26,
    MK_T_I64 = 27,
    MK_T_F64 = 28,
    MK_T_BF16 = 30,
};

/* Where the fields of the latest key and the latest tensor lie. */
struct mk_marks {
    size_t key_length, key_bytes, type, value, elem, count, elems;
    size_t name_length, name_bytes, n_dims, dims, tensor_type, offset;
};

struct mk {
    uint8_t *data;
    size_t size, room;
    uint32_t version;
    bool big;
    uint64_t alignment;           /* that mk_data pads to; 32 at first */
    uint64_t n_tensors, n_kv;     /* begun so far */
    size_t n_tensors_at, n_kv_at; /* where the counts lie */
    size_t data_at;               /* where the tensors' bytes begin, set by mk_data */
    uint64_t next;                /* offset for the next tensor of mk_tensor_next */
    uint64_t file_size;           /* of the written file where larger than size: a hole */
    uint64_t seed;
    struct mk_marks at;
};

/* Magic, version (1, 2, 3 or a wrong one; 1 has lengths of 4 bytes) and room for the counts, which
 * mk_key and mk_tensor keep up to date. */
void mk_start(struct mk *m, uint32_t version, bool big);
void mk_free(struct mk *m);

/* Bytes and words at the end, in the file's byte order. */
void mk_put(struct mk *m, const void *bytes, size_t n);
void mk_u8(struct mk *m, uint8_t value);
void mk_u16(struct mk *m, uint16_t value);
void mk_u32(struct mk *m, uint32_t value);
void mk_u64(struct mk *m, uint64_t value);
void mk_f32(struct mk *m, float value);
void mk_f64(struct mk *m, double value);
void mk_zeros(struct mk *m, size_t n);

/* A length or count: 4 bytes in version 1, else 8. */
void mk_length(struct mk *m, uint64_t value);
unsigned mk_length_bytes(const struct mk *m);

/* A length and the bytes. */
void mk_string(struct mk *m, const char *text);
void mk_string_n(struct mk *m, const void *bytes, size_t n);

/* Name and type of one more key; the value is put behind it by the caller. */
void mk_key(struct mk *m, const char *name, uint32_t type);
void mk_key_n(struct mk *m, const void *name, size_t n, uint32_t type);

/* A whole key. mk_key_int takes every integer type and bool. */
void mk_key_int(struct mk *m, const char *name, uint32_t type, int64_t value);
void mk_key_f32(struct mk *m, const char *name, float value);
void mk_key_f64(struct mk *m, const char *name, double value);
void mk_key_str(struct mk *m, const char *name, const char *value);
void mk_key_strs(struct mk *m, const char *name, const char *const *values, size_t n);

/* An array's key up to its count; the elements are put behind it by the caller. */
void mk_key_array(struct mk *m, const char *name, uint32_t elem, uint64_t count);

/* An inner array's type and count, as an element. */
void mk_array(struct mk *m, uint32_t elem, uint64_t count);

/* general.alignment, which from now on is that of mk_data and mk_tensor_next too. */
void mk_key_alignment(struct mk *m, uint32_t alignment);

/* The record of one more tensor, its offset counted from the data section. */
void mk_tensor(struct mk *m, const char *name, uint32_t type, uint32_t n_dims, const uint64_t *dims,
               uint64_t offset);
void mk_tensor_n(struct mk *m, const void *name, size_t n, uint32_t type, uint32_t n_dims,
                 const uint64_t *dims, uint64_t offset);

/* The same at the next free aligned offset, which is returned; bytes are what it will take. */
uint64_t mk_tensor_next(struct mk *m, const char *name, uint32_t type, uint32_t n_dims,
                        const uint64_t *dims, uint64_t bytes);

/* Begins the data section: pads to the alignment. */
void mk_data(struct mk *m);

/* Zeros up to this offset in the data section (none where it is reached already). */
void mk_data_to(struct mk *m, uint64_t offset);

/* The counts of the header as these, right or wrong. Call it last. */
void mk_counts(struct mk *m, uint64_t n_tensors, uint64_t n_kv);

/* width (1, 2, 4 or 8) bytes at offset `at` become value, in the file's byte order. */
void mk_patch(struct mk *m, size_t at, unsigned width, uint64_t value);

/* The file ends after size bytes. */
void mk_cut(struct mk *m, size_t size);

/* The next number of a fixed sequence that m->seed selects. */
uint64_t mk_random(struct mk *m);

/* nblocks little-endian blocks of this type (F32 F16 BF16 F64 I8..I64 Q4_0 Q4_1 Q8_0) with small
 * finite values from mk_random. Bytes a block: mk_block_bytes, 0 for other types. */
void mk_blocks(struct mk *m, uint32_t type, size_t nblocks);
unsigned mk_block_bytes(uint32_t type);
unsigned mk_block_values(uint32_t type);

/* False and a line on stderr where the file cannot be written. */
bool mk_write(const struct mk *m, const char *path);

#endif
