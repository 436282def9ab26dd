/* SPDX-License-Identifier: MIT */
/* say.c - sentences and paths. */
#include <config.h>

#include "say.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool say(const char *format, ...)
{
    va_list arguments;

    fputs("bench: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return false;
}

bool say_errno(const char *what)
{
    return say("%s: %s", what, strerror(errno));
}

struct path path_of(const char *format, ...)
{
    struct path path;
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(path.text, sizeof path.text, format, arguments);
    va_end(arguments);
    return path;
}
