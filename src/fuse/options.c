/* SPDX-License-Identifier: MIT */
/* options.c - from options.def to fuse_opt, --help and the list for libfuse. */
#include <config.h>

#include "fuse/options.h"

#include "base/mem.h"
#include "fuse/liblog.h"
#include "fuse/meant.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct row {
    const char *letter, *name, *value, *help;
};

static const struct row own_rows[] = {
#define OWN(field, letter, name, value, help) {letter, name, value, help},
#define LIBFUSE(name, help)
#define DROP(name)
#include "fuse/options.def"
#undef OWN
#undef LIBFUSE
};

static const struct row libfuse_rows[] = {
#define OWN(field, letter, name, value, help)
#define LIBFUSE(name, help) {"", name, "", help},
#include "fuse/options.def"
#undef OWN
#undef LIBFUSE
#undef DROP
};

/* A row without a letter or a value leaves a template that no argument can match. */
#define LETTER(letter) (sizeof(letter) > 1 ? "-" letter : "-\n")
#define FORM(dashes, name, value) (sizeof(value) > 1 ? dashes name "=%s" : dashes name)

/* A switch is an int that becomes 1; "%s" makes fuse_opt store a copy of the value instead. */
static const struct fuse_opt templates[] = {
#define OWN(field, letter, name, value, help)                               \
    {LETTER(letter), offsetof(struct ggfs_options, field), 1},              \
        {FORM("--", name, value), offsetof(struct ggfs_options, field), 1}, \
        {FORM("", name, value), offsetof(struct ggfs_options, field), 1},
#define LIBFUSE(name, help)
#define DROP(name) {name, UINT_MAX, FUSE_OPT_KEY_DISCARD},
#include "fuse/options.def"
#undef OWN
#undef LIBFUSE
#undef DROP
    FUSE_OPT_END,
};

static bool usage(struct ggfs_err *err, const char *what, const char *which)
{
    return ggfs_fail(err, GGFS_ERR_USAGE, GGFS_NO_OFFSET, NULL, "%s%s; see ggfs --help", what,
                     which);
}

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static int take_operand(struct ggfs_options *options, const char *operand)
{
    char *copy = ggfs_mem_alloc(strlen(operand) + 1, options->failed);

    if (!copy)
        return -1;
    options->operands[options->n_operands++] = strcpy(copy, operand);
    return 0;
}

/* False where arg is the name of an option of ours, which then lacks a value or has one too many.
 */
static bool value_fits(const char *arg, struct ggfs_err *err)
{
    const char *word = starts(arg, "--") ? arg + 2 : arg;
    size_t length = strcspn(word, "=");

    for (size_t i = 0; i < sizeof own_rows / sizeof *own_rows; i++) {
        const struct row *row = &own_rows[i];
        if (strlen(row->name) != length || strncmp(row->name, word, length) != 0)
            continue;
        if (!row->value[0])
            return usage(err, "this option takes no value: ", arg);
        return ggfs_fail(err, GGFS_ERR_USAGE, GGFS_NO_OFFSET, NULL,
                         "%s takes a value, behind an equals sign: %s%s; see ggfs --help", arg, arg,
                         row->value);
    }
    return true;
}

static bool fail_unknown(const char *arg, struct ggfs_err *err)
{
    char meant[GGFS_MEANT];

    return ggfs_fail(err, GGFS_ERR_USAGE, GGFS_NO_OFFSET, NULL,
                     "unknown option %s%s; see ggfs --help", arg,
                     ggfs_meant(arg + strspn(arg, "-"), "=", meant));
}

/* Options that no template matches. 1 keeps one for libfuse, 0 drops it, -1 is an error. */
static int take_other(void *data, const char *arg, int key, struct fuse_args *args)
{
    struct ggfs_options *options = data;

    (void)args;
    if (key == FUSE_OPT_KEY_NONOPT)
        return take_operand(options, arg);
    if (!value_fits(arg, options->failed))
        return -1;
    /* All that begins with a dash is ours; what libfuse takes comes behind -o. */
    if (arg[0] == '-') {
        fail_unknown(arg, options->failed);
        return -1;
    }
    if (strcmp(arg, "remount") == 0) {
        ggfs_fail(options->failed, GGFS_ERR_USAGE, GGFS_NO_OFFSET, NULL,
                  "a mount cannot be changed (remount): unmount it and mount again");
        return -1;
    }
    if (starts(arg, "x-") || starts(arg, "X-"))
        return 0;
    if (strcmp(arg, "allow_other") == 0 || strcmp(arg, "allow_root") == 0)
        options->others = true;
    return 1;
}

static bool read_cache(struct ggfs_options *options, struct ggfs_err *err)
{
    static const char *const names[] = {
        [GGFS_CACHE_AUTO] = "auto",
        [GGFS_CACHE_DIRECT] = "direct",
        [GGFS_CACHE_KERNEL] = "kernel",
    };

    if (!options->cache)
        return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(options->cache, names[i]) == 0) {
            options->cache_mode = (enum ggfs_cache)i;
            return true;
        }
    }
    return usage(err, "cache is auto, direct or kernel, not ", options->cache);
}

static bool check_operands(const struct ggfs_options *options, struct ggfs_err *err)
{
    if (options->json && !options->check)
        return usage(err, "--json goes with --check only", "");
    if (options->deep && !options->check)
        return usage(err, "--deep goes with --check only", "");
    if (options->n_operands == 0)
        return usage(err, options->check ? "no MODEL is given" : "no MODEL and no MOUNTPOINT", "");
    if (options->check && options->args.argc > 1)
        return usage(
            err, "--check takes no mount options: ", options->args.argv[options->args.argc - 1]);
    if (options->check)
        return true;
    if (options->n_operands == 1)
        return usage(err, "no MOUNTPOINT is given", "");
    if (options->n_operands > 2)
        return usage(err, "one argument too many: ", options->operands[2]);
    return true;
}

static void name_operands(struct ggfs_options *options)
{
    if (options->check || options->n_operands < 2)
        return;
    options->model = options->operands[0];
    options->mountpoint = options->operands[1];
}

bool ggfs_options_parse(struct ggfs_options *options, int argc, char **argv, struct ggfs_err *err)
{
    *options = (struct ggfs_options){.args = FUSE_ARGS_INIT(argc, argv), .failed = err};
    /* One more than there can be, so that there is something to free where there is none. */
    options->operands = ggfs_mem_zero((size_t)argc + 1, sizeof *options->operands, err);
    if (!options->operands)
        return false;
    errno = 0;
    if (fuse_opt_parse(&options->args, options, templates, take_other) != 0)
        return errno == ENOMEM ? ggfs_fail_memory(err, 0)
                               : usage(err, ggfs_liblog_held("the options cannot be read"), "");
    options->failed = NULL;
    options->open = (struct ggfs_open_options){.no_split = options->no_split != 0,
                                               .partial = options->partial != 0,
                                               .frame = options->frame,
                                               .layout = options->layout};
    name_operands(options);
    if (options->help || options->version)
        return true;
    return read_cache(options, err) && check_operands(options, err);
}

void ggfs_options_free(struct ggfs_options *options)
{
    fuse_opt_free_args(&options->args);
    free(options->cache);
    free(options->cpu);
    free(options->frame);
    free(options->layout);
    for (size_t i = 0; i < options->n_operands; i++)
        free(options->operands[i]);
    free(options->operands);
}

static bool add(struct ggfs_options *options, const char *list)
{
    return fuse_opt_add_arg(&options->args, "-o") == 0 &&
           fuse_opt_add_arg(&options->args, list) == 0;
}

/* In front of what the user gave, who may name another source. */
static bool add_source(struct ggfs_options *options, const char *source)
{
    size_t size = strlen("fsname=") + strlen(source) + 1;
    char *option = malloc(size), *list = NULL;
    bool done;

    if (!option)
        return false;
    snprintf(option, size, "fsname=%s", source);
    done = fuse_opt_add_opt_escaped(&list, option) == 0 &&
           fuse_opt_insert_arg(&options->args, 1, "-o") == 0 &&
           fuse_opt_insert_arg(&options->args, 2, list) == 0;
    free(option);
    free(list);
    return done;
}

bool ggfs_options_complete(struct ggfs_options *options, const char *source, struct ggfs_err *err)
{
    /* Without allow_other the kernel admits the mounter alone, who may be able to read the model
     * by an ACL that its mode does not show. */
    bool done =
        add_source(options, source) && (!options->others || add(options, "default_permissions")) &&
        (!options->debug || add(options, "debug")) && add(options, "subtype=ggfs,ro,nosuid,nodev");

    return done || ggfs_fail_memory(err, strlen(source));
}

static void help_row(FILE *out, const char *dashes, const struct row *row)
{
    char left[64];

    snprintf(left, sizeof left, "%s%s%s%s%s%s", row->letter[0] ? "-" : "", row->letter,
             row->letter[0] ? ", " : "", dashes, row->name, row->value);
    if (strlen(left) > 22)
        fprintf(out, "  %s\n  %-22s  %s\n", left, "", row->help);
    else
        fprintf(out, "  %-22s  %s\n", left, row->help);
}

void ggfs_options_help(FILE *out)
{
    fputs("usage: ggfs [options] MODEL MOUNTPOINT\n"
          "       ggfs --check [--deep] [--json] MODEL...\n\n"
          "Shows the model file MODEL as a read-only directory tree at MOUNTPOINT.\n\n",
          out);
    for (size_t i = 0; i < sizeof own_rows / sizeof *own_rows; i++)
        help_row(out, "--", &own_rows[i]);
    fputs("  -o LIST                 mount options, separated by commas: any of the long options\n"
          "                          above without its dashes, and those of libfuse, such as\n",
          out);
    for (size_t i = 0; i < sizeof libfuse_rows / sizeof *libfuse_rows; i++)
        help_row(out, "-o ", &libfuse_rows[i]);
    fputs("\nUnmount with: fusermount3 -u MOUNTPOINT\n", out);
}
