/* SPDX-License-Identifier: MIT */
/* text.c - shortest decimal floats, the line escape and JSON strings. */
#include <config.h>

#include "base/text.h"

#include "base/shortest.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t ggfs_text_u64(char *out, uint64_t value)
{
    char digits[20];
    size_t n = 0;

    do
        digits[n++] = (char)('0' + value % 10);
    while (value /= 10);
    for (size_t i = 0; i < n; i++)
        out[i] = digits[n - 1 - i];
    return n;
}

size_t ggfs_text_i64(char *out, int64_t value)
{
    if (value >= 0)
        return ggfs_text_u64(out, (uint64_t)value);
    out[0] = '-';
    return 1 + ggfs_text_u64(out + 1, -(uint64_t)value);
}

/* A positive finite number as 0.DIGITS * 10^point. */
struct decimal {
    char digits[GGFS_TEXT_NUMBER];
    int count;
    int point;
};

static void shortest(struct decimal *d, double value, bool single)
{
    struct ggfs_shortest found = ggfs_shortest_find(value, single);

    d->count = (int)ggfs_text_u64(d->digits, found.digits);
    d->point = d->count + found.exponent;
    while (d->count > 1 && d->digits[d->count - 1] == '0')
        d->count--;
}

static size_t put_positional(char *out, const struct decimal *d)
{
    size_t n = 0;

    if (d->point <= 0) {
        memcpy(out, "0.", 2);
        n = 2;
        for (int i = d->point; i < 0; i++)
            out[n++] = '0';
    }
    for (int i = 0; i < d->count || i < d->point; i++) {
        if (i == d->point && d->point > 0)
            out[n++] = '.';
        out[n++] = i < d->count ? d->digits[i] : '0';
    }
    return n;
}

static size_t put_exponent(char *out, const struct decimal *d)
{
    int exponent = d->point - 1;
    size_t n = 0;

    out[n++] = d->digits[0];
    if (d->count > 1)
        out[n++] = '.';
    memcpy(out + n, d->digits + 1, (size_t)d->count - 1);
    n += (size_t)d->count - 1;
    out[n++] = 'e';
    out[n++] = exponent < 0 ? '-' : '+';
    if (abs(exponent) < 10)
        out[n++] = '0';
    return n + ggfs_text_u64(out + n, (uint64_t)abs(exponent));
}

static size_t put_float(char *out, double value, bool single)
{
    struct decimal d;
    size_t n = 0;

    if (isnan(value)) {
        memcpy(out, "nan", 3);
        return 3;
    }
    if (signbit(value)) {
        out[n++] = '-';
        value = -value;
    }
    if (isinf(value)) {
        memcpy(out + n, "inf", 3);
        return n + 3;
    }
    /* Every integer in this range is a float of its own, and has no shorter form. */
    if (value < 16777216.0 && value == floor(value))
        return n + ggfs_text_u64(out + n, (uint64_t)value);
    shortest(&d, value, single);
    if (d.point > -4 && d.point <= 16)
        return n + put_positional(out + n, &d);
    return n + put_exponent(out + n, &d);
}

size_t ggfs_text_f32(char *out, float value)
{
    return put_float(out, (double)value, true);
}

size_t ggfs_text_f64(char *out, double value)
{
    return put_float(out, value, false);
}

/* The allowed range of the second byte narrows after four of the first bytes (RFC 3629). */
static bool second_fits(unsigned char first, unsigned char second)
{
    switch (first) {
    case 0xE0:
        return second >= 0xA0 && second <= 0xBF;
    case 0xED:
        return second >= 0x80 && second <= 0x9F;
    case 0xF0:
        return second >= 0x90 && second <= 0xBF;
    case 0xF4:
        return second >= 0x80 && second <= 0x8F;
    default:
        return second >= 0x80 && second <= 0xBF;
    }
}

size_t ggfs_text_utf8(const char *p, size_t n)
{
    const unsigned char *b = (const unsigned char *)p;
    size_t len;

    if (n == 0)
        return 0;
    if (b[0] < 0x80)
        return 1;
    if (b[0] < 0xC2 || b[0] > 0xF4)
        return 0;
    len = b[0] < 0xE0 ? 2 : b[0] < 0xF0 ? 3 : 4;
    if (n < len || !second_fits(b[0], b[1]))
        return 0;
    for (size_t i = 2; i < len; i++)
        if ((b[i] & 0xC0) != 0x80)
            return 0;
    return len;
}

/* How many bytes from p on need no change in either form. */
static size_t plain_run(const char *p, size_t n, bool json)
{
    size_t i = 0;

    while (i < n) {
        unsigned char c = (unsigned char)p[i];
        size_t len;
        if (c < 0x20 || c == 0x7F || c == '\\' || (json && c == '"'))
            break;
        len = c < 0x80 ? 1 : ggfs_text_utf8(p + i, n - i);
        if (len == 0)
            break;
        i += len;
    }
    return i;
}

static char letter_of(unsigned char c, bool json)
{
    switch (c) {
    case '\\':
        return '\\';
    case '\n':
        return 'n';
    case '\r':
        return 'r';
    case '\t':
        return 't';
    default:
        return json && c == '"' ? '"' : '\0';
    }
}

static void put_odd_byte(struct ggfs_sink *out, unsigned char c, bool json)
{
    static const char hex[] = "0123456789abcdef";
    char letter = letter_of(c, json);

    if (letter) {
        ggfs_sink_put(out, (char[]){'\\', letter}, 2);
        return;
    }
    if (json && c >= 0x80) {
        ggfs_sink_put(out, "\xEF\xBF\xBD", 3);
        return;
    }
    ggfs_sink_str(out, json ? GGFS_STR("\\u00") : GGFS_STR("\\x"));
    ggfs_sink_put(out, (char[]){hex[c >> 4], hex[c & 15]}, 2);
}

static void put_text(struct ggfs_sink *out, struct ggfs_str s, bool json)
{
    for (size_t i = 0; i < s.len && !ggfs_sink_full(out);) {
        size_t run = plain_run(s.ptr + i, s.len - i, json);
        ggfs_sink_put(out, s.ptr + i, run);
        i += run;
        if (i < s.len)
            put_odd_byte(out, (unsigned char)s.ptr[i++], json);
    }
}

void ggfs_text_escape(struct ggfs_sink *out, struct ggfs_str s)
{
    put_text(out, s, false);
}

/* No shell takes these bytes for anything else, wherever in a word they are. */
static bool is_shell_safe(struct ggfs_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && c < 0x80 && !strchr("%+,-./:@_", c))
            return false;
    }
    return s.len > 0;
}

void ggfs_text_shell(struct ggfs_sink *out, struct ggfs_str path)
{
    bool plain = plain_run(path.ptr, path.len, false) == path.len;
    struct ggfs_str quote = plain ? GGFS_STR("'") : GGFS_STR("$'");

    if (path.len > 0 && path.ptr[0] == '-')
        ggfs_sink_str(out, GGFS_STR("./"));
    if (plain && is_shell_safe(path)) {
        ggfs_sink_str(out, path);
        return;
    }
    ggfs_sink_str(out, quote);
    for (size_t i = 0; i < path.len; i++) {
        if (path.ptr[i] == '\'') {
            ggfs_sink_str(out, GGFS_STR("'\"'\""));
            ggfs_sink_str(out, quote);
        } else {
            ggfs_sink_byte(out, path.ptr[i]);
        }
    }
    ggfs_sink_byte(out, '\'');
}

void ggfs_text_json(struct ggfs_sink *out, struct ggfs_str s)
{
    put_text(out, s, true);
}

void ggfs_text_json_string(struct ggfs_sink *out, struct ggfs_str s)
{
    ggfs_sink_byte(out, '"');
    ggfs_text_json(out, s);
    ggfs_sink_byte(out, '"');
}

size_t ggfs_text_piece(struct ggfs_str s, size_t n)
{
    if (s.len <= n)
        return s.len;
    /* A cut is right before any byte that does not go on with a character begun at most three
     * bytes earlier. */
    for (size_t cut = n; cut > 1 && n - cut < 4; cut--) {
        size_t len = ggfs_text_utf8(s.ptr + cut - 1, s.len - cut + 1);
        if (len == 1)
            return cut;
        if (len > 1)
            return cut - 1 + len <= n ? cut - 1 + len : cut - 1;
    }
    return n ? n : 1;
}
