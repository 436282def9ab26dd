/* SPDX-License-Identifier: MIT */
/* keys.c - checks of the keys that the specification fixes a type for, and of odd values. */
#include <config.h>

#include "check/report.h"
#include "check/rows.h"

#include <inttypes.h>
#include <stddef.h>

static const struct {
    const char *name;
    uint8_t type;
} known[] = {
    {"general.architecture", GGFS_VALUE_STR},
    {"general.alignment", GGFS_VALUE_U32},
    {"general.name", GGFS_VALUE_STR},
    {"general.file_type", GGFS_VALUE_U32},
    {"general.quantization_version", GGFS_VALUE_U32},
    {"tokenizer.ggml.model", GGFS_VALUE_STR},
    {"tokenizer.ggml.pre", GGFS_VALUE_STR},
    {"tokenizer.chat_template", GGFS_VALUE_STR},
};

static void check_architecture(const struct ggfs_report *report)
{
    const struct ggfs_key *key = ggfs_model_key(report->model, "general.architecture");

    if (!key)
        ggfs_report_file(report, 0, GGFS_NO_OFFSET, GGFS_LEVEL_NOTE,
                         "there is no general.architecture");
    else if (key->value.type == GGFS_VALUE_STR && key->value.size == 0)
        ggfs_report_key(report, key, "value", key->value_at, GGFS_LEVEL_NOTE,
                        "the architecture is empty");
}

/* Readers take a bool for what its byte is, and for its lowest bit. */
static void check_bools(const struct ggfs_report *report, const struct ggfs_key *key)
{
    uint64_t odd = 0;

    if (key->value.elem != GGFS_VALUE_BOOL)
        return;
    for (uint64_t i = 0; i < key->value.count; i++)
        odd += key->value.data[i] > 1;
    if (odd)
        ggfs_report_key(report, key, "value", key->value_at, GGFS_LEVEL_NOTE,
                        "bytes of a bool that are neither 0 nor 1: %" PRIu64, odd);
}

static void check_nesting(const struct ggfs_report *report, const struct ggfs_key *key)
{
    if (key->value.type == GGFS_VALUE_ARR && key->value.elem == GGFS_VALUE_ARR)
        ggfs_report_key(report, key, "elem_type", key->type_at + 4, GGFS_LEVEL_NOTE,
                        "an array of arrays, which ggml refuses");
}

bool ggfs_check_keys(const struct ggfs_report *report, struct ggfs_err *err)
{
    (void)err;
    check_architecture(report);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct ggfs_key *key = ggfs_model_key(report->model, known[i].name);
        if (key && key->value.type != known[i].type)
            ggfs_report_key(report, key, "type", key->type_at, GGFS_LEVEL_WARNING, "%s, must be %s",
                            ggfs_value_type_name(key->value.type),
                            ggfs_value_type_name(known[i].type));
    }
    for (uint32_t i = 0; i < report->model->n_keys; i++) {
        check_bools(report, &report->model->keys[i]);
        check_nesting(report, &report->model->keys[i]);
    }
    return true;
}
