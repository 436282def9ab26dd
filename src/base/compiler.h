/* SPDX-License-Identifier: MIT */
/* compiler.h - the compiler extensions that the rest of the code uses, by name. */
#ifndef GGFS_BASE_COMPILER_H
#define GGFS_BASE_COMPILER_H

/* Argument number position (from 1) is a printf format for the arguments from first on. */
#define GGFS_PRINTF(position, first) __attribute__((format(printf, position, first)))

#define GGFS_LIKELY(x) __builtin_expect(!!(x), 1)
#define GGFS_UNLIKELY(x) __builtin_expect(!!(x), 0)

#endif
