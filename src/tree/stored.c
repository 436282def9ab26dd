/* SPDX-License-Identifier: MIT */
/* stored.c - files whose bytes stand in the model as they are: tensors, tokens, templates, and the
 * numeric arrays of the vocabulary. */
#include <config.h>

#include "tree/impl.h"

#include "base/num.h"
#include "model/joined.h"

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
    uint64_t end = ggfs_num_min(tensor->bytes, tensor->room);

    (void)scratch;
    if (offset < end && !ggfs_tensor_read(tree->model, tensor, offset, dst,
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

/* Bytes in the header: tokens and templates. */

static struct ggfs_str bytes_of(const struct ggfs_tree *tree, struct ggfs_node node)
{
    struct ggfs_str text = {"", 0};

    if (node.kind == GGFS_KIND_TOKEN)
        return ggfs_vocab_token(&tree->vocab, (uint32_t)node.index);
    ggfs_value_as_str(&tree->model->keys[tree->vocab.templates[node.index]].value, &text);
    return text;
}

static bool bytes_size(struct ggfs_tree *tree, struct ggfs_node node, uint64_t *size,
                       struct ggfs_err *err)
{
    (void)err;
    *size = bytes_of(tree, node).len;
    return true;
}

static bool bytes_read(struct ggfs_tree *tree, struct ggfs_node node, uint64_t offset, void *dst,
                       size_t n, size_t *got, struct ggfs_scratch *scratch, struct ggfs_err *err)
{
    (void)scratch;
    (void)err;
    memcpy(dst, bytes_of(tree, node).ptr + offset, n);
    *got = n;
    return true;
}

const struct ggfs_content ggfs_content_bytes = {.size = bytes_size, .read = bytes_read};

/* scores.f32 and types.i32: words of four bytes, little-endian, whatever the key's type is. */

static uint32_t word_at(const struct ggfs_vocab *vocab, enum ggfs_kind_number kind, uint64_t i)
{
    uint32_t bits;
    float score;

    if (kind == GGFS_KIND_TYPES)
        return (uint32_t)ggfs_vocab_i32(vocab->types, i);
    score = ggfs_vocab_f32(vocab->scores, i);
    memcpy(&bits, &score, sizeof bits);
    return bits;
}

static bool words_size(struct ggfs_tree *tree, struct ggfs_node node, uint64_t *size,
                       struct ggfs_err *err)
{
    const struct ggfs_vocab *vocab = &tree->vocab;

    (void)err;
    *size = (node.kind == GGFS_KIND_TYPES ? vocab->types : vocab->scores)->value.count * 4;
    return true;
}

static bool words_read(struct ggfs_tree *tree, struct ggfs_node node, uint64_t offset, void *dst,
                       size_t n, size_t *got, struct ggfs_scratch *scratch, struct ggfs_err *err)
{
    uint8_t *to = dst;

    (void)scratch;
    (void)err;
    for (size_t i = 0; i < n;) {
        uint32_t word = word_at(&tree->vocab, node.kind, (offset + i) / 4);
        for (uint64_t byte = (offset + i) % 4; byte < 4 && i < n; byte++)
            to[i++] = (uint8_t)(word >> (8 * byte));
    }
    *got = n;
    return true;
}

const struct ggfs_content ggfs_content_words = {.size = words_size, .read = words_read};
