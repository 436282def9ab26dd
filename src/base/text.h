/* SPDX-License-Identifier: MIT */
/* text.h - numbers and bytes as text: the forms that every file of the tree shares. */
#ifndef GGFS_BASE_TEXT_H
#define GGFS_BASE_TEXT_H

#include "base/sink.h"
#include "base/str.h"

#include <stddef.h>
#include <stdint.h>

/* Room for any number that the functions below write, without a closing NUL. */
#define GGFS_TEXT_NUMBER 32

/* Decimal, all bits exact. out has room for GGFS_TEXT_NUMBER bytes; each returns the number of
 * bytes written to out. */
size_t ggfs_text_u64(char *out, uint64_t value);
size_t ggfs_text_i64(char *out, int64_t value);

/* The digits of Python's repr: the fewest that read back to the same float (float32 in the first,
 * float64 in the second), no trailing `.0`; `1e-05`, `-0`, `inf`, `-inf`, `nan`. */
size_t ggfs_text_f32(char *out, float value);
size_t ggfs_text_f64(char *out, double value);

/* Length of the well-formed UTF-8 sequence (RFC 3629: shortest form, no surrogates, up to
 * U+10FFFF) at p, which has n bytes; 0 where there is none. */
size_t ggfs_text_utf8(const char *p, size_t n);

/* s escaped so that it stays within one line and one tsv field: backslash, newline, carriage
 * return and tab by letter, every other control byte and every byte outside valid UTF-8 as \xNN. */
void ggfs_text_escape(struct ggfs_sink *out, struct ggfs_str s);

/* path as one word of a command for a shell, as it shall stand in a sentence that is escaped before
 * it is shown: where there is something to escape it is in $'…', which undoes that. */
void ggfs_text_shell(struct ggfs_sink *out, struct ggfs_str path);

/* The inside of a JSON string; each byte outside valid UTF-8 becomes one U+FFFD. */
void ggfs_text_json(struct ggfs_sink *out, struct ggfs_str s);

/* The same with the quotes around it. */
void ggfs_text_json_string(struct ggfs_sink *out, struct ggfs_str s);

/* How many bytes of s may be rendered by itself without cutting a character: all of s where it has
 * at most n bytes, else the largest cut at or below n (at least 1). For long strings in pieces. */
size_t ggfs_text_piece(struct ggfs_str s, size_t n);

#endif
