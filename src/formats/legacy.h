/* SPDX-License-Identifier: MIT */
/* legacy.h - ggml, ggmf, ggjt and ggla, the containers from before GGUF, for the registry. */
#ifndef GGFS_FORMATS_LEGACY_H
#define GGFS_FORMATS_LEGACY_H

#include "formats/format.h"

extern const struct ggfs_format ggfs_format_legacy;

#endif
