/* SPDX-License-Identifier: MIT */
/* model.h - what a model file holds, as plain data: files, keys, tensors. Made by a container's
 * parser, settled once, constant from then on. */
#ifndef GGFS_MODEL_MODEL_H
#define GGFS_MODEL_MODEL_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "kernels/types.h"
#include "model/source.h"
#include "model/value.h"

#include <stdbool.h>
#include <stdint.h>

#define GGFS_MAX_DIMS 4

struct ggfs_joined;

/* How bad a finding is, as --check says it. */
enum ggfs_level { GGFS_LEVEL_NOTE, GGFS_LEVEL_WARNING, GGFS_LEVEL_ERROR };

struct ggfs_key {
    struct ggfs_str name;
    struct ggfs_value value;
    uint64_t at;       /* file offset of the record, which begins with the name's length */
    uint64_t type_at;  /* file offset of the value's type word */
    uint64_t value_at; /* file offset of the value behind its type */
    uint32_t source;   /* index of the file */
};

/* What is wrong or odd about a tensor: a row of faults.def each. */
enum ggfs_fault {
#define F(id, name, level, hides, field, text) GGFS_FAULT_##id,
#include "model/faults.def"
#undef F
    GGFS_FAULT_COUNT,
};

struct ggfs_fault_info {
    const char *name;      /* the check's name in --check */
    enum ggfs_level level; /* as --check reports it */
    bool hides;            /* no view: its blocks cannot be told */
    const char *field;     /* the field of the tensor record that shows it */
    const char *text;      /* a sentence without numbers, for tensors.json */
};

extern const struct ggfs_fault_info ggfs_faults[GGFS_FAULT_COUNT];

struct ggfs_tensor {
    struct ggfs_str name;
    uint64_t ne[GGFS_MAX_DIMS]; /* ne[0] is the row's length; 1 beyond n_dims */
    uint64_t offset;            /* of its bytes in the file; GGFS_NO_OFFSET where that wraps */
    uint64_t room;              /* bytes from offset to the next tensor or the end of the file */
    uint64_t values;            /* product of ne; 0 where that overflows */
    uint64_t bytes;             /* by type and ne; the room where those do not tell */
    uint64_t at;                /* file offset of its record */
    uint32_t type_id;           /* the number in the file */
    uint32_t source;            /* index of the file */
    uint16_t faults;            /* 1u << enum ggfs_fault each */
    uint8_t type;               /* enum ggfs_type */
    uint8_t n_dims;
    bool exact; /* the container knows where the bytes end: the parser has set room */
    bool flat;  /* blocks run on from row to row: ne[0] need not be a multiple of the block */
    struct ggfs_joined *joined; /* lies in several files, offset tells nothing; else NULL */
};

/* A finding about the model as a whole, for tensors.json and --check. */
struct ggfs_note {
    struct ggfs_note *next;
    const char *check; /* the name that --check gives it */
    const char *text;
    uint64_t offset; /* in the file, or GGFS_NO_OFFSET */
    uint32_t source; /* index of the file */
    enum ggfs_level level;
};

struct ggfs_model {
    struct ggfs_arena arena;     /* owns what is not said to come from malloc */
    uint8_t *header;             /* the one copy of the header, from malloc */
    uint64_t header_size;
    struct ggfs_source *sources;
    struct ggfs_key *keys;       /* in file order, from malloc */
    struct ggfs_tensor *tensors; /* in file order, from malloc */
    struct ggfs_note *notes;
    uint32_t n_sources, n_keys, n_tensors, n_notes;
    const char *format;          /* `GGUF 3 little-endian` */
    const char *file_type;       /* what general.file_type says, in words; NULL: nothing */
};

/* An empty model, to be filled by a parser. NULL and a filled err without memory. */
struct ggfs_model *ggfs_model_new(struct ggfs_err *err);

/* Adds a copy of note, its text (printed from format) included, behind those that there are. A file
 * can give reason for millions: the thousandth says that there are more, later ones are dropped. */
bool ggfs_model_note(struct ggfs_model *model, const struct ggfs_note *note, struct ggfs_err *err,
                     const char *format, ...) GGFS_PRINTF(4, 5);

/* Closes the files and gives all memory back. NULL is fine. */
void ggfs_model_free(struct ggfs_model *model);

/* Sizes, rooms and faults of all tensors, from type, ne, offset and the files' sizes. Once, after
 * the parser has filled in the rest. */
bool ggfs_model_settle(struct ggfs_model *model, struct ggfs_err *err);

/* The numbers of all tensors by file, offset and number; the caller frees it. NULL and a filled err
 * without memory. */
uint32_t *ggfs_model_order(const struct ggfs_model *model, struct ggfs_err *err);

/* The first key of this name, or NULL. Walks all keys: not for hot paths. */
const struct ggfs_key *ggfs_model_key(const struct ggfs_model *model, const char *name);

/* The first string value of this name, empty where there is none. */
struct ggfs_str ggfs_model_text(const struct ggfs_model *model, const char *name);

/* True where some fault leaves the tensor's values untold. */
bool ggfs_tensor_hidden(const struct ggfs_tensor *tensor);

/* Bytes of the tensor that its files really hold (as opened). */
uint64_t ggfs_tensor_present(const struct ggfs_model *model, const struct ggfs_tensor *tensor);

/* Type name for tensors.tsv: the row's, or `type137`. out has room for 16 bytes. */
const char *ggfs_tensor_type_name(const struct ggfs_tensor *tensor, char out[16]);

/* File offset of the first byte of its name, in its record. */
uint64_t ggfs_tensor_name_at(const struct ggfs_model *model, const struct ggfs_tensor *tensor);

/* The same of its first dimension. */
uint64_t ggfs_tensor_dims_at(const struct ggfs_model *model, const struct ggfs_tensor *tensor);

/* File offset and name of the record's field that a fault speaks of: `tensor[12].offset`. */
uint64_t ggfs_tensor_field(const struct ggfs_model *model, uint32_t index, enum ggfs_fault fault,
                           char *field, size_t size);

#endif
