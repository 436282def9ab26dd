/* SPDX-License-Identifier: MIT */
/* log.h - what ggfs says while it serves: on stderr, or in syslog once it is in the background. */
#ifndef GGFS_BASE_LOG_H
#define GGFS_BASE_LOG_H

#include "base/compiler.h"
#include "base/err.h"

enum ggfs_log_level { GGFS_LOG_ERROR, GGFS_LOG_WARNING, GGFS_LOG_INFO };

/* Opens syslog and sends everything from now on there. Call before threads start. */
void ggfs_log_to_syslog(void);

/* One line, `ggfs: ` in front on stderr. May be called from any thread. */
void ggfs_log(enum ggfs_log_level level, const char *format, ...) GGFS_PRINTF(2, 3);

/* err as one line. */
void ggfs_log_err(const struct ggfs_err *err);

/* The same of a sentence about a file that is no error: file and text are what counts. */
void ggfs_log_about(enum ggfs_log_level level, const struct ggfs_err *sentence);

#endif
