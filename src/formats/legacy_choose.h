/* SPDX-License-Identifier: MIT */
/* legacy_choose.h - which frame and layout a file from before GGUF has. */
#ifndef GGFS_FORMATS_LEGACY_CHOOSE_H
#define GGFS_FORMATS_LEGACY_CHOOSE_H

#include "formats/format.h"
#include "formats/legacy_walk.h"

/* Frames that a file is tried as, with one to spare. */
#define GGFS_LEGACY_CANDIDATES 16

/* One frame that fits. */
struct ggfs_legacy_candidate {
    const struct ggfs_legacy_frame *frame;
    enum ggfs_legacy_end end;
    uint32_t n_records;
    uint32_t ftype;
    bool good; /* ftype names a type that occurs, or there is none to ask */
};

struct ggfs_legacy_choice {
    struct ggfs_legacy_walk walk; /* of the chosen one */
    bool good;
    bool forced_frame, forced_layout, forced_planar;
    const struct ggfs_legacy_arch *forced_arch;                  /* -o frame= named one */
    struct ggfs_legacy_candidate fitted[GGFS_LEGACY_CANDIDATES]; /* the chosen one included */
    size_t n_fitted, n_tried;
};

/* The first container of this magic, NULL for others. n bytes of the file at head. */
const struct ggfs_legacy_container *ggfs_legacy_container_by_magic(const uint8_t *head, size_t n);

/* Tries all frames. False and a filled err where none fits. */
bool ggfs_legacy_choose(struct ggfs_legacy_choice *choice, struct ggfs_peek *peek,
                        const struct ggfs_open_options *options, struct ggfs_err *err);

/* The enumeration that the walk's ftype word belongs to. */
enum ggfs_legacy_ftypes ggfs_legacy_ftypes_of(const struct ggfs_legacy_walk *walk);

#endif
