/* SPDX-License-Identifier: MIT */
/* sink.h - where rendered text goes: counted, or copied as far as it lies in a window. */
#ifndef GGFS_BASE_SINK_H
#define GGFS_BASE_SINK_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ggfs_sink {
    uint64_t total; /* bytes put so far */
    uint64_t skip;  /* bytes still to be left out before the window begins */
    char *dst;
    size_t room; /* bytes the window holds */
    size_t got;  /* bytes copied into it so far */
};

/* A sink that only counts. */
void ggfs_sink_count(struct ggfs_sink *sink);

/* A sink that drops skip bytes, then copies room bytes to dst, then drops the rest. */
void ggfs_sink_window(struct ggfs_sink *sink, uint64_t skip, char *dst, size_t room);

/* True when nothing that is put from now on can be seen any more (never for a counting one). */
static inline bool ggfs_sink_full(const struct ggfs_sink *sink)
{
    return sink->dst && sink->got == sink->room;
}

void ggfs_sink_put(struct ggfs_sink *sink, const void *bytes, size_t n);

static inline void ggfs_sink_str(struct ggfs_sink *sink, struct ggfs_str s)
{
    ggfs_sink_put(sink, s.ptr, s.len);
}

static inline void ggfs_sink_byte(struct ggfs_sink *sink, char c)
{
    ggfs_sink_put(sink, &c, 1);
}

#endif
