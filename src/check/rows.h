/* SPDX-License-Identifier: MIT */
/* rows.h - the functions behind the rows of the table of checks. Each reports what it finds and is
 * false only where it could not look. */
#ifndef GGFS_CHECK_ROWS_H
#define GGFS_CHECK_ROWS_H

#include <stdbool.h>

struct ggfs_err;
struct ggfs_report;

/* notes.c: what opening the model has noted under the check's name. */
bool ggfs_check_notes(const struct ggfs_report *report, struct ggfs_err *err);

/* tensors.c */
bool ggfs_check_tensors(const struct ggfs_report *report, struct ggfs_err *err);
bool ggfs_check_faults(const struct ggfs_report *report, struct ggfs_err *err);
bool ggfs_check_dims(const struct ggfs_report *report, struct ggfs_err *err);
bool ggfs_check_decoder(const struct ggfs_report *report, struct ggfs_err *err);

/* deep.c */
bool ggfs_check_values(const struct ggfs_report *report, struct ggfs_err *err);

/* hyper.c */
bool ggfs_check_embedding(const struct ggfs_report *report, struct ggfs_err *err);
bool ggfs_check_blocks(const struct ggfs_report *report, struct ggfs_err *err);

/* places.c */
bool ggfs_check_end(const struct ggfs_report *report, struct ggfs_err *err);
bool ggfs_check_overlap(const struct ggfs_report *report, struct ggfs_err *err);
bool ggfs_check_gap(const struct ggfs_report *report, struct ggfs_err *err);
bool ggfs_check_padding(const struct ggfs_report *report, struct ggfs_err *err);

/* names.c */
bool ggfs_check_duplicate(const struct ggfs_report *report, struct ggfs_err *err);
bool ggfs_check_name(const struct ggfs_report *report, struct ggfs_err *err);

/* keys.c */
bool ggfs_check_keys(const struct ggfs_report *report, struct ggfs_err *err);

/* vocabulary.c */
bool ggfs_check_vocabulary(const struct ggfs_report *report, struct ggfs_err *err);

#endif
