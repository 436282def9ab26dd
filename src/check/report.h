/* SPDX-License-Identifier: MIT */
/* report.h - what a check says of a file, a key or a tensor. */
#ifndef GGFS_CHECK_REPORT_H
#define GGFS_CHECK_REPORT_H

#include "base/compiler.h"
#include "check/check.h"
#include "model/model.h"

#include <stdint.h>

/* What a check is given: the model, and where its findings go. */
struct ggfs_report {
    const struct ggfs_model *model;
    const char *check; /* name of the check that runs */
    ggfs_finding_fn found;
    void *context;
    struct ggfs_check_counts *counts;
};

/* A sentence about a file; offset may be GGFS_NO_OFFSET. */
void ggfs_report_file(const struct ggfs_report *report, uint32_t source, uint64_t offset,
                      enum ggfs_level level, const char *format, ...) GGFS_PRINTF(5, 6);

/* `kv[INDEX].FIELD: sentence (key "NAME")`; offset is the field's in the key's file. A field that
 * begins with a bracket (an element) has no dot before it. */
void ggfs_report_key(const struct ggfs_report *report, const struct ggfs_key *key,
                     const char *field, uint64_t offset, enum ggfs_level level, const char *format,
                     ...) GGFS_PRINTF(6, 7);

/* `tensor[INDEX].FIELD: sentence (tensor "NAME")`, with the field and the offset that the fault
 * speaks of. */
void ggfs_report_tensor(const struct ggfs_report *report, uint32_t index, enum ggfs_fault fault,
                        enum ggfs_level level, const char *format, ...) GGFS_PRINTF(5, 6);

/* The same for any field, and any offset in the tensor's file. */
void ggfs_report_place(const struct ggfs_report *report, uint32_t index, const char *field,
                       uint64_t offset, enum ggfs_level level, const char *format, ...)
    GGFS_PRINTF(6, 7);

#endif
