/* SPDX-License-Identifier: MIT */
/* gguf.h - the GGUF container, for the registry. */
#ifndef GGFS_FORMATS_GGUF_H
#define GGFS_FORMATS_GGUF_H

#include "formats/format.h"

extern const struct ggfs_format ggfs_format_gguf;

#endif
