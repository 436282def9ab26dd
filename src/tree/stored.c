/* SPDX-License-Identifier: MIT */
/* stored.c - files whose bytes stand in the model as they are: tensors, tokens, templates, and the
 * numeric arrays of the vocabulary. */
#include <config.h>

#include "tree/impl.h"

#include "base/num.h"

#include <string.h>

/* Tensors. */

static const struct ggfs_tensor *tensor_of(const struct ggfs_tree *tree, uint64_t index)
{
    return &tree->model->tensors[index];
}

static bool tensor_size(struct ggfs_tree *tree, struct ggfs_node node, uint64_t *size,
                        struct ggfs_err *err)
{
    (void)err;
    *size = tensor_of(tree, node.index)->bytes;
    return true;
}

static bool tensor_read(struct ggfs_tree *tree, struct ggfs_node node, uint64_t offset, void *dst,
                        size_t n, size_t *got, struct ggfs_scratch *scratch, struct ggfs_err *err)
{
    const struct ggfs_tensor *tensor = tensor_of(tree, node.index);
    const struct ggfs_source *source = &tree->model->sources[tensor->source];
    uint64_t end = ggfs_num_min(tensor->bytes, tensor->room);

    (void)scratch;
    if (offset < end && !ggfs_source_read(source, tensor->offset + offset, dst,
                                          (size_t)ggfs_num_min(n, end - offset), got, err))
        return false;
    if (*got > 0)
        return true;
    return ggfs_fail(err, GGFS_ERR_IO, GGFS_NO_OFFSET, NULL,
                     "tensor \"%.*s\" ends here: the file or its room holds no more of it",
                     (int)ggfs_num_min(tensor->name.len, 64), tensor->name.ptr);
}

static uint64_t tensor_stored(const struct ggfs_tree *tree, uint64_t index)
{
    return ggfs_tensor_present(tree->model, tensor_of(tree, index));
}

const struct ggfs_content ggfs_content_tensor = {
    .size = tensor_size, .read = tensor_read, .stored = tensor_stored, .reads_model = true};

/* Bytes in the header. */

static void copy(struct ggfs_str from, uint64_t offset, void *dst, size_t n, size_t *got)
{
    memcpy(dst, from.ptr + offset, n);
    *got = n;
}

static bool token_size(struct ggfs_tree *tree, struct ggfs_node node, uint64_t *size,
                       struct ggfs_err *err)
{
    (void)err;
    *size = ggfs_vocab_token(&tree->vocab, (uint32_t)node.index).len;
    return true;
}

static bool token_read(struct ggfs_tree *tree, struct ggfs_node node, uint64_t offset, void *dst,
                       size_t n, size_t *got, struct ggfs_scratch *scratch, struct ggfs_err *err)
{
    (void)scratch;
    (void)err;
    copy(ggfs_vocab_token(&tree->vocab, (uint32_t)node.index), offset, dst, n, got);
    return true;
}

const struct ggfs_content ggfs_content_token = {.size = token_size, .read = token_read};

static struct ggfs_str template_of(const struct ggfs_tree *tree, uint64_t index)
{
    struct ggfs_str text = {"", 0};

    ggfs_value_as_str(&tree->model->keys[tree->vocab.templates[index]].value, &text);
    return text;
}

static bool template_size(struct ggfs_tree *tree, struct ggfs_node node, uint64_t *size,
                          struct ggfs_err *err)
{
    (void)err;
    *size = template_of(tree, node.index).len;
    return true;
}

static bool template_read(struct ggfs_tree *tree, struct ggfs_node node, uint64_t offset, void *dst,
                          size_t n, size_t *got, struct ggfs_scratch *scratch, struct ggfs_err *err)
{
    (void)scratch;
    (void)err;
    copy(template_of(tree, node.index), offset, dst, n, got);
    return true;
}

const struct ggfs_content ggfs_content_template = {.size = template_size, .read = template_read};

/* scores.f32 and types.i32: words of four bytes, little-endian, whatever the key's type is. */

static uint32_t score_word(const struct ggfs_vocab *vocab, uint64_t i)
{
    float score = ggfs_vocab_f32(vocab->scores, i);
    uint32_t bits;

    memcpy(&bits, &score, sizeof bits);
    return bits;
}

static uint32_t type_word(const struct ggfs_vocab *vocab, uint64_t i)
{
    return (uint32_t)ggfs_vocab_i32(vocab->types, i);
}

static void read_words(const struct ggfs_vocab *vocab,
                       uint32_t (*word_at)(const struct ggfs_vocab *, uint64_t), uint64_t offset,
                       uint8_t *dst, size_t n)
{
    for (size_t i = 0; i < n;) {
        uint32_t word = word_at(vocab, (offset + i) / 4);
        for (uint64_t byte = (offset + i) % 4; byte < 4 && i < n; byte++)
            dst[i++] = (uint8_t)(word >> (8 * byte));
    }
}

static bool scores_size(struct ggfs_tree *tree, struct ggfs_node node, uint64_t *size,
                        struct ggfs_err *err)
{
    (void)node;
    (void)err;
    *size = tree->vocab.scores->value.count * 4;
    return true;
}

static bool scores_read(struct ggfs_tree *tree, struct ggfs_node node, uint64_t offset, void *dst,
                        size_t n, size_t *got, struct ggfs_scratch *scratch, struct ggfs_err *err)
{
    (void)node;
    (void)scratch;
    (void)err;
    read_words(&tree->vocab, score_word, offset, dst, n);
    *got = n;
    return true;
}

const struct ggfs_content ggfs_content_scores = {.size = scores_size, .read = scores_read};

static bool types_size(struct ggfs_tree *tree, struct ggfs_node node, uint64_t *size,
                       struct ggfs_err *err)
{
    (void)node;
    (void)err;
    *size = tree->vocab.types->value.count * 4;
    return true;
}

static bool types_read(struct ggfs_tree *tree, struct ggfs_node node, uint64_t offset, void *dst,
                       size_t n, size_t *got, struct ggfs_scratch *scratch, struct ggfs_err *err)
{
    (void)node;
    (void)scratch;
    (void)err;
    read_words(&tree->vocab, type_word, offset, dst, n);
    *got = n;
    return true;
}

const struct ggfs_content ggfs_content_types = {.size = types_size, .read = types_read};
