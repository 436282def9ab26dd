/* SPDX-License-Identifier: MIT */
/* legacy_walk.h - going through a file from before GGUF as if it had one frame and one layout, from
 * the first word to the last record, without reading tensors. */
#ifndef GGFS_FORMATS_LEGACY_WALK_H
#define GGFS_FORMATS_LEGACY_WALK_H

#include "base/compiler.h"
#include "formats/legacy_peek.h"
#include "formats/legacy_tables.h"

/* Frames have at most 25 words; layers of an encoder take three each. */
#define GGFS_LEGACY_WORDS 256

/* Longest token and name that is believed; real ones have some hundred bytes. */
#define GGFS_LEGACY_TOKEN_MAX 65536
#define GGFS_LEGACY_NAME_MAX 512

/* What a frame that marks special tokens sets in their lengths. */
#define GGFS_LEGACY_SPECIAL (UINT32_C(1) << 31)

/* Most numbers of one array: mel filters have some 25,000. */
#define GGFS_LEGACY_ARRAY_MAX (UINT32_C(1) << 24)

/* Longest vocabulary, as it is kept in memory. */
#define GGFS_LEGACY_VOCAB_MAX (UINT64_C(1) << 30)

/* More bytes of one tensor are not believed: the largest of the time have 4 GB. A record that asks
 * for more is no record that the file was cut in. */
#define GGFS_LEGACY_DATA_MAX (UINT64_C(1) << 38)

/* Most tokens and records that are believed: the largest vocabularies have 260,000 tokens, the
 * largest models some 3,000 records. They bound the work that a wrong file can ask for. */
#define GGFS_LEGACY_TOKENS_MAX (UINT32_C(1) << 21)
#define GGFS_LEGACY_RECORDS_MAX (UINT32_C(1) << 20)

/* Why a walk ended, in words. */
struct ggfs_legacy_why {
    uint64_t offset;
    char field[64];
    char text[192];
};

struct ggfs_legacy_record {
    uint64_t at; /* in the file */
    uint64_t name_at;
    uint64_t data_at;
    uint64_t bytes; /* of data, as the layout has it */
    uint64_t ne[4]; /* 1 beyond n_dims */
    uint32_t name_len;
    uint32_t number; /* of the type */
    uint8_t n_dims;
    uint8_t type; /* enum ggfs_type */
};

enum ggfs_legacy_end {
    GGFS_END_NOWHERE, /* this cannot be the file's frame or layout */
    GGFS_END_EXACT,   /* the last record ends where the file does */
    GGFS_END_SURPLUS, /* 1 to 11 bytes behind it, which readers of that time did not see */
    GGFS_END_CUT,     /* the file ends inside the last record's data */
};

struct ggfs_legacy_walk {
    const struct ggfs_legacy_container *container;
    const struct ggfs_legacy_frame *frame;
    const struct ggfs_legacy_layout *layout;
    struct ggfs_peek *peek;
    struct ggfs_legacy_why why;
    bool ran_out; /* it ended because the file did */
    enum ggfs_legacy_end end;
    uint64_t at; /* where the walk is, or has ended */
    uint32_t words[GGFS_LEGACY_WORDS];
    uint32_t n_words;
    uint32_t n_vocab, ftype;
    bool has_ftype;
    uint32_t n_tokens;
    uint64_t vocab_at;    /* of the first token */
    uint64_t token_bytes; /* without lengths and scores */
    uint64_t records_at;
    uint64_t records_end;    /* behind the last whole record */
    uint32_t n_records;      /* whole ones, and the one that is cut */
    uint64_t numbers;        /* type numbers that occur, a bit each */
    uint64_t matrix_numbers; /* those of tensors of two dimensions and more */
};

/* What a walk meets; each may be NULL. False stops the walk, with a filled err. */
struct ggfs_legacy_visit {
    void *context;
    /* An item of the head that takes count words (bytes: a string) from offset on. word: its number
     * among the words. */
    bool (*item)(void *context, const struct ggfs_legacy_item *item, uint32_t word, uint64_t offset,
                 uint64_t count);
    /* A token of len bytes at offset, its score (where it has one) behind it. */
    bool (*token)(void *context, uint64_t offset, uint32_t len);
    bool (*record)(void *context, const struct ggfs_legacy_record *record);
};

/* Goes through the words and the vocabulary; layout is not needed. False where this is not the
 * file's frame (why says so) or err is filled. visit may be NULL. */
bool ggfs_legacy_walk_head(struct ggfs_legacy_walk *walk, const struct ggfs_legacy_visit *visit);

/* Goes through the records from records_at on, and sets end. The same results. */
bool ggfs_legacy_walk_records(struct ggfs_legacy_walk *walk, const struct ggfs_legacy_visit *visit);

/* True where tokens have scores. */
static inline bool ggfs_legacy_has_scores(const struct ggfs_legacy_walk *walk)
{
    return walk->container->scores || walk->frame->scores;
}

#endif
