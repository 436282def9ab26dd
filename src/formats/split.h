/* SPDX-License-Identifier: MIT */
/* split.h - a GGUF model in several files, NAME-00001-of-00003.gguf and so on, as one. */
#ifndef GGFS_FORMATS_SPLIT_H
#define GGFS_FORMATS_SPLIT_H

#include "formats/format.h"

/* Any shard stands for the whole: where the name of model's file and its split.count agree, opens
 * the other shards beside it and returns them as one model, metadata of the first, tensors of all
 * in order. Else returns model itself, with a note of what does not agree. Takes model over; NULL
 * and a filled err where a shard is missing (without options->partial) or damaged. */
struct ggfs_model *ggfs_split_join(struct ggfs_model *model,
                                   const struct ggfs_open_options *options, struct ggfs_err *err);

#endif
