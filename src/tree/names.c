/* SPDX-License-Identifier: MIT */
/* names.c - escaping, cutting and parsing file names. */
#include <config.h>

#include "tree/names.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MARK GGFS_STR("%~")
#define HASH_DIGITS 16

uint64_t ggfs_names_hash(struct ggfs_str raw)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < raw.len; i++)
        hash = (hash ^ (unsigned char)raw.ptr[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static bool is_dots(struct ggfs_str raw)
{
    return ggfs_str_equal(raw, GGFS_STR(".")) || ggfs_str_equal(raw, GGFS_STR(".."));
}

/* The escape of the byte at i, or NULL where it stays. */
static const char *escape_of(struct ggfs_str raw, size_t i, bool dots)
{
    switch (raw.ptr[i]) {
    case '/':
        return "%2F";
    case '\0':
        return "%00";
    case '%':
        return "%25";
    case '.':
        return dots ? "%2E" : NULL;
    default:
        return NULL;
    }
}

size_t ggfs_names_escaped_length(struct ggfs_str raw)
{
    bool dots = is_dots(raw);
    size_t length = raw.len;

    if (raw.len == 0)
        return 1;
    for (size_t i = 0; i < raw.len; i++)
        length += escape_of(raw, i, dots) ? 2 : 0;
    return length;
}

/* As much of raw escaped as fits into room bytes, cut neither in an escape nor in a character. */
static size_t escape(struct ggfs_str raw, char *out, size_t room)
{
    bool dots = is_dots(raw);
    size_t n = 0, step;

    if (raw.len == 0 && room > 0) {
        out[0] = '%';
        return 1;
    }
    for (size_t i = 0; i < raw.len; i += step) {
        const char *escaped = escape_of(raw, i, dots);
        size_t bytes;
        step = ggfs_text_utf8(raw.ptr + i, raw.len - i);
        step = step ? step : 1;
        bytes = escaped ? 3 : step;
        if (bytes > room - n)
            break;
        memcpy(out + n, escaped ? escaped : raw.ptr + i, bytes);
        n += bytes;
    }
    return n;
}

static size_t put_mark(char out[16], uint32_t repeat)
{
    return repeat > 1 ? (size_t)snprintf(out, 16, "%%~%" PRIu32, repeat) : 0;
}

bool ggfs_names_is_long(struct ggfs_str raw, uint32_t repeat, struct ggfs_str suffix)
{
    char mark[16];

    return raw.len > GGFS_NAMES_MAX ||
           ggfs_names_escaped_length(raw) + put_mark(mark, repeat) + suffix.len > GGFS_NAMES_MAX;
}

static size_t append(char *out, size_t n, const char *bytes, size_t count)
{
    memcpy(out + n, bytes, count);
    return n + count;
}

size_t ggfs_names_file(struct ggfs_str raw, uint32_t repeat, struct ggfs_str suffix,
                       char out[GGFS_NAMES_MAX])
{
    char mark[16], hash[sizeof "%~" + HASH_DIGITS];
    size_t mark_len = put_mark(mark, repeat), n;

    if (ggfs_names_is_long(raw, repeat, suffix)) {
        n = escape(raw, out, GGFS_NAMES_MAX - suffix.len - mark_len - MARK.len - HASH_DIGITS);
        snprintf(hash, sizeof hash, "%%~%016" PRIx64, ggfs_names_hash(raw));
        n = append(out, n, hash, MARK.len + HASH_DIGITS);
    } else {
        n = escape(raw, out, GGFS_NAMES_MAX);
    }
    n = append(out, n, mark, mark_len);
    return append(out, n, suffix.ptr, suffix.len);
}

/* Where the last `%~` of s is, or s.len. */
static size_t find_mark(struct ggfs_str s)
{
    for (size_t i = s.len; i-- > 0;)
        if (s.ptr[i] == '%' && i + 1 < s.len && s.ptr[i + 1] == '~')
            return i;
    return s.len;
}

static bool parse_digits(struct ggfs_str digits, unsigned base, uint64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < digits.len; i++) {
        char c = digits.ptr[i];
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                                                : base;
        if (digit >= base)
            return false;
        *out = *out * base + digit;
    }
    return digits.len > 0;
}

/* Takes `%~N` off the end of stem: a repeat mark, unless it has the length of a hash. */
static bool take_repeat(struct ggfs_str *stem, uint32_t *repeat)
{
    size_t mark = find_mark(*stem);
    struct ggfs_str digits;
    uint64_t number;

    *repeat = 1;
    if (mark == stem->len || stem->len - mark - MARK.len == HASH_DIGITS)
        return true;
    digits = (struct ggfs_str){stem->ptr + mark + MARK.len, stem->len - mark - MARK.len};
    if (digits.len > 10 || !parse_digits(digits, 10, &number) || number < 2 || number > UINT32_MAX)
        return false;
    *repeat = (uint32_t)number;
    stem->len = mark;
    return true;
}

static bool unescape(struct ggfs_str stem, struct ggfs_names_parts *parts)
{
    uint64_t byte;

    parts->raw_len = 0;
    if (ggfs_str_equal(stem, GGFS_STR("%")))
        return true;
    for (size_t i = 0; i < stem.len; i++) {
        char c = stem.ptr[i];
        if (c == '%') {
            /* Capitals only, and only those that the escape makes: the caller compares. */
            char low[2];
            if (stem.len - i < 3)
                return false;
            for (int d = 0; d < 2; d++) {
                char digit = stem.ptr[i + 1 + (size_t)d];
                low[d] = digit >= 'A' && digit <= 'F' ? (char)(digit - 'A' + 'a') : digit;
            }
            if (!parse_digits((struct ggfs_str){low, 2}, 16, &byte))
                return false;
            c = (char)byte;
            i += 2;
        }
        parts->raw[parts->raw_len++] = c;
    }
    return stem.len > 0;
}

bool ggfs_names_parse(struct ggfs_str file, struct ggfs_str suffix, struct ggfs_names_parts *parts)
{
    struct ggfs_str stem = file, digits;
    size_t mark;

    if (file.len > GGFS_NAMES_MAX || !ggfs_str_ends(file, suffix))
        return false;
    stem.len -= suffix.len;
    if (!take_repeat(&stem, &parts->repeat))
        return false;
    mark = find_mark(stem);
    parts->hashed = mark < stem.len;
    if (!parts->hashed)
        return unescape(stem, parts);
    digits = (struct ggfs_str){stem.ptr + mark + MARK.len, stem.len - mark - MARK.len};
    return digits.len == HASH_DIGITS && parse_digits(digits, 16, &parts->hash);
}
