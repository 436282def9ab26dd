/* SPDX-License-Identifier: MIT */
/* render.h - metadata values as text, piece by piece, so that a place within can be kept. */
#ifndef GGFS_TREE_RENDER_H
#define GGFS_TREE_RENDER_H

#include "base/sink.h"
#include "model/value.h"

#include <stdbool.h>
#include <stdint.h>

enum ggfs_render_form {
    GGFS_RENDER_LINES, /* metadata/KEY: a scalar and a newline, an array's elements a line each */
    GGFS_RENDER_JSON,  /* no blanks, nothing behind it */
};

/* How far a value is rendered; all zero: not begun. Plain data: a copy is a bookmark. */
struct ggfs_render {
    uint8_t phase;
    struct ggfs_str rest; /* of a long string */
    struct ggfs_value_walk walk;
};

/* Renders the next piece of value, a few KiB at most, and moves on. False when that was the last.
 */
bool ggfs_render_value(struct ggfs_render *render, const struct ggfs_value *value,
                       enum ggfs_render_form form, struct ggfs_sink *out);

/* The same for a text that is no value, in the escape of lines or as the inside of a JSON string.
 * render is as not begun afterwards. */
bool ggfs_render_text(struct ggfs_render *render, struct ggfs_str text, enum ggfs_render_form form,
                      struct ggfs_sink *out);

/* A number or bool: type and bytes as in a walk. JSON has no inf and nan: null. */
void ggfs_render_number(struct ggfs_sink *out, unsigned type, const uint8_t *bytes, bool big,
                        enum ggfs_render_form form);

void ggfs_render_u64(struct ggfs_sink *out, uint64_t number);

#endif
