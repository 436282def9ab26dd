/* SPDX-License-Identifier: MIT */
/* check.h - findings about a model: one table of named checks. */
#ifndef GGFS_CHECK_CHECK_H
#define GGFS_CHECK_CHECK_H

#include "base/err.h"
#include "base/str.h"
#include "model/model.h"

#include <stdbool.h>
#include <stdint.h>

struct ggfs_finding {
    const char *file; /* path by which the source was opened */
    uint64_t offset;  /* or GGFS_NO_OFFSET */
    enum ggfs_level level;
    const char *check;    /* the check's name */
    struct ggfs_str text; /* a sentence, `tensor[3].offset: …`, not escaped; may hold NUL */
};

/* Called for each finding; what it points to ends with the call. */
typedef void (*ggfs_finding_fn)(void *context, const struct ggfs_finding *finding);

struct ggfs_check_counts {
    uint64_t errors, warnings, notes;
};

struct ggfs_report;

struct ggfs_check {
    const char *name;
    const char *what; /* for the manual: what it looks for */
    bool deep;        /* reads and decodes all tensors: only where asked for */
    bool (*run)(const struct ggfs_report *report, struct ggfs_err *err); /* report.h */
};

/* All checks in the order in which they run, a NULL name behind the last. */
extern const struct ggfs_check ggfs_checks[];

/* `error`, `warning`, `note`. */
const char *ggfs_level_name(enum ggfs_level level);

/* Runs all checks, the deep ones too where deep says so. The kernels must have been chosen. False
 * only where a check could not be made (memory). */
bool ggfs_check_model(const struct ggfs_model *model, bool deep, ggfs_finding_fn found,
                      void *context, struct ggfs_check_counts *counts, struct ggfs_err *err);

#endif
