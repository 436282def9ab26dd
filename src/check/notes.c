/* SPDX-License-Identifier: MIT */
/* notes.c - findings that were made when the model was opened. */
#include <config.h>

#include "check/report.h"
#include "check/rows.h"

#include <string.h>

bool ggfs_check_notes(const struct ggfs_report *report, struct ggfs_err *err)
{
    (void)err;
    for (const struct ggfs_note *note = report->model->notes; note; note = note->next)
        if (strcmp(note->check, report->check) == 0)
            ggfs_report_file(report, note->source, note->offset, note->level, "%s", note->text);
    return true;
}
