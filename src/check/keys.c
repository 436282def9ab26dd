/* SPDX-License-Identifier: MIT */
/* keys.c - checks of the keys that the specification fixes a type for. */
#include <config.h>

#include "check/report.h"
#include "check/rows.h"

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
    return true;
}
