/* SPDX-License-Identifier: MIT */
/* say.h - why the bench cannot go on, and paths for it to go on with. */
#ifndef GGFS_BENCH_SAY_H
#define GGFS_BENCH_SAY_H

#include <limits.h>
#include <stdbool.h>

/* A sentence on stderr; returns false. */
bool say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same for what, with the reason of errno behind it. */
bool say_errno(const char *what);

struct path {
    char text[PATH_MAX];
};

struct path path_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
