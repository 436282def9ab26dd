/* SPDX-License-Identifier: MIT */
/* legacy_parts.h - a llama model in several files, NAME, NAME.1, NAME.2 and so on, as one. */
#ifndef GGFS_FORMATS_LEGACY_PARTS_H
#define GGFS_FORMATS_LEGACY_PARTS_H

#include "formats/format.h"

/* The join of the format's row: model is part 0, or whole. */
struct ggfs_model *ggfs_legacy_join(struct ggfs_model *model,
                                    const struct ggfs_open_options *options, struct ggfs_err *err);

#endif
