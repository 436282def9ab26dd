/* SPDX-License-Identifier: MIT */
/* check.c - the table of checks, and running them. */
#include <config.h>

#include "check/check.h"

#include "check/report.h"
#include "check/rows.h"

/* size, type, layout, alignment and room report what settling the model has marked; a fault's row
 * in faults.def names the check that tells of it. */
const struct ggfs_check ggfs_checks[] = {
    {"keys", "general.* keys that are missing, empty or of another type; odd values", false,
     ggfs_check_keys},
    {"duplicate", "keys or tensors of one name", false, ggfs_check_duplicate},
    {"name", "keys or tensors without a name, or with one that other programs refuse", false,
     ggfs_check_name},
    {"split", "shards that are missing or do not agree", false, ggfs_check_notes},
    {"frame", "files from before GGUF: what they were read as, and how sure that is", false,
     ggfs_check_notes},
    {"tensors", "a model without tensors: there is nothing to check", false, ggfs_check_tensors},
    {"end", "a file that ends before its last tensor does", false, ggfs_check_end},
    {"size", "dimensions that do not fit the type, or that no file can hold", false,
     ggfs_check_faults},
    {"dims", "tensors without values, or with a last dimension of 1", false, ggfs_check_dims},
    {"type", "type numbers that are unknown, removed, or were never used", false,
     ggfs_check_faults},
    {"layout", "type numbers that another program uses for another layout, by the tensor's size",
     false, ggfs_check_faults},
    {"alignment", "tensors that do not begin at a multiple of the alignment", false,
     ggfs_check_faults},
    {"room", "tensors that need more bytes than there are for them", false, ggfs_check_faults},
    {"overlap", "tensors that lie over the same bytes", false, ggfs_check_overlap},
    {"gap", "bytes between tensors that belong to none", false, ggfs_check_gap},
    {"padding", "bytes missing or left over behind the last tensor", false, ggfs_check_padding},
    {"decoder", "types whose values cannot be shown", false, ggfs_check_decoder},
    {"vocabulary", "token arrays of a wrong type or length, odd elements, ids that no token has",
     false, ggfs_check_vocabulary},
    {"embedding", "a token embedding or a vocabulary of another size than the keys say", false,
     ggfs_check_embedding},
    {"blocks", "blocks that are missing, or more of them than the keys say", false,
     ggfs_check_blocks},
    {"values", "with --deep: NaN, infinite values, blocks of zeros, bytes that cannot be read",
     true, ggfs_check_values},
    {NULL, NULL, false, NULL},
};

const char *ggfs_level_name(enum ggfs_level level)
{
    static const char *const names[] = {
        [GGFS_LEVEL_NOTE] = "note", [GGFS_LEVEL_WARNING] = "warning", [GGFS_LEVEL_ERROR] = "error"};

    return names[level];
}

bool ggfs_check_model(const struct ggfs_model *model, bool deep, ggfs_finding_fn found,
                      void *context, struct ggfs_check_counts *counts, struct ggfs_err *err)
{
    struct ggfs_report report = {
        .model = model, .found = found, .context = context, .counts = counts};

    *counts = (struct ggfs_check_counts){0};
    for (const struct ggfs_check *check = ggfs_checks; check->name; check++) {
        report.check = check->name;
        if ((deep || !check->deep) && !check->run(&report, err))
            return false;
    }
    return true;
}
