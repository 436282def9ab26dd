/* SPDX-License-Identifier: MIT */
/* views.c - views/f32 and views/npy: values computed from a tensor's blocks. */
#include <config.h>

#include "tree/impl.h"

#include "base/num.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* magic, version 1.0, u16 length of the rest: a dictionary as text, blanks, a newline; all of it a
 * multiple of 64 and at least 128 (NumPy's format description; four dimensions need 192 at most).
 */
#define NPY_MAGIC "\x93NUMPY\x01"
#define NPY_MOST 256

bool ggfs_tree_has_view(const struct ggfs_tensor *tensor)
{
    /* Of some types a tensor is a file where its view would be larger than any file can be. */
    return ggfs_decode_can(tensor) && tensor->values <= (INT64_MAX - NPY_MOST) / 8;
}

static const struct ggfs_tensor *tensor_of(const struct ggfs_tree *tree, struct ggfs_node node)
{
    return &tree->model->tensors[node.index];
}

static bool f32_size(struct ggfs_tree *tree, struct ggfs_node node, uint64_t *size,
                     struct ggfs_err *err)
{
    (void)err;
    *size = tensor_of(tree, node)->values * 4;
    return true;
}

static bool f32_read(struct ggfs_tree *tree, struct ggfs_node node, uint64_t offset, void *dst,
                     size_t n, size_t *got, struct ggfs_scratch *scratch, struct ggfs_err *err)
{
    return ggfs_decode_f32(tree->model, tensor_of(tree, node), offset, dst, n, got, scratch, err);
}

const struct ggfs_content ggfs_content_f32 = {
    .size = f32_size, .read = f32_read, .reads_model = true};

/* Bytes of a value in the .npy file. */
static uint64_t npy_width(const struct ggfs_tensor *tensor)
{
    const struct ggfs_type_info *type = &ggfs_types[tensor->type];

    return type->npy ? type->block_bytes : 4u;
}

/* `(4096, 32)`: ne reversed; `(3,)`; `()`. */
static void put_shape(const struct ggfs_tensor *tensor, char *out, size_t size)
{
    size_t n = (size_t)snprintf(out, size, "(");

    for (unsigned i = tensor->n_dims; i-- > 0;)
        n += (size_t)snprintf(out + n, size - n, "%" PRIu64 "%s", tensor->ne[i],
                              i ? ", " : tensor->n_dims == 1 ? "," : "");
    snprintf(out + n, size - n, ")");
}

/* Returns the header's length. */
static size_t npy_header(const struct ggfs_tensor *tensor, char out[NPY_MOST])
{
    const char *npy = ggfs_types[tensor->type].npy;
    char shape[NPY_MOST / 2], dictionary[NPY_MOST];
    size_t used = 10, total;

    put_shape(tensor, shape, sizeof shape);
    used += (size_t)snprintf(dictionary, sizeof dictionary,
                             "{'descr': '%s', 'fortran_order': False, 'shape': %s, }",
                             npy ? npy : "<f4", shape);
    total = (used + 1 + 63) / 64 * 64;
    total = total < 128 ? 128 : total;
    memset(out, ' ', total);
    memcpy(out, NPY_MAGIC, 8);
    out[8] = (char)((total - 10) & 0xFF);
    out[9] = (char)((total - 10) >> 8);
    memcpy(out + 10, dictionary, used - 10);
    out[total - 1] = '\n';
    return total;
}

static bool npy_size(struct ggfs_tree *tree, struct ggfs_node node, uint64_t *size,
                     struct ggfs_err *err)
{
    char header[NPY_MOST];

    (void)err;
    *size = npy_header(tensor_of(tree, node), header) +
            tensor_of(tree, node)->values * npy_width(tensor_of(tree, node));
    return true;
}

static bool npy_values(struct ggfs_tree *tree, const struct ggfs_tensor *tensor, uint64_t offset,
                       void *dst, size_t n, size_t *got, struct ggfs_scratch *scratch,
                       struct ggfs_err *err)
{
    if (ggfs_types[tensor->type].npy)
        return ggfs_decode_stored(tree->model, tensor, offset, dst, n, got, scratch, err);
    return ggfs_decode_f32(tree->model, tensor, offset, dst, n, got, scratch, err);
}

static bool npy_read(struct ggfs_tree *tree, struct ggfs_node node, uint64_t offset, void *dst,
                     size_t n, size_t *got, struct ggfs_scratch *scratch, struct ggfs_err *err)
{
    const struct ggfs_tensor *tensor = tensor_of(tree, node);
    char header[NPY_MOST], *to = dst;
    size_t length = npy_header(tensor, header), first = 0, more;

    if (offset < length) {
        first = (size_t)ggfs_num_min(n, length - offset);
        memcpy(to, header + offset, first);
        *got = first;
        if (first == n)
            return true;
    }
    if (!npy_values(tree, tensor, offset + first - length, to + first, n - first, &more, scratch,
                    first ? NULL : err))
        return first > 0;
    *got = first + more;
    return true;
}

const struct ggfs_content ggfs_content_npy = {
    .size = npy_size, .read = npy_read, .reads_model = true};

bool ggfs_tree_view_stored(const struct ggfs_tree *tree, struct ggfs_node node, uint64_t *head)
{
    const struct ggfs_tensor *tensor;
    char header[NPY_MOST];

    if (node.kind != GGFS_KIND_F32_FILE && node.kind != GGFS_KIND_NPY_FILE)
        return false;
    tensor = tensor_of(tree, node);
    if (tree->model->sources[tensor->source].big)
        return false;
    if (node.kind == GGFS_KIND_F32_FILE)
        return tensor->type == GGFS_TYPE_F32;
    *head = npy_header(tensor, header);
    return ggfs_types[tensor->type].npy != NULL;
}
