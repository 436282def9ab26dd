/* SPDX-License-Identifier: MIT */
/* sink.c - counting and copying rendered text. */
#include <config.h>

#include "base/sink.h"

#include <string.h>

void ggfs_sink_count(struct ggfs_sink *sink)
{
    *sink = (struct ggfs_sink){0};
}

void ggfs_sink_window(struct ggfs_sink *sink, uint64_t skip, char *dst, size_t room)
{
    *sink = (struct ggfs_sink){.skip = skip, .dst = dst, .room = room};
}

void ggfs_sink_put(struct ggfs_sink *sink, const void *bytes, size_t n)
{
    const char *from = bytes;

    sink->total += n;
    if (!sink->dst)
        return;
    if (sink->skip >= n) {
        sink->skip -= n;
        return;
    }
    from += sink->skip;
    n -= (size_t)sink->skip;
    sink->skip = 0;
    if (n > sink->room - sink->got)
        n = sink->room - sink->got;
    if (n)
        memcpy(sink->dst + sink->got, from, n);
    sink->got += n;
}
