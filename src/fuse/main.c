/* SPDX-License-Identifier: MIT */
/* main.c - the command: what is asked for, done, with the status that says how it went. */
#include <config.h>

#include "base/err.h"
#include "base/log.h"
#include "fuse/check_cmd.h"
#include "fuse/daemon.h"
#include "fuse/liblog.h"
#include "fuse/options.h"
#include "fuse/sandbox.h"
#include "fuse/session.h"
#include "fuse/status.h"
#include "kernels/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fail(const struct ggfs_err *err)
{
    ggfs_log_err(err);
    return ggfs_status_exit(err->kind);
}

/* -o cpu= goes before the environment. */
static bool choose_kernels(const struct ggfs_options *options, struct ggfs_err *err)
{
    const char *limit = options->cpu ? options->cpu : getenv("GGFS_CPU");
    char names[128] = "";
    size_t used = 0;

    if (limit && !options->cpu && !limit[0])
        limit = NULL;
    if (ggfs_kernels_init(limit))
        return true;
    for (size_t i = 0; ggfs_kernel_sets[i] && used < sizeof names; i++)
        used +=
            (size_t)snprintf(names + used, sizeof names - used, " %s", ggfs_kernel_sets[i]->name);
    return ggfs_fail(err, GGFS_ERR_USAGE, GGFS_NO_OFFSET, NULL,
                     "no code to decode with is called \"%s\"; there is:%s", limit, names);
}

static int finish_output(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return GGFS_STATUS_DONE;
    ggfs_log(GGFS_LOG_ERROR, "standard output: cannot be written");
    return GGFS_STATUS_SYSTEM;
}

static int help(void)
{
    ggfs_options_help(stdout);
    return finish_output();
}

static int version(void)
{
    char sandbox[32];

    ggfs_sandbox_name(sandbox, sizeof sandbox);
    printf("ggfs %s\nlibfuse %s\nsandbox %s\nkernels %s\n", PACKAGE_VERSION, fuse_pkgversion(),
           sandbox, ggfs_kernels_name());
    return finish_output();
}

static int mount_model(struct ggfs_options *options, struct ggfs_err *err)
{
    struct ggfs_end end;

    if (!ggfs_session_run(options, &end, err))
        end.status = fail(err);
    if (end.at_once)
        _exit(end.status);
    return end.status;
}

static int obey(struct ggfs_options *options, int argc, char **argv, struct ggfs_err *err)
{
    if (!ggfs_daemon_fill_std(err) || !ggfs_options_parse(options, argc, argv, err))
        return fail(err);
    if (options->help)
        return help();
    if (!choose_kernels(options, err))
        return fail(err);
    if (options->version)
        return version();
    return options->check ? ggfs_check_command(options, err) : mount_model(options, err);
}

int main(int argc, char **argv)
{
    struct ggfs_options options = {0};
    struct ggfs_err err;
    int status;

    ggfs_err_init(&err, NULL);
    ggfs_liblog_hold();
    status = obey(&options, argc, argv, &err);
    ggfs_options_free(&options);
    return status;
}
