/* SPDX-License-Identifier: MIT */
/* legacy_frames.c - the frames of files from before GGUF, a row each: what stands between the magic
 * and the first tensor. The files do not say which one they have; legacy_choose.c finds out. */
#include <config.h>

#include "formats/legacy_tables.h"

/* clang-format off */
#define WORD(name) {GGFS_ITEM_WORD, 0, name}
#define FLOAT(name) {GGFS_ITEM_F32, 0, name}
#define VOCAB {GGFS_ITEM_VOCAB, 0, "n_vocab"}
#define FTYPE {GGFS_ITEM_FTYPE, 0, "ftype"}
/* Named by the architecture. */
#define WORD_N {GGFS_ITEM_WORD, 0, NULL}
#define TOKENS {GGFS_ITEM_TOKENS, 0, NULL}
#define REPEATED {GGFS_ITEM_REPEATED, 0, NULL}
#define COUNTED {GGFS_ITEM_COUNTED, 0, NULL}
/* clang-format on */
#define ITEMS(list) .items = list, .n_items = sizeof list / sizeof *list
#define ARCHS(list) .archs = list, .n_archs = sizeof list / sizeof *list

static const struct ggfs_legacy_item w6r[] = {
    VOCAB, WORD("n_ctx"), WORD("n_embd"), WORD("n_head"), WORD("n_layer"), FTYPE, REPEATED};
static const struct ggfs_legacy_arch w6r_archs[] = {
    {.name = "gpt-2",
     .gguf = "gpt2",
     .marker = "model/wte",
     .also = "cerebras-gpt, starcoder, santacoder"},
};

static const struct ggfs_legacy_item w7r[] = {VOCAB,          WORD("n_ctx"),   WORD("n_embd"),
                                              WORD("n_head"), WORD("n_layer"), WORD("n_rot"),
                                              FTYPE,          REPEATED};
static const struct ggfs_legacy_arch w7r_archs[] = {
    {.name = "gpt-j", .gguf = "gptj", .marker = "transformer.wte.weight"},
};

/* n_vocab is the number of all tokens; those that only the program knows are not in the file. */
static const struct ggfs_legacy_item whisper[] = {VOCAB,
                                                  WORD("n_audio_ctx"),
                                                  WORD("n_audio_state"),
                                                  WORD("n_audio_head"),
                                                  WORD("n_audio_layer"),
                                                  WORD("n_text_ctx"),
                                                  WORD("n_text_state"),
                                                  WORD("n_text_head"),
                                                  WORD("n_text_layer"),
                                                  WORD("n_mels"),
                                                  FTYPE,
                                                  WORD("n_mel"),
                                                  WORD("n_fft"),
                                                  {GGFS_ITEM_GRID, 11, "mel_filters"},
                                                  COUNTED};
static const struct ggfs_legacy_arch whisper_archs[] = {
    {.name = "whisper", .gguf = "whisper"},
};

static const struct ggfs_legacy_item parakeet[] = {VOCAB,
                                                   WORD("n_audio_ctx"),
                                                   WORD("n_audio_state"),
                                                   WORD("n_audio_head"),
                                                   WORD("n_audio_layer"),
                                                   WORD("n_mels"),
                                                   FTYPE,
                                                   WORD("n_fft"),
                                                   WORD("subsampling_factor"),
                                                   WORD("n_subsampling_channels"),
                                                   WORD("n_conv_kernel"),
                                                   WORD("n_pred_dim"),
                                                   WORD("n_pred_layers"),
                                                   WORD("n_tdt_durations"),
                                                   WORD("n_max_tokens"),
                                                   WORD("n_mel"),
                                                   WORD("n_fb"),
                                                   {GGFS_ITEM_GRID, 15, "mel_filters"},
                                                   WORD("n_window"),
                                                   {GGFS_ITEM_FLOATS, 17, "window"},
                                                   {GGFS_ITEM_WORDS, 13, "tdt_durations"},
                                                   COUNTED};
static const struct ggfs_legacy_arch parakeet_archs[] = {
    {.name = "parakeet", .gguf = "parakeet", .alone = true},
};

/* Nameless from word6 on: in_channels, out_channels, kernel of each encoder layer, then lstm_input,
 * lstm_hidden, final_conv_in, final_conv_out. */
static const struct ggfs_legacy_item silero[] = {{GGFS_ITEM_STRING, 0, "model_type"},
                                                 WORD("ver_major"),
                                                 WORD("ver_minor"),
                                                 WORD("ver_patch"),
                                                 WORD("n_window"),
                                                 WORD("n_context"),
                                                 WORD("n_encoder_layers"),
                                                 {GGFS_ITEM_LAYERS, 5, NULL},
                                                 WORD_N,
                                                 WORD_N,
                                                 WORD_N,
                                                 WORD_N};
static const struct ggfs_legacy_arch silero_archs[] = {
    {.name = "silero", .gguf = "silero-vad", .alone = true},
};

static const struct ggfs_legacy_item w7[] = {VOCAB,  WORD_N, WORD_N, WORD_N,
                                             WORD_N, WORD_N, FTYPE,  TOKENS};
static const struct ggfs_legacy_arch w7_archs[] = {
    {.name = "llama",
     .gguf = "llama",
     .marker = "tok_embeddings.weight",
     .fields = "n_vocab n_embd n_mult n_head n_layer n_rot ftype"},
    {.name = "falcon",
     .gguf = "falcon",
     .marker = "transformer.word_embeddings.weight",
     .fields = "n_vocab n_embd n_head n_head_kv n_layer falcon_type ftype"},
    {.name = "gpt-neox-old",
     .gguf = "gptneox",
     .marker = "gpt_neox.embed_in.weight",
     .fields = "n_vocab n_ctx n_embd n_head n_layer n_rot ftype",
     .also = "pythia, redpajama, stablelm, dolly-v2"},
    {.name = "bert",
     .gguf = "bert",
     .marker = "embeddings.word_embeddings.weight",
     .fields = "n_vocab n_max_tokens n_embd n_intermediate n_head n_layer ftype"},
};

static const struct ggfs_legacy_item w8[] = {VOCAB,           WORD("n_ctx"),   WORD("n_embd"),
                                             WORD("n_head"),  WORD("n_layer"), WORD("n_rot"),
                                             WORD("par_res"), FTYPE,           TOKENS};
static const struct ggfs_legacy_arch w8_archs[] = {
    {.name = "gpt-neox",
     .gguf = "gptneox",
     .marker = "gpt_neox.embed_in.weight",
     .also = "pythia, redpajama, stablelm, dolly-v2"},
};

static const struct ggfs_legacy_item mpt8[] = {
    WORD("d_model"), WORD("max_seq_len"),     WORD("n_heads"),   WORD("n_layers"),
    VOCAB,           FLOAT("alibi_bias_max"), FLOAT("clip_qkv"), FTYPE,
    TOKENS};
static const struct ggfs_legacy_arch mpt8_archs[] = {
    {.name = "mpt", .gguf = "mpt", .marker = "transformer.wte.weight"},
};

static const struct ggfs_legacy_item rep6[] = {
    WORD("d_model"), WORD("max_seq_len"), WORD("n_heads"), WORD("n_layers"), VOCAB, FTYPE, TOKENS};
static const struct ggfs_legacy_arch rep6_archs[] = {
    {.name = "replit", .gguf = "replit", .marker = "transformer.wte.weight", .alone = true},
};

/* Two files of gpt4all with a magic each, which no other file has. */
static const struct ggfs_legacy_item ggmm[] = {
    VOCAB,          WORD("n_ctx"),           WORD("n_layer"),   WORD("n_head"),
    WORD("n_embd"), FLOAT("alibi_bias_max"), FLOAT("clip_qkv"), FTYPE,
    REPEATED};
static const struct ggfs_legacy_item repl[] = {
    VOCAB, WORD("n_ctx"), WORD("n_embd"), WORD("n_head"), WORD("n_layer"), FTYPE, TOKENS};

static const struct ggfs_legacy_item w6[] = {VOCAB, WORD_N, WORD_N, WORD_N, WORD_N, FTYPE, TOKENS};
static const struct ggfs_legacy_arch w6_archs[] = {
    {.name = "bloom",
     .gguf = "bloom",
     .marker = "tok_embeddings.weight",
     .fields = "n_vocab n_embd n_mult n_head n_layer ftype"},
    {.name = "falcon-old",
     .gguf = "falcon",
     .marker = "transformer.word_embeddings.weight",
     .fields = "n_vocab n_embd n_head n_head_kv n_layer ftype"},
};

static const struct ggfs_legacy_item sam6[] = {WORD("n_enc_state"), WORD("n_enc_layer"),
                                               WORD("n_enc_head"),  WORD("n_enc_out_chans"),
                                               WORD("n_pt_embd"),   FTYPE};
static const struct ggfs_legacy_arch sam6_archs[] = {
    {.name = "sam", .gguf = "sam", .marker = "image_encoder.pos_embed", .alone = true},
};

/* gpt4all-lora-quantized.bin: 32001 in the header, 32000 tokens in the file. */
static const struct ggfs_legacy_item one_less[] = {
    VOCAB, WORD_N, WORD_N, WORD_N, WORD_N, WORD_N, FTYPE, {GGFS_ITEM_ONE_LESS, 0, NULL}};
static const struct ggfs_legacy_arch one_less_archs[] = {
    {.name = "gpt4all",
     .gguf = "llama",
     .marker = "tok_embeddings.weight",
     .fields = "n_vocab n_embd n_mult n_head n_layer n_rot ftype"},
};

static const struct ggfs_legacy_item rwkv[] = {
    WORD("n_vocab"), WORD("n_embed"), WORD("n_layer"), {GGFS_ITEM_FTYPE, 0, "data_type"}};
static const struct ggfs_legacy_arch rwkv_archs[] = {
    {.name = "rwkv", .gguf = "rwkv"},
};

static const struct ggfs_legacy_item lora[] = {WORD("r"), WORD("alpha")};

#define GGML GGFS_LEGACY_GGML
#define GGMF GGFS_LEGACY_GGMF
#define GGJT GGFS_LEGACY_GGJT

const struct ggfs_legacy_frame ggfs_legacy_frames[] = {
    {.name = "w6r", .families = GGML | GGJT, ITEMS(w6r), ARCHS(w6r_archs)},
    {.name = "w7r", .families = GGML | GGJT, ITEMS(w7r), ARCHS(w7r_archs)},
    {.name = "whisper", .families = GGML, .third = 2, ITEMS(whisper), ARCHS(whisper_archs)},
    {.name = "parakeet", .families = GGML, ITEMS(parakeet), ARCHS(parakeet_archs)},
    {.name = "silero", .families = GGML, ITEMS(silero), ARCHS(silero_archs)},
    {.name = "w7", .families = GGML | GGMF | GGJT, .v1_to_v3 = true, ITEMS(w7), ARCHS(w7_archs)},
    {.name = "w8", .families = GGML | GGJT, ITEMS(w8), ARCHS(w8_archs)},
    {.name = "mpt8", .families = GGML | GGJT, .no_digit = true, ITEMS(mpt8), ARCHS(mpt8_archs)},
    {.name = "rep6",
     .families = GGML | GGJT,
     .scores = true,
     .no_digit = true,
     ITEMS(rep6),
     ARCHS(rep6_archs)},
    {.name = "w6", .families = GGML | GGJT, ITEMS(w6), ARCHS(w6_archs)},
    {.name = "sam6", .families = GGML, ITEMS(sam6), ARCHS(sam6_archs)},
    {.name = "w7-1", .families = GGML, ITEMS(one_less), ARCHS(one_less_archs)},
    {.name = "mnist", .families = GGML, .nameless = true},
    {.name = "rwkv", .families = GGFS_LEGACY_RWKV, ITEMS(rwkv), ARCHS(rwkv_archs)},
    {.name = "ggmm", .families = GGFS_LEGACY_GGMM, .marks = true, ITEMS(ggmm), ARCHS(mpt8_archs)},
    {.name = "repl", .families = GGFS_LEGACY_REPL, .scores = true, ITEMS(repl), ARCHS(rep6_archs)},
    {.name = "lora", .families = GGFS_LEGACY_GGLA, ITEMS(lora)},
};

const size_t ggfs_legacy_n_frames = sizeof ggfs_legacy_frames / sizeof *ggfs_legacy_frames;

#define ROW(magic, name, version, family, layout, second, scores, padded)                       \
    {                                                                                           \
        magic, name, version, GGFS_LEGACY_##family, GGFS_LAYOUT_##layout, GGFS_LAYOUT_##second, \
            scores, padded                                                                      \
    }

const struct ggfs_legacy_container ggfs_legacy_containers[] = {
    ROW("lmgg", "ggml", 0, GGML, V1, V1, false, false),
    ROW("fmgg", "ggmf", 1, GGMF, V1, V1, true, false),
    ROW("fmgg", "ggmf", 100, RWKV, RWKV_V1, RWKV_V1, false, false),
    ROW("fmgg", "ggmf", 101, RWKV, RWKV_V3, RWKV_V3, false, false),
    ROW("tjgg", "ggjt", 1, GGJT, V1, V1_TYPE6, true, true),
    ROW("tjgg", "ggjt", 2, GGJT, V2, V2, true, true),
    ROW("tjgg", "ggjt", 3, GGJT, V3, V3_64, true, true),
    ROW("mmgg", "ggmm", 0, GGMM, V1, V1, false, false),
    ROW("lper", "repl", 0, REPL, V1, V3_GGML, false, false),
    ROW("algg", "ggla", 1, GGLA, FLOATS, FLOATS, false, true),
};

const size_t ggfs_legacy_n_containers =
    sizeof ggfs_legacy_containers / sizeof *ggfs_legacy_containers;
