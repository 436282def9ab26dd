/* SPDX-License-Identifier: MIT */
/* value.h - a metadata value as it lies in the model's header, and a walk over its elements. */
#ifndef GGFS_MODEL_VALUE_H
#define GGFS_MODEL_VALUE_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/* The types of a value. An array of arrays is kept as the file has it, with the types of the inner
 * arrays inside, so the numbers are those of the GGUF specification. */
enum ggfs_value_type {
    GGFS_VALUE_U8 = 0,
    GGFS_VALUE_I8 = 1,
    GGFS_VALUE_U16 = 2,
    GGFS_VALUE_I16 = 3,
    GGFS_VALUE_U32 = 4,
    GGFS_VALUE_I32 = 5,
    GGFS_VALUE_F32 = 6,
    GGFS_VALUE_BOOL = 7,
    GGFS_VALUE_STR = 8,
    GGFS_VALUE_ARR = 9,
    GGFS_VALUE_U64 = 10,
    GGFS_VALUE_I64 = 11,
    GGFS_VALUE_F64 = 12,
    GGFS_VALUE_TYPES,
};

/* Deepest nesting of arrays, the outermost counting as 1 (tree.md; it bounds the walk's state). */
#define GGFS_VALUE_DEPTH 16

struct ggfs_value {
    const uint8_t *data; /* a scalar's bytes, a string's bytes, an array's first element */
    uint64_t size;       /* bytes at data */
    uint64_t count;      /* elements of an array, else 1 */
    uint8_t type;        /* enum ggfs_value_type */
    uint8_t elem;        /* an array's element type, else the same as type */
    uint8_t len_bytes;   /* width of lengths and counts inside: 8, or 4 (GGUF 1) */
    bool big;            /* byte order of everything inside */
};

/* Bytes of a number or bool in a file; 0 for strings and arrays. */
unsigned ggfs_value_width(unsigned type);

/* `u8` … `f64`, `bool`, `str`, `arr`; the name as in metadata.tsv. */
const char *ggfs_value_type_name(unsigned type);

/* Scalar bytes at p read as each family of types; type must be of that family. */
uint64_t ggfs_value_unsigned(const uint8_t *p, unsigned type, bool big); /* u8 u16 u32 u64 bool */
int64_t ggfs_value_signed(const uint8_t *p, unsigned type, bool big);    /* i8 i16 i32 i64 */
double ggfs_value_float(const uint8_t *p, unsigned type, bool big);      /* f32 f64, exact */
bool ggfs_value_is_integer(unsigned type);                               /* not bool */
bool ggfs_value_is_unsigned(unsigned type);                              /* u8 u16 u32 u64 */

/* The value as a non-negative integer, where it is a scalar of an integer type that is one. */
bool ggfs_value_as_u64(const struct ggfs_value *value, uint64_t *out);

/* The value as a string, where it is a scalar string. */
bool ggfs_value_as_str(const struct ggfs_value *value, struct ggfs_str *out);

/* A place in the walk over an array: elements in order, inner arrays opened and closed. The value
 * must have been checked by the container's parser. Plain data: a copy is a bookmark. */
struct ggfs_value_walk {
    uint64_t at;    /* offset in value->data of what comes next */
    uint32_t depth; /* open arrays, the outermost included; 0 when the walk is over */
    struct {
        uint64_t left; /* elements still to come */
        uint64_t done; /* elements already given */
        uint8_t elem;
    } open[GGFS_VALUE_DEPTH];
};

enum ggfs_value_step { GGFS_VALUE_END, GGFS_VALUE_SCALAR, GGFS_VALUE_OPEN, GGFS_VALUE_CLOSE };

/* One step: SCALAR gives its type and bytes (a string's bytes without its length), OPEN has entered
 * an inner array, CLOSE has left one, END: no more. index: place among its siblings, for SCALAR and
 * OPEN. */
struct ggfs_value_item {
    enum ggfs_value_step step;
    uint8_t type;
    uint64_t index;
    struct ggfs_str bytes;
};

void ggfs_value_walk_start(struct ggfs_value_walk *walk, const struct ggfs_value *value);
void ggfs_value_walk_next(struct ggfs_value_walk *walk, const struct ggfs_value *value,
                          struct ggfs_value_item *item);

#endif
