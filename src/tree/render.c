/* SPDX-License-Identifier: MIT */
/* render.c - the text forms of scalars, strings and arrays. */
#include <config.h>

#include "tree/render.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

/* Longer strings are rendered in pieces of this size. */
#define PIECE 4096

enum phase { START, WALKING, IN_STRING };

void ggfs_render_u64(struct ggfs_sink *out, uint64_t number)
{
    char digits[GGFS_TEXT_NUMBER];

    ggfs_sink_put(out, digits, ggfs_text_u64(digits, number));
}

static size_t float_text(char *text, unsigned type, const uint8_t *bytes, bool big,
                         enum ggfs_render_form form)
{
    double number = ggfs_value_float(bytes, type, big);

    if (form == GGFS_RENDER_JSON && !isfinite(number)) {
        memcpy(text, "null", 4);
        return 4;
    }
    return type == GGFS_VALUE_F32 ? ggfs_text_f32(text, (float)number)
                                  : ggfs_text_f64(text, number);
}

void ggfs_render_number(struct ggfs_sink *out, unsigned type, const uint8_t *bytes, bool big,
                        enum ggfs_render_form form)
{
    char text[GGFS_TEXT_NUMBER];
    size_t n;

    if (type == GGFS_VALUE_BOOL) {
        ggfs_sink_str(out, bytes[0] ? GGFS_STR("true") : GGFS_STR("false"));
        return;
    }
    if (!ggfs_value_is_integer(type))
        n = float_text(text, type, bytes, big, form);
    else if (ggfs_value_is_unsigned(type))
        n = ggfs_text_u64(text, ggfs_value_unsigned(bytes, type, big));
    else
        n = ggfs_text_i64(text, ggfs_value_signed(bytes, type, big));
    ggfs_sink_put(out, text, n);
}

/* Whether what is at hand is rendered as JSON: all in that form, inner arrays in the other. */
static bool in_json(const struct ggfs_render *render, enum ggfs_render_form form)
{
    return form == GGFS_RENDER_JSON || render->walk.depth > 1;
}

static void end_element(const struct ggfs_render *render, enum ggfs_render_form form,
                        struct ggfs_sink *out)
{
    if (!in_json(render, form))
        ggfs_sink_byte(out, '\n');
}

/* The next piece of render->rest. A scalar string of the line form is its exact bytes. */
static bool string_piece(struct ggfs_render *render, const struct ggfs_value *value,
                         enum ggfs_render_form form, struct ggfs_sink *out)
{
    bool scalar = value->type == GGFS_VALUE_STR, json = in_json(render, form);
    struct ggfs_str piece = {render->rest.ptr, ggfs_text_piece(render->rest, PIECE)};

    if (json)
        ggfs_text_json(out, piece);
    else if (scalar)
        ggfs_sink_str(out, piece);
    else
        ggfs_text_escape(out, piece);
    render->rest.ptr += piece.len;
    render->rest.len -= piece.len;
    render->phase = render->rest.len ? IN_STRING : WALKING;
    if (render->rest.len)
        return true;
    ggfs_sink_byte(out, json ? '"' : '\n');
    return !scalar;
}

static bool begin_string(struct ggfs_render *render, const struct ggfs_value *value,
                         struct ggfs_str string, enum ggfs_render_form form, struct ggfs_sink *out)
{
    if (in_json(render, form))
        ggfs_sink_byte(out, '"');
    render->rest = string;
    return string_piece(render, value, form, out);
}

bool ggfs_render_text(struct ggfs_render *render, struct ggfs_str text, enum ggfs_render_form form,
                      struct ggfs_sink *out)
{
    struct ggfs_str piece;

    if (render->phase == START)
        render->rest = text;
    piece = (struct ggfs_str){render->rest.ptr, ggfs_text_piece(render->rest, PIECE)};
    if (form == GGFS_RENDER_JSON)
        ggfs_text_json(out, piece);
    else
        ggfs_text_escape(out, piece);
    render->rest.ptr += piece.len;
    render->rest.len -= piece.len;
    render->phase = render->rest.len ? IN_STRING : START;
    return render->rest.len > 0;
}

static void comma(const struct ggfs_value_item *item, uint32_t depth, enum ggfs_render_form form,
                  struct ggfs_sink *out)
{
    if (item->index > 0 && (form == GGFS_RENDER_JSON || depth > 1))
        ggfs_sink_byte(out, ',');
}

static bool next_item(struct ggfs_render *render, const struct ggfs_value *value,
                      enum ggfs_render_form form, struct ggfs_sink *out)
{
    struct ggfs_value_item item;

    ggfs_value_walk_next(&render->walk, value, &item);
    switch (item.step) {
    case GGFS_VALUE_OPEN:
        comma(&item, render->walk.depth - 1, form, out);
        ggfs_sink_byte(out, '[');
        return true;
    case GGFS_VALUE_CLOSE:
        ggfs_sink_byte(out, ']');
        end_element(render, form, out);
        return true;
    case GGFS_VALUE_END:
        if (form == GGFS_RENDER_JSON)
            ggfs_sink_byte(out, ']');
        return false;
    case GGFS_VALUE_SCALAR:
        break;
    }
    comma(&item, render->walk.depth, form, out);
    if (item.type == GGFS_VALUE_STR)
        return begin_string(render, value, item.bytes, form, out);
    ggfs_render_number(out, item.type, (const uint8_t *)item.bytes.ptr, value->big,
                       in_json(render, form) ? GGFS_RENDER_JSON : GGFS_RENDER_LINES);
    end_element(render, form, out);
    return true;
}

static bool begin(struct ggfs_render *render, const struct ggfs_value *value,
                  enum ggfs_render_form form, struct ggfs_sink *out)
{
    struct ggfs_str string;

    if (value->type == GGFS_VALUE_ARR) {
        ggfs_value_walk_start(&render->walk, value);
        render->phase = WALKING;
        if (form == GGFS_RENDER_JSON)
            ggfs_sink_byte(out, '[');
        return true;
    }
    if (ggfs_value_as_str(value, &string))
        return begin_string(render, value, string, form, out);
    ggfs_render_number(out, value->type, value->data, value->big, form);
    end_element(render, form, out);
    return false;
}

bool ggfs_render_value(struct ggfs_render *render, const struct ggfs_value *value,
                       enum ggfs_render_form form, struct ggfs_sink *out)
{
    switch (render->phase) {
    case START:
        return begin(render, value, form, out);
    case IN_STRING:
        return string_piece(render, value, form, out);
    default:
        return next_item(render, value, form, out);
    }
}
