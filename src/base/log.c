/* SPDX-License-Identifier: MIT */
/* log.c - one line at a time to stderr or syslog. */
#include <config.h>

#include "base/log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <syslog.h>

/* Set once, before any thread. */
static bool to_syslog;

void ggfs_log_to_syslog(void)
{
    openlog("ggfs", LOG_PID | LOG_NDELAY, LOG_DAEMON);
    to_syslog = true;
}

static int priority_of(enum ggfs_log_level level)
{
    switch (level) {
    case GGFS_LOG_ERROR:
        return LOG_ERR;
    case GGFS_LOG_WARNING:
        return LOG_WARNING;
    case GGFS_LOG_INFO:
        break;
    }
    return LOG_INFO;
}

void ggfs_log(enum ggfs_log_level level, const char *format, ...)
{
    char line[4 * sizeof(struct ggfs_err)];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (to_syslog)
        syslog(priority_of(level), "%s", line);
    else
        fprintf(stderr, "ggfs: %s\n", line);
}

void ggfs_log_about(enum ggfs_log_level level, const struct ggfs_err *sentence)
{
    /* Escapes make a byte four bytes long at most. */
    char line[4 * sizeof(struct ggfs_err)];

    ggfs_err_format(sentence, line, sizeof line);
    ggfs_log(level, "%s", line);
}

void ggfs_log_err(const struct ggfs_err *err)
{
    ggfs_log_about(GGFS_LOG_ERROR, err);
}
