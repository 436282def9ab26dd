/* SPDX-License-Identifier: MIT */
/* liblog.c - libfuse's messages: kept back before the mount stands, logged afterwards. */
#include <config.h>

#include "fuse/liblog.h"

#include "base/log.h"

#include <fuse_log.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Both change before any thread only. libfuse gives one line in several calls. */
static bool holding;
static char held[512];

static void hold(const char *format, va_list args) GGFS_PRINTF(1, 0);
static void pass(enum fuse_log_level level, const char *format, va_list args) GGFS_PRINTF(2, 0);
static void take(enum fuse_log_level level, const char *format, va_list args) GGFS_PRINTF(2, 0);

static void hold(const char *format, va_list args)
{
    size_t used = strlen(held);

    if (used && held[used - 1] == '\n')
        return;
    vsnprintf(held + used, sizeof held - used, format, args);
}

static void pass(enum fuse_log_level level, const char *format, va_list args)
{
    char line[512];

    vsnprintf(line, sizeof line, format, args);
    line[strcspn(line, "\n")] = '\0';
    if (line[0])
        ggfs_log(level <= FUSE_LOG_ERR ? GGFS_LOG_ERROR : GGFS_LOG_WARNING, "%s", line);
}

static void take(enum fuse_log_level level, const char *format, va_list args)
{
    if (level == FUSE_LOG_DEBUG)
        vfprintf(stderr, format, args);
    else if (holding)
        hold(format, args);
    else
        pass(level, format, args);
}

void ggfs_liblog_hold(void)
{
    holding = true;
    fuse_set_log_func(take);
}

void ggfs_liblog_pass(void)
{
    holding = false;
    held[0] = '\0';
}

const char *ggfs_liblog_held(const char *otherwise)
{
    static const char name[] = "fuse: ";
    char *line = held;

    held[strcspn(held, "\n")] = '\0';
    if (strncmp(line, name, strlen(name)) == 0)
        line += strlen(name);
    return line[0] ? line : otherwise;
}
