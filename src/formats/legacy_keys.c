/* SPDX-License-Identifier: MIT */
/* legacy_keys.c - metadata made from the words in front of the tensors: hparams.NAME for what the
 * file says, in file order, and behind them the keys that a converter to GGUF would write, where
 * their meaning is certain. Values lie in the model's arena in GGUF's form, little-endian. */
#include <config.h>

#include "base/mem.h"
#include "base/num.h"
#include "formats/gguf.h"
#include "formats/legacy_build.h"
#include "model/model.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Keys beside the words: arrays, GGUF's own, the vocabulary. */
#define KEYS_BESIDE 32

static void put_u32(uint8_t *p, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(value >> 8 * i);
}

/* A second walk meets what the first one met, unless the file was changed meanwhile. */
static bool fail_changed(struct ggfs_legacy_build *build)
{
    return ggfs_fail(build->err, GGFS_ERR_IO, GGFS_NO_OFFSET, NULL,
                     "was changed while it was read");
}

/* A key without a value yet. NULL and a filled err without memory. */
static struct ggfs_key *add_key(struct ggfs_legacy_build *build, const char *name, uint8_t type,
                                uint64_t at)
{
    struct ggfs_model *model = build->model;
    struct ggfs_key *key = &model->keys[model->n_keys];

    if (model->n_keys == build->keys_room) {
        ggfs_fail_memory(build->err, sizeof *key);
        return NULL;
    }
    *key = (struct ggfs_key){.at = at, .type_at = at, .value_at = at};
    key->name = ggfs_str_from(name);
    key->name.ptr = ggfs_arena_text(&model->arena, key->name, build->err);
    key->value = (struct ggfs_value){.type = type, .elem = type, .count = 1, .len_bytes = 8};
    if (!key->name.ptr)
        return NULL;
    model->n_keys++;
    return key;
}

/* Memory for the value's bytes. */
static uint8_t *give(struct ggfs_legacy_build *build, struct ggfs_key *key, uint64_t size)
{
    uint8_t *data =
        key ? ggfs_arena_alloc(&build->model->arena, size ? size : 1, build->err) : NULL;

    if (!data)
        return NULL;
    key->value.data = data;
    key->value.size = size;
    return data;
}

static bool add_word(struct ggfs_legacy_build *build, const char *name, uint8_t type, uint32_t bits,
                     uint64_t at)
{
    uint8_t *data = give(build, add_key(build, name, type, at), 4);

    if (data)
        put_u32(data, bits);
    return data != NULL;
}

static bool add_text(struct ggfs_legacy_build *build, const char *name, struct ggfs_str text,
                     uint64_t at)
{
    uint8_t *data = give(build, add_key(build, name, GGFS_VALUE_STR, at), text.len);

    if (data)
        memcpy(data, text.ptr, text.len);
    return data != NULL;
}

/* count words of the file, as they stand there. */
static bool add_array(struct ggfs_legacy_build *build, const char *name, uint8_t elem,
                      uint64_t count, uint64_t at)
{
    struct ggfs_key *key = add_key(build, name, GGFS_VALUE_ARR, at);
    uint8_t *data = give(build, key, count * 4);
    size_t got;

    if (!data)
        return false;
    key->value.elem = elem;
    key->value.count = count;
    if (!ggfs_source_read(build->peek->source, at, data, count * 4, &got, build->err))
        return false;
    return got == count * 4 ||
           ggfs_fail(build->err, GGFS_ERR_IO, at + got, NULL, "became shorter while it was read");
}

/* The words' names. */

/* Name number `word` of a list with blanks between. */
static struct ggfs_str nth_field(const char *fields, uint32_t word)
{
    const char *end;

    while (word-- > 0)
        fields = strchr(fields, ' ') + 1;
    end = strchr(fields, ' ');
    return (struct ggfs_str){fields, end ? (size_t)(end - fields) : strlen(fields)};
}

static struct ggfs_str word_name(const struct ggfs_legacy_build *build,
                                 const struct ggfs_legacy_item *item, uint32_t word,
                                 char nameless[16])
{
    if (build->arch && build->arch->fields)
        return nth_field(build->arch->fields, word);
    if (item->name)
        return ggfs_str_from(item->name);
    snprintf(nameless, 16, "word%" PRIu32, word);
    return ggfs_str_from(nameless);
}

static bool is_word(const struct ggfs_legacy_item *item)
{
    return item->kind <= GGFS_ITEM_FTYPE;
}

static bool take_item(void *context, const struct ggfs_legacy_item *item, uint32_t word,
                      uint64_t offset, uint64_t count)
{
    struct ggfs_legacy_build *build = context;
    const struct ggfs_legacy_walk *walk = &build->choice->walk;
    char nameless[16], name[64];
    struct ggfs_str field =
        is_word(item) ? word_name(build, item, word, nameless) : ggfs_str_from(item->name);
    const uint8_t *text;

    snprintf(name, sizeof name, "hparams.%.*s", (int)field.len, field.ptr);
    switch ((enum ggfs_legacy_item_kind)item->kind) {
    case GGFS_ITEM_F32:
        return add_word(build, name, GGFS_VALUE_F32, walk->words[word], offset);
    case GGFS_ITEM_STRING:
        text = ggfs_peek_at(build->peek, offset, (size_t)count);
        return text &&
               add_text(build, name, (struct ggfs_str){(const char *)text, (size_t)count}, offset);
    case GGFS_ITEM_GRID:
    case GGFS_ITEM_FLOATS:
        return add_array(build, name, GGFS_VALUE_F32, count, offset);
    case GGFS_ITEM_WORDS:
        return add_array(build, name, GGFS_VALUE_U32, count, offset);
    default:
        return add_word(build, name, GGFS_VALUE_U32, walk->words[word], offset);
    }
}

/* GGUF's names. */

/* hparams.NAME as a number. */
static bool field_of(const struct ggfs_legacy_build *build, const char *field, uint64_t *value)
{
    const struct ggfs_key *key;
    char name[64];

    snprintf(name, sizeof name, "hparams.%s", field);
    key = ggfs_model_key(build->model, name);
    return key && ggfs_value_as_u64(&key->value, value);
}

/* Words that mean what a key of GGUF means, whatever the architecture. llama's n_rot is none: the
 * first converter wrote 64 whatever the model. */
static const struct {
    const char *field, *gguf;
} meanings[] = {
    {"n_ctx", "context_length"},
    {"max_seq_len", "context_length"},
    {"n_max_tokens", "context_length"},
    {"n_embd", "embedding_length"},
    {"d_model", "embedding_length"},
    {"n_embed", "embedding_length"},
    {"n_layer", "block_count"},
    {"n_layers", "block_count"},
    {"n_intermediate", "feed_forward_length"},
    {"n_head", "attention.head_count"},
    {"n_heads", "attention.head_count"},
    {"n_head_kv", "attention.head_count_kv"},
    {"n_audio_ctx", "encoder.context_length"},
    {"n_audio_state", "encoder.embedding_length"},
    {"n_audio_layer", "encoder.block_count"},
    {"n_audio_head", "encoder.attention.head_count"},
    {"n_mels", "encoder.mels_count"},
    {"n_text_ctx", "decoder.context_length"},
    {"n_text_state", "decoder.embedding_length"},
    {"n_text_layer", "decoder.block_count"},
    {"n_text_head", "decoder.attention.head_count"},
};

/* ARCHITECTURE.KEY; at: of the word it was told by. */
static bool add_arch_key(struct ggfs_legacy_build *build, const char *key, uint64_t value,
                         uint64_t at)
{
    char name[96];

    snprintf(name, sizeof name, "%s.%s", build->arch->gguf, key);
    return value > UINT32_MAX || add_word(build, name, GGFS_VALUE_U32, (uint32_t)value, at);
}

static bool add_meanings(struct ggfs_legacy_build *build)
{
    char name[64];

    for (size_t i = 0; !build->arch->alone && i < sizeof meanings / sizeof *meanings; i++) {
        const struct ggfs_key *key;
        uint64_t value;
        snprintf(name, sizeof name, "hparams.%s", meanings[i].field);
        key = ggfs_model_key(build->model, name);
        if (key && ggfs_value_as_u64(&key->value, &value) &&
            !add_arch_key(build, meanings[i].gguf, value, key->value_at))
            return false;
    }
    return true;
}

/* ne[1] of a tensor. */
static uint64_t rows_of(const struct ggfs_model *model, const char *name)
{
    struct ggfs_str wanted = ggfs_str_from(name);

    for (uint32_t i = 0; i < model->n_tensors; i++)
        if (ggfs_str_equal(model->tensors[i].name, wanted))
            return model->tensors[i].ne[1];
    return 0;
}

/* Widths of llama that no word tells: those of its matrices, all parts together. */
static bool add_llama(struct ggfs_legacy_build *build)
{
    const struct ggfs_model *model = build->model;
    uint64_t n_embd = 0, n_head = 0, parts, head, feed, kv;

    if (!field_of(build, "n_embd", &n_embd) || !field_of(build, "n_head", &n_head) || n_head == 0 ||
        n_embd % n_head != 0 || n_embd == 0)
        return true;
    parts = ggfs_legacy_parts(model, (uint32_t)n_embd);
    head = n_embd / n_head;
    feed = rows_of(model, "layers.0.feed_forward.w1.weight") * parts;
    kv = rows_of(model, "layers.0.attention.wk.weight") * parts;
    if (feed && !add_arch_key(build, "feed_forward_length", feed, GGFS_NO_OFFSET))
        return false;
    if (kv && kv % head == 0 &&
        !add_arch_key(build, "attention.head_count_kv", kv / head, GGFS_NO_OFFSET))
        return false;
    return add_arch_key(build, "rope.dimension_count", head, GGFS_NO_OFFSET);
}

static bool add_neox(struct ggfs_legacy_build *build)
{
    uint64_t rot, parallel;

    if (field_of(build, "n_rot", &rot) &&
        !add_arch_key(build, "rope.dimension_count", rot, GGFS_NO_OFFSET))
        return false;
    if (field_of(build, "par_res", &parallel) && parallel <= 1) {
        char name[64];
        uint8_t *data;
        snprintf(name, sizeof name, "%s.use_parallel_residual", build->arch->gguf);
        data = give(build, add_key(build, name, GGFS_VALUE_BOOL, GGFS_NO_OFFSET), 1);
        if (!data)
            return false;
        data[0] = (uint8_t)parallel;
    }
    return true;
}

static bool add_adapter(struct ggfs_legacy_build *build)
{
    const struct ggfs_legacy_walk *walk = &build->choice->walk;
    float alpha = (float)walk->words[1];
    uint32_t bits;

    memcpy(&bits, &alpha, sizeof bits);
    return add_text(build, "general.type", GGFS_STR("adapter"), GGFS_NO_OFFSET) &&
           add_text(build, "adapter.type", GGFS_STR("lora"), GGFS_NO_OFFSET) &&
           add_word(build, "adapter.lora.alpha", GGFS_VALUE_F32, bits, 12);
}

/* ftype means the same to GGUF where the blocks are today's. */
static bool add_file_type(struct ggfs_legacy_build *build)
{
    const struct ggfs_legacy_walk *walk = &build->choice->walk;
    enum ggfs_legacy_ftypes which = ggfs_legacy_ftypes_of(walk);
    uint32_t base = walk->ftype % 1000;
    bool today = base <= 1 || (walk->layout->types[2] == GGFS_TYPE_Q4_0 &&
                               walk->layout != &ggfs_legacy_layouts[GGFS_LAYOUT_V3_64]);

    if (!walk->has_ftype || !build->choice->good)
        return true;
    build->model->file_type = ggfs_legacy_ftype_words(which, base);
    if (!build->arch || !today || which == GGFS_FTYPES_RWKV ||
        (which == GGFS_FTYPES_GGML && base > 10))
        return true;
    return add_word(build, "general.file_type", GGFS_VALUE_U32, base, GGFS_NO_OFFSET);
}

static bool add_gguf_keys(struct ggfs_legacy_build *build)
{
    const struct ggfs_legacy_arch *arch = build->arch;

    if (build->choice->walk.container->family == GGFS_LEGACY_GGLA)
        return add_adapter(build);
    if (!arch)
        return add_file_type(build);
    if (!add_text(build, "general.architecture", ggfs_str_from(arch->gguf), GGFS_NO_OFFSET) ||
        !add_file_type(build) || !add_meanings(build))
        return false;
    if (strcmp(arch->gguf, "llama") == 0)
        return add_llama(build);
    return strcmp(arch->gguf, "gptneox") && strcmp(arch->gguf, "gptj") ? true : add_neox(build);
}

/* The vocabulary. */

/* tokenizer.ggml.token_type: what tokens are to GGUF. */
enum { NORMAL = 1, CONTROL = 3 };

struct vocabulary {
    struct ggfs_legacy_build *build;
    uint8_t *tokens, *scores, *types; /* where the next ones go */
};

/* The bit in the length word before the token, as GGUF's token_type has it. */
static bool take_mark(struct vocabulary *vocabulary, uint64_t offset)
{
    const uint8_t *p = ggfs_peek_at(vocabulary->build->peek, offset - 4, 4);

    if (!p)
        return false;
    put_u32(vocabulary->types, ggfs_num_u32(p, false) & GGFS_LEGACY_SPECIAL ? CONTROL : NORMAL);
    vocabulary->types += 4;
    return true;
}

static bool take_token(void *context, uint64_t offset, uint32_t len)
{
    struct vocabulary *vocabulary = context;
    bool scored = vocabulary->scores != NULL;
    const uint8_t *p = ggfs_peek_at(vocabulary->build->peek, offset, len + (scored ? 4u : 0u));

    if (!p)
        return false;
    put_u32(vocabulary->tokens, len);
    memset(vocabulary->tokens + 4, 0, 4);
    memcpy(vocabulary->tokens + 8, p, len);
    vocabulary->tokens += 8 + len;
    if (scored) {
        memcpy(vocabulary->scores, p + len, 4);
        vocabulary->scores += 4;
    }
    return !vocabulary->types || take_mark(vocabulary, offset);
}

/* An array key of n elements in size bytes. */
static uint8_t *add_list(struct ggfs_legacy_build *build, const char *name, uint8_t elem,
                         uint64_t n, uint64_t size)
{
    struct ggfs_key *key = add_key(build, name, GGFS_VALUE_ARR, build->choice->walk.vocab_at);
    uint8_t *data = give(build, key, size);

    if (data) {
        key->value.elem = elem;
        key->value.count = n;
    }
    return data;
}

/* llama's own vocabulary: its first token, then two without bytes. */
static bool is_llama_vocabulary(const struct ggfs_legacy_build *build)
{
    const struct ggfs_legacy_walk *walk = &build->choice->walk;
    size_t step = ggfs_legacy_has_scores(walk) ? 8 : 4;
    const uint8_t *p = ggfs_peek_at(build->peek, walk->vocab_at, 5 + 3 * step);

    return p && build->arch && strcmp(build->arch->gguf, "llama") == 0 && walk->n_tokens >= 3 &&
           memcmp(p, "\5\0\0\0 \xe2\x81\x87 ", 9) == 0 && ggfs_num_u32(p + 5 + step, false) == 0 &&
           ggfs_num_u32(p + 5 + 2 * step, false) == 0;
}

static bool add_llama_tokenizer(struct ggfs_legacy_build *build)
{
    return add_word(build, "tokenizer.ggml.bos_token_id", GGFS_VALUE_U32, 1, GGFS_NO_OFFSET) &&
           add_word(build, "tokenizer.ggml.eos_token_id", GGFS_VALUE_U32, 2, GGFS_NO_OFFSET) &&
           add_word(build, "tokenizer.ggml.unknown_token_id", GGFS_VALUE_U32, 0, GGFS_NO_OFFSET);
}

/* The keys first: the tokens are copied while the head is walked once more. */
static bool add_vocabulary(struct ggfs_legacy_build *build)
{
    struct ggfs_legacy_walk *walk = &build->choice->walk;
    struct vocabulary vocabulary = {.build = build};
    const struct ggfs_legacy_visit visit = {.context = &vocabulary, .token = take_token};
    bool llama = is_llama_vocabulary(build), scores = ggfs_legacy_has_scores(walk);
    uint64_t n = walk->n_tokens;

    if (n == 0)
        return true;
    if (llama && !add_text(build, "tokenizer.ggml.model", GGFS_STR("llama"), GGFS_NO_OFFSET))
        return false;
    vocabulary.tokens =
        add_list(build, "tokenizer.ggml.tokens", GGFS_VALUE_STR, n, 8 * n + walk->token_bytes);
    if (vocabulary.tokens && scores)
        vocabulary.scores = add_list(build, "tokenizer.ggml.scores", GGFS_VALUE_F32, n, 4 * n);
    if (!vocabulary.tokens || (scores && !vocabulary.scores))
        return false;
    if (walk->frame->marks) {
        vocabulary.types = add_list(build, "tokenizer.ggml.token_type", GGFS_VALUE_I32, n, 4 * n);
        if (!vocabulary.types)
            return false;
    }
    if (!ggfs_legacy_walk_head(walk, &visit))
        return fail_changed(build);
    return !llama || add_llama_tokenizer(build);
}

bool ggfs_legacy_build_keys(struct ggfs_legacy_build *build)
{
    const struct ggfs_legacy_visit visit = {.context = build, .item = take_item};
    struct ggfs_legacy_walk *walk = &build->choice->walk;

    build->keys_room = walk->n_words + KEYS_BESIDE;
    build->model->keys = ggfs_mem_zero(build->keys_room, sizeof(struct ggfs_key), build->err);
    if (!build->model->keys)
        return false;
    if (!ggfs_legacy_walk_head(walk, &visit))
        return fail_changed(build);
    return add_gguf_keys(build) && add_vocabulary(build);
}
