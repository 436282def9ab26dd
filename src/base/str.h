/* SPDX-License-Identifier: MIT */
/* str.h - byte strings as pointer and length; they may hold NUL and need not be UTF-8. */
#ifndef GGFS_BASE_STR_H
#define GGFS_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>

struct ggfs_str {
    const char *ptr;
    size_t len;
};

/* A slice over a string literal or another array of char with its closing NUL left out. */
#define GGFS_STR(literal) ((struct ggfs_str){(literal), sizeof(literal) - 1})

/* A slice over a C string. */
struct ggfs_str ggfs_str_from(const char *text);

bool ggfs_str_equal(struct ggfs_str a, struct ggfs_str b);

/* Byte order, the shorter first where one starts the other: <0, 0, >0. */
int ggfs_str_compare(struct ggfs_str a, struct ggfs_str b);

bool ggfs_str_starts(struct ggfs_str s, struct ggfs_str prefix);
bool ggfs_str_ends(struct ggfs_str s, struct ggfs_str suffix);

#endif
