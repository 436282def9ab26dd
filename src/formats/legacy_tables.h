/* SPDX-License-Identifier: MIT */
/* legacy_tables.h - what is known of the containers from before GGUF, as tables: containers, frames
 * (the words and lists in front of the tensors), architectures, block layouts, ftype words. */
#ifndef GGFS_FORMATS_LEGACY_TABLES_H
#define GGFS_FORMATS_LEGACY_TABLES_H

#include "kernels/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Families of frames that share a magic and a range of versions. */
enum ggfs_legacy_family {
    GGFS_LEGACY_GGML = 1, /* no version, no padding; scores by frame */
    GGFS_LEGACY_GGMF = 2, /* scores */
    GGFS_LEGACY_RWKV = 4, /* ggmf 100 and 101: no vocabulary, type numbers of its own */
    GGFS_LEGACY_GGJT = 8, /* scores, data padded to 32 */
    GGFS_LEGACY_GGLA = 16,
    GGFS_LEGACY_GGMM = 32, /* gpt4all's MPT, no version, no padding */
    GGFS_LEGACY_REPL = 64, /* gpt4all's Replit, the same with scores */
};

/* What stands in front of the tensors, item by item. */
enum ggfs_legacy_item_kind {
    GGFS_ITEM_WORD,
    GGFS_ITEM_F32,
    GGFS_ITEM_VOCAB,    /* word: how many tokens there are */
    GGFS_ITEM_FTYPE,    /* word: what most of the large matrices are */
    GGFS_ITEM_STRING,   /* word: its length; its bytes */
    GGFS_ITEM_GRID,     /* f32s, as many as the product of words `of` and `of` + 1 */
    GGFS_ITEM_FLOATS,   /* f32s, as many as word `of` says */
    GGFS_ITEM_WORDS,    /* words, as many as word `of` says */
    GGFS_ITEM_LAYERS,   /* three words each for as many layers as word `of` says */
    GGFS_ITEM_TOKENS,   /* the vocabulary */
    GGFS_ITEM_ONE_LESS, /* the vocabulary without its last token */
    GGFS_ITEM_REPEATED, /* word: the number of tokens once more; the vocabulary */
    GGFS_ITEM_COUNTED,  /* word: a number of tokens; so many of them */
};

struct ggfs_legacy_item {
    uint8_t kind;
    uint8_t of;       /* word by index, or, for a nameless item, the number of its wordN */
    const char *name; /* of the key; NULL: the architecture's names, else word0, word1, … */
};

/* An architecture that has a frame, and what the frame's words are called then. */
struct ggfs_legacy_arch {
    const char *name;   /* as -o frame= takes it too */
    const char *gguf;   /* general.architecture */
    const char *marker; /* the tensor that only this architecture has; NULL: the frame tells it */
    const char *fields; /* names of the frame's words, blanks between; NULL: those of the items */
    const char *also;   /* others that nothing in the file sets apart; or NULL */
    bool alone;         /* GGUF has no keys for it */
};

struct ggfs_legacy_frame {
    const char *name;
    uint32_t families; /* enum ggfs_legacy_family bits */
    bool scores;       /* tokens have scores even where the container has none */
    bool nameless;     /* records without name, length and type */
    bool marks;        /* bit 31 of a token's length marks a special one */
    bool no_digit;     /* a writer left the version out of ftype: see legacy_choose.c */
    bool v1_to_v3;     /* the same, from v1 straight to v3 */
    uint8_t third;     /* word that ne[2] of convolutions equals; 0: none */
    const struct ggfs_legacy_item *items;
    size_t n_items;
    const struct ggfs_legacy_arch *archs;
    size_t n_archs;
};

/* In the order in which they are preferred where several fit. */
extern const struct ggfs_legacy_frame ggfs_legacy_frames[];
extern const size_t ggfs_legacy_n_frames;

/* What the type numbers in records mean. */
struct ggfs_legacy_layout {
    const char *name;
    const uint8_t *types; /* enum ggfs_type by number */
    uint8_t n_types;
    bool newer; /* GGUF's numbers from 16 on too */
};

enum ggfs_legacy_layout_id {
    GGFS_LAYOUT_V1,
    GGFS_LAYOUT_V1_TYPE6, /* the day on which 6 meant Q8_0 */
    GGFS_LAYOUT_V2,
    GGFS_LAYOUT_V3,
    GGFS_LAYOUT_V3_64,   /* builds with 64-wide super-blocks */
    GGFS_LAYOUT_V3_GGML, /* v3 and what came later, by ggml's own programs */
    GGFS_LAYOUT_FLOATS,  /* adapters: no blocks at all */
    GGFS_LAYOUT_RWKV_V1,
    GGFS_LAYOUT_RWKV_V3,
    GGFS_LAYOUT_COUNT,
};

extern const struct ggfs_legacy_layout ggfs_legacy_layouts[GGFS_LAYOUT_COUNT];

struct ggfs_legacy_container {
    char magic[5];
    const char *name;
    uint32_t version; /* 0: there is no version word */
    uint8_t family;
    uint8_t layout; /* the first one to try; ggml: by ftype */
    uint8_t second; /* then this; the same: none */
    bool scores;
    bool padded;
};

extern const struct ggfs_legacy_container ggfs_legacy_containers[];
extern const size_t ggfs_legacy_n_containers;

/* Padding of data in padded containers. */
#define GGFS_LEGACY_ALIGNMENT 32

/* The two enumerations of ftype without its thousands. */
enum ggfs_legacy_ftypes { GGFS_FTYPES_LLAMA, GGFS_FTYPES_GGML, GGFS_FTYPES_RWKV };

/* Type number in records that this ftype stands for, or -1 for one that nobody defines. */
int ggfs_legacy_ftype_number(enum ggfs_legacy_ftypes which, uint32_t base);

/* The same in words, `mostly Q4_0`; NULL where nobody defines it. */
const char *ggfs_legacy_ftype_words(enum ggfs_legacy_ftypes which, uint32_t base);

/* enum ggfs_type of a number in a record, GGFS_TYPE_NONE where the layout has no such number. */
uint8_t ggfs_legacy_type(const struct ggfs_legacy_layout *layout, uint32_t number);

#endif
