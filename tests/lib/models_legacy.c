/* SPDX-License-Identifier: MIT */
/* models_legacy.c - small files of the containers from before GGUF, one of each frame. */
#include <config.h>

#include "models.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* The container that is being written. */
struct old {
    struct mk *m;
    bool padded, scores;
};

static struct old begin(struct mk *m, const char *magic, uint32_t version)
{
    *m = (struct mk){.version = 1, .alignment = 32, .seed = 1};
    mk_put(m, magic, 4);
    if (version)
        mk_u32(m, version);
    return (struct old){m, magic[0] == 't' || magic[0] == 'a',
                        memcmp(magic, "lmgg", 4) != 0 && memcmp(magic, "mmgg", 4) != 0 &&
                            version < 100};
}

static void put_words(const struct old *old, const uint32_t *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        mk_u32(old->m, words[i]);
}

#define WORDS(old, ...) \
    put_words(old, (const uint32_t[]){__VA_ARGS__}, COUNT(((const uint32_t[]){__VA_ARGS__})))

/* n tokens: llama's first three, then `a`, `b`, … */
static void put_tokens(const struct old *old, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        char letter = (char)('a' + i % 26);
        mk_string_n(old->m, i ? &letter : " \xe2\x81\x87 ", i == 0 ? 5 : i > 2);
        if (old->scores)
            mk_f32(old->m, -(float)i);
    }
}

/* A record up to its data. */
static void put_record(const struct old *old, const char *name, uint32_t type, uint32_t ne0,
                       uint32_t ne1)
{
    mk_u32(old->m, ne1 ? 2 : 1);
    mk_u32(old->m, (uint32_t)strlen(name));
    mk_u32(old->m, type);
    mk_u32(old->m, ne0);
    if (ne1)
        mk_u32(old->m, ne1);
    mk_put(old->m, name, strlen(name));
    if (old->padded)
        mk_zeros(old->m, (32 - old->m->size % 32) % 32);
}

static void put_random(struct mk *m, size_t n)
{
    for (size_t i = 0; i < n; i++)
        mk_u8(m, (uint8_t)mk_random(m));
}

/* A whole F32 vector. */
static void put_vector(const struct old *old, const char *name, uint32_t n)
{
    put_record(old, name, 0, n, 0);
    for (uint32_t i = 0; i < n; i++)
        mk_f32(old->m, (float)i);
}

/* A matrix of so many bytes, whatever they are. */
static void put_matrix(const struct old *old, const char *name, uint32_t type, uint32_t ne0,
                       uint32_t ne1, size_t bytes)
{
    put_record(old, name, type, ne0, ne1);
    put_random(old->m, bytes);
}

/* The words of a llama of one layer: n_vocab n_embd n_mult n_head n_layer n_rot ftype. */
static void put_llama(const struct old *old, uint32_t n_vocab, uint32_t n_embd, uint32_t ftype)
{
    WORDS(old, n_vocab, n_embd, 32, 2, 1, n_embd / 2, ftype);
}

/* Q4_0: one scale a block, then all quants; neighbours count up. */
static void put_planar(struct mk *m, uint32_t blocks, uint32_t rows)
{
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t i = 0; i < blocks; i++)
            mk_f32(m, 0.5f + (float)i);
        for (uint32_t i = 0; i < blocks * 16; i++)
            mk_u8(m, (uint8_t)(16 * (2 * i % 16 + 1) + 2 * i % 16));
    }
}

static void make_planar(struct mk *m, uint64_t argument)
{
    const struct old old = begin(m, "lmgg", 0);

    (void)argument;
    put_llama(&old, 4, 64, 2);
    put_tokens(&old, 4);
    put_record(&old, "tok_embeddings.weight", 2, 64, 4);
    put_planar(m, 2, 4);
    put_vector(&old, "norm.weight", 64);
}

static void make_gpt4all(struct mk *m, uint64_t argument)
{
    const struct old old = begin(m, "lmgg", 0);

    (void)argument;
    put_llama(&old, 5, 32, 0);
    put_tokens(&old, 4);
    put_matrix(&old, "tok_embeddings.weight", 0, 32, 5, 640);
}

/* Part N of two. Values of tok_embeddings count up over the whole; those of wq are part and row. */
static void make_part(struct mk *m, uint64_t part)
{
    const struct old old = begin(m, "fmgg", 1);

    put_llama(&old, 4, 8, 0);
    put_tokens(&old, 4);
    put_record(&old, "tok_embeddings.weight", 0, 4, 4);
    for (uint64_t i = 0; i < 16; i++)
        mk_f32(m, (float)(i / 4 * 8 + part * 4 + i % 4));
    put_record(&old, "layers.0.attention.wq.weight", 0, 8, 4);
    for (uint64_t i = 0; i < 32; i++)
        mk_f32(m, (float)(part * 4 + i / 8));
    put_vector(&old, "norm.weight", 8);
}

static void make_type6(struct mk *m, uint64_t argument)
{
    const struct old old = begin(m, "tjgg", 1);

    (void)argument;
    put_llama(&old, 4, 32, 7);
    put_tokens(&old, 4);
    put_matrix(&old, "tok_embeddings.weight", 6, 32, 4, 144);
    put_vector(&old, "norm.weight", 32);
}

static void make_v2(struct mk *m, uint64_t argument)
{
    const struct old old = begin(m, "tjgg", 2);

    (void)argument;
    put_llama(&old, 4, 32, 2);
    put_tokens(&old, 4);
    put_matrix(&old, "tok_embeddings.weight", 2, 32, 4, 80);
}

/* ftype 9 is read as the first token's length by frame w6, which then ends in the same place. */
static void make_both(struct mk *m, uint64_t argument)
{
    const struct old old = begin(m, "tjgg", 3);

    (void)argument;
    put_llama(&old, 4, 32, 9);
    put_tokens(&old, 4);
    put_matrix(&old, "tok_embeddings.weight", 7, 32, 4, 96);
}

static void make_straddle(struct mk *m, uint64_t argument)
{
    const struct old old = begin(m, "tjgg", 3);

    (void)argument;
    put_llama(&old, 4, 320, 10);
    put_tokens(&old, 4);
    put_matrix(&old, "tok_embeddings.weight", 10, 320, 4, 5 * 84);
}

static void make_narrow(struct mk *m, uint64_t argument)
{
    const struct old old = begin(m, "tjgg", 3);

    (void)argument;
    put_llama(&old, 4, 64, 10);
    put_tokens(&old, 4);
    put_matrix(&old, "tok_embeddings.weight", 10, 64, 4, 4 * 24);
    put_vector(&old, "norm.weight", 8);
}

static void make_vocab_only(struct mk *m, uint64_t argument)
{
    const struct old old = begin(m, "tjgg", 3);

    (void)argument;
    put_llama(&old, 4, 64, 1);
    put_tokens(&old, 4);
}

static void make_w6r(struct mk *m, uint64_t argument)
{
    const struct old old = begin(m, "lmgg", 0);

    (void)argument;
    WORDS(&old, 4, 8, 32, 2, 1, 2007, 4);
    put_tokens(&old, 4);
    put_matrix(&old, "model/wte", 8, 32, 4, 4 * 34);
    put_vector(&old, "model/ln_f/g", 32);
}

static void make_w7r(struct mk *m, uint64_t argument)
{
    const struct old old = begin(m, "lmgg", 0);

    (void)argument;
    WORDS(&old, 4, 8, 32, 2, 1, 8, 1008, 4);
    put_tokens(&old, 4);
    put_matrix(&old, "transformer.wte.weight", 6, 32, 4, 4 * 22);
}

static void make_w8(struct mk *m, uint64_t argument)
{
    const struct old old = begin(m, "lmgg", 0);

    (void)argument;
    WORDS(&old, 4, 8, 32, 2, 1, 4, 1, 1);
    put_tokens(&old, 4);
    put_matrix(&old, "gpt_neox.embed_in.weight", 1, 32, 4, 256);
}

/* ftype without thousands: v2 and v3 are told by the size. */
static void make_mpt(struct mk *m, uint64_t argument)
{
    const struct old old = begin(m, "lmgg", 0);

    (void)argument;
    WORDS(&old, 32, 8, 2, 1, 4);
    mk_f32(m, 8);
    mk_f32(m, -0.0f);
    mk_u32(m, 2);
    put_tokens(&old, 4);
    put_matrix(&old, "transformer.wte.weight", 2, 32, 4, 4 * 18);
}

static void make_replit(struct mk *m, uint64_t argument)
{
    struct old old = begin(m, "lmgg", 0);

    (void)argument;
    old.scores = true;
    WORDS(&old, 32, 8, 2, 1, 4, 1);
    put_tokens(&old, 4);
    put_matrix(&old, "transformer.wte.weight", 1, 32, 4, 256);
}

/* Token 1 is marked. */
static void make_ggmm(struct mk *m, uint64_t argument)
{
    const struct old old = begin(m, "mmgg", 0);

    (void)argument;
    WORDS(&old, 4, 8, 1, 2, 32);
    mk_f32(m, 8);
    mk_f32(m, 6);
    WORDS(&old, 2, 4);
    put_tokens(&old, 4);
    mk_patch(m, 40 + 9, 4, UINT32_C(1) << 31);
    put_matrix(&old, "transformer.wte.weight", 2, 32, 4, 4 * 20);
}

static void make_repl(struct mk *m, uint64_t argument)
{
    const struct old old = begin(m, "lper", 0);

    WORDS(&old, 4, 8, 32, 2, 1, 2);
    put_tokens(&old, 4);
    put_matrix(&old, "transformer.wte.weight", 2, 32, 4, argument ? 4 * 18 : 4 * 20);
}

static void make_bloom(struct mk *m, uint64_t argument)
{
    const struct old old = begin(m, "lmgg", 0);

    (void)argument;
    WORDS(&old, 4, 32, 1, 2, 1, 3);
    put_tokens(&old, 4);
    put_matrix(&old, "tok_embeddings.weight", 3, 32, 4, 96);
}

/* Twenty tokens of 22: two are not in the file. The argument is ne[2] of the convolution. */
static void make_whisper(struct mk *m, uint64_t argument)
{
    const struct old old = begin(m, "lmgg", 0);

    WORDS(&old, 22, 8, 4, 2, 1, 8, 4, 2, 1, 2, 1, 2, 3);
    for (int i = 0; i < 6; i++)
        mk_f32(m, (float)i);
    mk_u32(m, 20);
    put_tokens(&old, 20);
    WORDS(&old, 3, 20, 1, 3, 2, argument ? (uint32_t)argument : 4);
    mk_put(m, "encoder.conv1.weight", 20);
    put_random(m, 48);
    put_record(&old, "encoder.conv1.bias", 0, 1, 4);
    put_random(m, 16);
}

static void make_parakeet(struct mk *m, uint64_t argument)
{
    const struct old old = begin(m, "lmgg", 0);

    (void)argument;
    WORDS(&old, 4, 8, 4, 2, 1, 2, 0, 64, 8, 4, 3, 8, 1, 2, 5, 2, 3);
    for (int i = 0; i < 6; i++)
        mk_f32(m, (float)i);
    mk_u32(m, 3);
    for (int i = 0; i < 3; i++)
        mk_f32(m, 0.5f);
    WORDS(&old, 7, 8, 4);
    put_tokens(&old, 4);
    put_matrix(&old, "encoder.w", 0, 4, 2, 32);
}

/* One encoder layer; a tensor without dimensions. */
static void make_silero(struct mk *m, uint64_t argument)
{
    const struct old old = begin(m, "lmgg", 0);

    (void)argument;
    mk_string(m, "silero-16k");
    WORDS(&old, 6, 2, 0, 512, 64, 1, 129, 128, 3, 128, 128, 128, 1);
    WORDS(&old, 0, 1, 0);
    mk_put(m, "b", 1);
    mk_f32(m, 3);
    put_matrix(&old, "w", 1, 4, 2, 16);
}

static void make_sam(struct mk *m, uint64_t argument)
{
    const struct old old = begin(m, "lmgg", 0);

    (void)argument;
    WORDS(&old, 32, 1, 2, 16, 4, 0, 4, 23, 0, 2, 2, 2, 1);
    mk_put(m, "image_encoder.pos_embed", 23);
    put_random(m, 32);
}

static void make_mnist(struct mk *m, uint64_t argument)
{
    const struct old old = begin(m, "lmgg", 0);

    (void)argument;
    WORDS(&old, 2, 3, 2);
    put_random(m, 24);
    WORDS(&old, 1, 2);
    put_random(m, 8);
    WORDS(&old, 2, 2, 1);
    put_random(m, 8);
    WORDS(&old, 1, 1);
    put_random(m, 4);
}

static void make_rwkv100(struct mk *m, uint64_t argument)
{
    const struct old old = begin(m, "fmgg", 100);

    (void)argument;
    WORDS(&old, 4, 32, 1, 4);
    put_matrix(&old, "emb.weight", 0, 32, 4, 512);
    put_matrix(&old, "blocks.0.att.key.weight", 4, 32, 2, 48);
}

/* The same with dimensions in the order of one day. */
static void make_rwkv_turned(struct mk *m, uint64_t argument)
{
    const struct old old = begin(m, "fmgg", 100);

    (void)argument;
    WORDS(&old, 4, 32, 1, 2);
    put_matrix(&old, "emb.weight", 0, 4, 32, 512);
    put_matrix(&old, "blocks.0.att.key.weight", 2, 2, 32, 40);
}

static void make_rwkv101(struct mk *m, uint64_t argument)
{
    const struct old old = begin(m, "fmgg", 101);

    (void)argument;
    WORDS(&old, 4, 32, 1, 9);
    put_matrix(&old, "emb.weight", 1, 32, 4, 256);
    put_matrix(&old, "blocks.0.att.key.weight", 9, 32, 2, 68);
}

static void make_lora(struct mk *m, uint64_t argument)
{
    const struct old old = begin(m, "algg", 1);

    (void)argument;
    WORDS(&old, 4, 8);
    put_matrix(&old, "layers.0.attention.wq.weight.loraA", 0, 4, 8, 128);
    put_matrix(&old, "layers.0.attention.wq.weight.loraB", 1, 4, 8, 64);
}

const struct mk_kind mk_legacy_kinds[] = {
    {"old-planar", MK_MOUNT, "ggml of the first day: planar Q4_0", make_planar},
    {"old-gpt4all", MK_MOUNT, "ggml with a token less than n_vocab", make_gpt4all},
    {"old-part", MK_EITHER, "ggmf 1, part N of two; by itself it is refused", make_part},
    {"old-type6", MK_MOUNT, "ggjt 1 with type 6 for Q8_0", make_type6},
    {"old-v2", MK_MOUNT, "ggjt 2", make_v2},
    {"old-both", MK_MOUNT, "ggjt 3 that two frames fit", make_both},
    {"old-straddle", MK_MOUNT, "ggjt 3 with K blocks across rows", make_straddle},
    {"old-narrow", MK_MOUNT, "ggjt 3 with K blocks of 64 values", make_narrow},
    {"old-vocab", MK_MOUNT, "ggjt 3 with a vocabulary alone", make_vocab_only},
    {"old-gpt-2", MK_MOUNT, "ggml, frame w6r, v3", make_w6r},
    {"old-gpt-j", MK_MOUNT, "ggml, frame w7r, v2", make_w7r},
    {"old-neox", MK_MOUNT, "ggml, frame w8", make_w8},
    {"old-mpt", MK_MOUNT, "ggml, frame mpt8, no digit", make_mpt},
    {"old-replit", MK_MOUNT, "ggml, frame rep6", make_replit},
    {"old-ggmm", MK_MOUNT, "gpt4all's mpt", make_ggmm},
    {"old-repl", MK_MOUNT, "gpt4all's replit, v1; =1: v3", make_repl},
    {"old-bloom", MK_MOUNT, "ggml, frame w6, planar by rule", make_bloom},
    {"old-whisper", MK_MOUNT, "ggml, frame whisper", make_whisper},
    {"old-parakeet", MK_MOUNT, "ggml, frame parakeet", make_parakeet},
    {"old-silero", MK_MOUNT, "ggml, frame silero", make_silero},
    {"old-sam", MK_MOUNT, "ggml, frame sam6", make_sam},
    {"old-mnist", MK_MOUNT, "ggml without names", make_mnist},
    {"old-rwkv-100", MK_MOUNT, "ggmf 100", make_rwkv100},
    {"old-rwkv-turned", MK_MOUNT, "ggmf 100 with dimensions turned", make_rwkv_turned},
    {"old-rwkv-101", MK_MOUNT, "ggmf 101", make_rwkv101},
    {"old-lora", MK_MOUNT, "ggla 1", make_lora},
    {NULL, MK_MOUNT, NULL, NULL},
};
