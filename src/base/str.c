/* SPDX-License-Identifier: MIT */
/* str.c - comparing byte strings. */
#include <config.h>

#include "base/str.h"

#include <string.h>

struct ggfs_str ggfs_str_from(const char *text)
{
    return (struct ggfs_str){text, strlen(text)};
}

bool ggfs_str_equal(struct ggfs_str a, struct ggfs_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

int ggfs_str_compare(struct ggfs_str a, struct ggfs_str b)
{
    size_t common = a.len < b.len ? a.len : b.len;
    int order = common ? memcmp(a.ptr, b.ptr, common) : 0;

    return order ? order : (a.len > b.len) - (a.len < b.len);
}

bool ggfs_str_starts(struct ggfs_str s, struct ggfs_str prefix)
{
    return s.len >= prefix.len && ggfs_str_equal((struct ggfs_str){s.ptr, prefix.len}, prefix);
}

bool ggfs_str_ends(struct ggfs_str s, struct ggfs_str suffix)
{
    if (s.len < suffix.len)
        return false;
    return ggfs_str_equal((struct ggfs_str){s.ptr + (s.len - suffix.len), suffix.len}, suffix);
}
