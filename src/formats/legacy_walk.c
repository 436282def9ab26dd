/* SPDX-License-Identifier: MIT */
/* legacy_walk.c - words, vocabulary and records, each held against the bytes that are left.
 *
 *     magic  version (not in ggml)  items of the frame  records up to the end of the file
 *     token   word length, bytes, f32 score (where there are scores)
 *     record  word n_dims, word name length, word type, n_dims x word ne, name,
 *             padding up to a multiple of 32 (ggjt and ggla), data
 *     record without name (MNIST)  word n_dims, n_dims x word ne, f32 data */
#include <config.h>

#include "formats/legacy_walk.h"

#include "base/num.h"
#include "model/source.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Longest model name of a Silero file that is believed. */
#define STRING_MAX 64

/* Files end up to so many bytes behind the last record: readers took three words, then looked. */
#define SURPLUS_MAX 11

static bool why(struct ggfs_legacy_walk *walk, uint64_t offset, const char *field,
                const char *format, ...) GGFS_PRINTF(4, 5);

static bool why(struct ggfs_legacy_walk *walk, uint64_t offset, const char *field,
                const char *format, ...)
{
    va_list args;

    walk->why.offset = offset;
    snprintf(walk->why.field, sizeof walk->why.field, "%s", field);
    va_start(args, format);
    vsnprintf(walk->why.text, sizeof walk->why.text, format, args);
    va_end(args);
    return false;
}

static uint64_t left(const struct ggfs_legacy_walk *walk)
{
    return walk->peek->source->size - walk->at;
}

static bool take(struct ggfs_legacy_walk *walk, const char *field, uint32_t *word)
{
    const uint8_t *p = ggfs_peek_at(walk->peek, walk->at, 4);

    walk->ran_out = !p;
    if (!p)
        return why(walk, walk->at, field, "needs 4 bytes, but the file ends after %" PRIu64,
                   left(walk));
    *word = ggfs_num_u32(p, false);
    walk->at += 4;
    return true;
}

/* Numbers of the head. */

struct head {
    struct ggfs_legacy_walk *walk;
    const struct ggfs_legacy_visit *visit;
};

static bool meet(const struct head *head, const struct ggfs_legacy_item *item, uint32_t word,
                 uint64_t offset, uint64_t count)
{
    return !head->visit || !head->visit->item ||
           head->visit->item(head->visit->context, item, word, offset, count);
}

static void word_field(const struct ggfs_legacy_item *item, uint32_t word, char out[64])
{
    if (item->name)
        snprintf(out, 64, "hparams.%s", item->name);
    else
        snprintf(out, 64, "hparams.word%" PRIu32, word);
}

static bool take_word(const struct head *head, const struct ggfs_legacy_item *item)
{
    struct ggfs_legacy_walk *walk = head->walk;
    uint64_t at = walk->at;
    uint32_t number = walk->n_words, word;
    char field[64];

    word_field(item, number, field);
    if (!take(walk, field, &word))
        return false;
    if (number == GGFS_LEGACY_WORDS)
        return why(walk, at, field, "more than %d words in front of the tensors",
                   GGFS_LEGACY_WORDS);
    if (item->kind != GGFS_ITEM_F32 && word > INT32_MAX)
        return why(walk, at, field, "%" PRId32 ", a negative number", (int32_t)word);
    if (item->kind == GGFS_ITEM_VOCAB && (word == 0 || word > GGFS_LEGACY_TOKENS_MAX))
        return why(walk, at, field, "%" PRIu32 " tokens, 1 to %" PRIu32 " are believed", word,
                   GGFS_LEGACY_TOKENS_MAX);
    walk->words[walk->n_words++] = word;
    if (item->kind == GGFS_ITEM_VOCAB)
        walk->n_vocab = word;
    if (item->kind == GGFS_ITEM_FTYPE) {
        walk->ftype = word;
        walk->has_ftype = true;
    }
    return meet(head, item, number, at, 1);
}

static bool take_string(const struct head *head, const struct ggfs_legacy_item *item)
{
    struct ggfs_legacy_walk *walk = head->walk;
    uint64_t at = walk->at;
    const uint8_t *p;
    uint32_t len;
    char field[64];

    word_field(item, 0, field);
    if (!take(walk, field, &len))
        return false;
    p = len && len <= STRING_MAX ? ggfs_peek_at(walk->peek, walk->at, len) : NULL;
    for (uint32_t i = 0; p && i < len; i++)
        if (p[i] < 0x21 || p[i] > 0x7e)
            p = NULL;
    if (!p)
        return why(walk, at, field, "no name of 1 to %d letters stands there", STRING_MAX);
    walk->at += len;
    return meet(head, item, 0, at + 4, len);
}

/* count words at once. */
static bool take_array(const struct head *head, const struct ggfs_legacy_item *item, uint64_t count)
{
    struct ggfs_legacy_walk *walk = head->walk;
    uint64_t at = walk->at;
    char field[64];

    word_field(item, 0, field);
    if (count > GGFS_LEGACY_ARRAY_MAX)
        return why(walk, at, field, "%" PRIu64 " numbers, at most %" PRIu32 " are believed", count,
                   GGFS_LEGACY_ARRAY_MAX);
    walk->ran_out = count > left(walk) / 4;
    if (walk->ran_out)
        return why(walk, at, field,
                   "%" PRIu64 " numbers, but only %" PRIu64 " bytes are left in the file", count,
                   left(walk));
    walk->at += count * 4;
    return meet(head, item, 0, at, count);
}

/* Three nameless words a layer. */
static bool take_layers(const struct head *head, const struct ggfs_legacy_item *item)
{
    uint32_t layers = head->walk->words[item->of];
    const struct ggfs_legacy_item word = {GGFS_ITEM_WORD, 0, NULL};

    if (layers > GGFS_LEGACY_WORDS / 3)
        return why(head->walk, head->walk->at - 4, "hparams.n_encoder_layers",
                   "%" PRIu32 " layers, at most %d are believed", layers, GGFS_LEGACY_WORDS / 3);
    for (uint32_t i = 0; i < 3 * layers; i++)
        if (!take_word(head, &word))
            return false;
    return true;
}

/* The vocabulary. */

static bool take_token(const struct head *head, uint32_t id, bool scores)
{
    struct ggfs_legacy_walk *walk = head->walk;
    uint64_t at = walk->at;
    uint32_t len;
    char field[64];

    snprintf(field, sizeof field, "token[%" PRIu32 "].length", id);
    if (!take(walk, field, &len))
        return false;
    if (walk->frame->marks)
        len &= ~GGFS_LEGACY_SPECIAL;
    if (len > GGFS_LEGACY_TOKEN_MAX)
        return why(walk, at, field, "%" PRId32 ", 0 to %d bytes are believed", (int32_t)len,
                   GGFS_LEGACY_TOKEN_MAX);
    walk->ran_out = len + (scores ? 4u : 0u) > left(walk);
    if (walk->ran_out)
        return why(walk, at, field,
                   "%" PRIu32 " bytes%s, but only %" PRIu64 " are left in the file", len,
                   scores ? " and a score" : "", left(walk));
    at = walk->at;
    walk->at += len + (scores ? 4u : 0u);
    walk->token_bytes += len;
    if (walk->token_bytes > GGFS_LEGACY_VOCAB_MAX)
        return why(walk, at, field, "the vocabulary is longer than %" PRIu64 " bytes",
                   GGFS_LEGACY_VOCAB_MAX);
    return !head->visit || !head->visit->token || head->visit->token(head->visit->context, at, len);
}

static bool take_tokens(const struct head *head, uint32_t n)
{
    struct ggfs_legacy_walk *walk = head->walk;
    bool scores = ggfs_legacy_has_scores(walk);

    walk->vocab_at = walk->at;
    for (walk->n_tokens = 0; walk->n_tokens < n; walk->n_tokens++)
        if (!take_token(head, walk->n_tokens, scores))
            return false;
    return true;
}

/* The vocabulary behind a count of its own, which must be the header's or not. */
static bool take_counted(const struct head *head, bool same)
{
    struct ggfs_legacy_walk *walk = head->walk;
    uint64_t at = walk->at;
    uint32_t n;

    if (!take(walk, "n_tokens", &n))
        return false;
    if (same && n != walk->n_vocab)
        return why(walk, at, "n_tokens", "%" PRIu32 " tokens, but n_vocab is %" PRIu32, n,
                   walk->n_vocab);
    if (n > GGFS_LEGACY_TOKENS_MAX)
        return why(walk, at, "n_tokens", "%" PRIu32 " tokens, at most %" PRIu32 " are believed", n,
                   GGFS_LEGACY_TOKENS_MAX);
    return take_tokens(head, n);
}

static bool take_item(const struct head *head, const struct ggfs_legacy_item *item)
{
    struct ggfs_legacy_walk *walk = head->walk;
    uint64_t count;

    switch ((enum ggfs_legacy_item_kind)item->kind) {
    case GGFS_ITEM_STRING:
        return take_string(head, item);
    case GGFS_ITEM_GRID:
        count = (uint64_t)walk->words[item->of] * walk->words[item->of + 1];
        return take_array(head, item, count);
    case GGFS_ITEM_FLOATS:
    case GGFS_ITEM_WORDS:
        return take_array(head, item, walk->words[item->of]);
    case GGFS_ITEM_LAYERS:
        return take_layers(head, item);
    case GGFS_ITEM_TOKENS:
        return take_tokens(head, walk->n_vocab);
    case GGFS_ITEM_ONE_LESS:
        return take_tokens(head, walk->n_vocab - 1);
    case GGFS_ITEM_REPEATED:
        return take_counted(head, true);
    case GGFS_ITEM_COUNTED:
        return take_counted(head, false);
    default:
        return take_word(head, item);
    }
}

bool ggfs_legacy_walk_head(struct ggfs_legacy_walk *walk, const struct ggfs_legacy_visit *visit)
{
    const struct head head = {walk, visit};

    walk->at = walk->container->version ? 8 : 4;
    walk->n_words = walk->n_tokens = 0;
    walk->token_bytes = 0;
    for (size_t i = 0; i < walk->frame->n_items; i++)
        if (!take_item(&head, &walk->frame->items[i]))
            return false;
    walk->records_at = walk->at;
    return true;
}

/* Records. */

static bool record_why(struct ggfs_legacy_walk *walk, uint64_t offset, const char *leaf,
                       const char *format, ...) GGFS_PRINTF(4, 5);

static bool record_why(struct ggfs_legacy_walk *walk, uint64_t offset, const char *leaf,
                       const char *format, ...)
{
    char field[64], text[sizeof walk->why.text];
    va_list args;

    snprintf(field, sizeof field, "tensor[%" PRIu32 "].%s", walk->n_records, leaf);
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return why(walk, offset, field, "%s", text);
}

/* n words of a record's head at *at. */
static const uint8_t *take_words(struct ggfs_legacy_walk *walk, uint64_t *at, const char *leaf,
                                 size_t n)
{
    const uint8_t *p = ggfs_peek_at(walk->peek, *at, 4 * n);

    walk->ran_out = !p;
    if (!p)
        record_why(walk, *at, leaf, "needs %zu bytes, but the file ends after %" PRIu64, 4 * n,
                   walk->peek->source->size - *at);
    *at += 4 * n;
    return p;
}

/* n_dims, and with names the name's length and the type. */
static bool take_counts(struct ggfs_legacy_walk *walk, struct ggfs_legacy_record *record,
                        uint64_t *at)
{
    const uint8_t *p = take_words(walk, at, "n_dims", walk->frame->nameless ? 1 : 3);
    uint32_t n_dims;

    if (!p)
        return false;
    n_dims = ggfs_num_u32(p, false);
    if (n_dims > 4)
        return record_why(walk, record->at, "n_dims", "%" PRId32 ", 0 to 4 are believed",
                          (int32_t)n_dims);
    record->n_dims = (uint8_t)n_dims;
    record->type = GGFS_TYPE_F32;
    if (walk->frame->nameless)
        return true;
    record->name_len = ggfs_num_u32(p + 4, false);
    record->number = ggfs_num_u32(p + 8, false);
    if (record->name_len == 0 || record->name_len > GGFS_LEGACY_NAME_MAX)
        return record_why(walk, record->at + 4, "name.length",
                          "%" PRId32 ", 1 to %d bytes are believed", (int32_t)record->name_len,
                          GGFS_LEGACY_NAME_MAX);
    record->type = ggfs_legacy_type(walk->layout, record->number);
    if (record->type == GGFS_TYPE_NONE)
        return record_why(walk, record->at + 8, "type",
                          "%" PRId32 ", which layout %s does not have", (int32_t)record->number,
                          walk->layout->name);
    return true;
}

static bool take_dims(struct ggfs_legacy_walk *walk, struct ggfs_legacy_record *record,
                      uint64_t *at, uint64_t *values)
{
    uint64_t start = *at;
    const uint8_t *p = take_words(walk, at, "ne", record->n_dims);
    char leaf[16];

    *values = 1;
    if (!p)
        return false;
    for (unsigned i = 0; i < 4; i++) {
        record->ne[i] = i < record->n_dims ? ggfs_num_u32(p + 4 * i, false) : 1;
        snprintf(leaf, sizeof leaf, "ne[%u]", i);
        if (record->ne[i] == 0 || record->ne[i] > INT32_MAX)
            return record_why(walk, start + 4 * i, leaf, "%" PRId32 ", not above 0",
                              (int32_t)record->ne[i]);
        if (!ggfs_num_mul(*values, record->ne[i], values) || *values > INT64_MAX)
            return record_why(walk, start, leaf, "more values than 63 bits count");
    }
    return true;
}

/* Data of the whole tensor, not row by row: there are files whose blocks run across rows. */
static bool measure(struct ggfs_legacy_walk *walk, struct ggfs_legacy_record *record,
                    uint64_t values)
{
    const struct ggfs_type_info *type = &ggfs_types[record->type];

    if (values % type->block_values != 0)
        return record_why(walk, record->at + 12, "ne",
                          "%" PRIu64 " values, no multiple of the %u in a block of %s", values,
                          type->block_values, type->name);
    if (!ggfs_num_mul(values / type->block_values, type->block_bytes, &record->bytes) ||
        record->bytes > INT64_MAX)
        return record_why(walk, record->at + 12, "ne", "more bytes than 63 bits count");
    if (record->bytes > GGFS_LEGACY_DATA_MAX)
        return record_why(walk, record->at + 12, "ne",
                          "%" PRIu64 " bytes, more than any tensor of such files has",
                          record->bytes);
    return true;
}

/* A quantiser of one day (whisper.cpp, 2023-04-30) wrote rubbish for the third dimension of the
 * convolutions; whisper's are as many as its states. */
static bool check_third(struct ggfs_legacy_walk *walk, const struct ggfs_legacy_record *record,
                        const uint8_t *name)
{
    static const char end[] = ".weight";
    size_t n = sizeof end - 1;
    uint32_t want = walk->frame->third ? walk->words[walk->frame->third] : 0;

    if (!want || record->n_dims != 3 || record->ne[2] == want || record->name_len < n ||
        memcmp(name + record->name_len - n, end, n) != 0)
        return true;
    return record_why(walk, record->at + 20, "ne[2]",
                      "%" PRIu64 ", but a convolution has %" PRIu32
                      " here: the quantiser of 2023-04-30 wrote rubbish in its place",
                      record->ne[2], want);
}

static bool take_record(struct ggfs_legacy_walk *walk, struct ggfs_legacy_record *record)
{
    uint64_t at = record->at, values;
    const uint8_t *name = NULL;

    if (!take_counts(walk, record, &at) || !take_dims(walk, record, &at, &values))
        return false;
    record->name_at = at;
    if (record->name_len)
        name = ggfs_peek_at(walk->peek, at, record->name_len);
    walk->ran_out = record->name_len && !name;
    if (walk->ran_out)
        return record_why(walk, at, "name", "%" PRIu32 " bytes, but the file ends after %" PRIu64,
                          record->name_len, walk->peek->source->size - at);
    if (name && !check_third(walk, record, name))
        return false;
    record->data_at = at + record->name_len;
    if (walk->container->padded &&
        !ggfs_num_align(record->data_at, GGFS_LEGACY_ALIGNMENT, &record->data_at))
        return false;
    return measure(walk, record, values);
}

static void count(struct ggfs_legacy_walk *walk, const struct ggfs_legacy_record *record)
{
    uint64_t bit = record->number < 64 ? UINT64_C(1) << record->number : 0;

    walk->n_records++;
    walk->numbers |= bit;
    if (record->n_dims >= 2)
        walk->matrix_numbers |= bit;
}

/* Up to the end of the record's data, if the file has them; else end says what it is. */
static bool step_over(struct ggfs_legacy_walk *walk, const struct ggfs_legacy_record *record)
{
    uint64_t size = walk->peek->source->size;

    walk->ran_out = true;
    if (record->data_at > size)
        return record_why(walk, size, "data", "the file ends %" PRIu64 " bytes before them",
                          record->data_at - size);
    if (record->bytes <= size - record->data_at) {
        walk->at = walk->records_end = record->data_at + record->bytes;
        return true;
    }
    if (record->data_at < size)
        walk->end = GGFS_END_CUT;
    return record_why(walk, record->data_at, "data",
                      "%" PRIu64 " bytes, but the file ends after %" PRIu64, record->bytes,
                      size - record->data_at);
}

/* Nothing but the end of the file, or what was taken for it. */
static bool at_end(struct ggfs_legacy_walk *walk)
{
    if (left(walk) == 0)
        walk->end = GGFS_END_EXACT;
    else if (walk->container->family == GGFS_LEGACY_GGML && left(walk) <= SURPLUS_MAX &&
             walk->n_records)
        walk->end = GGFS_END_SURPLUS;
    else
        return false;
    return true;
}

bool ggfs_legacy_walk_records(struct ggfs_legacy_walk *walk, const struct ggfs_legacy_visit *visit)
{
    walk->at = walk->records_end = walk->records_at;
    walk->n_records = 0;
    walk->numbers = walk->matrix_numbers = 0;
    walk->end = GGFS_END_NOWHERE;
    while (!at_end(walk)) {
        struct ggfs_legacy_record record = {.at = walk->at};
        bool whole;
        if (walk->n_records == GGFS_LEGACY_RECORDS_MAX)
            return record_why(walk, walk->at, "n_dims", "more than %" PRIu32 " tensors",
                              GGFS_LEGACY_RECORDS_MAX);
        if (!take_record(walk, &record))
            return false;
        whole = step_over(walk, &record);
        if (!whole && walk->end != GGFS_END_CUT)
            return false;
        count(walk, &record);
        if (visit && visit->record && !visit->record(visit->context, &record))
            return false;
        if (!whole)
            break;
    }
    return walk->end != GGFS_END_NOWHERE;
}
