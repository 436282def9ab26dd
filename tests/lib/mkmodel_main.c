/* SPDX-License-Identifier: MIT */
/* mkmodel_main.c - mkmodel KIND[=N] OUT: writes one of the models by name. */
#include <config.h>

#include "models.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *expect_word(enum mk_expect expect)
{
    static const char *const words[] = {"mount", "mount-marked", "refuse", "either"};

    return words[expect];
}

static void list_good(const struct mk_kind *kinds)
{
    for (const struct mk_kind *k = kinds; k->name; k++)
        printf("%s\t%s\t-\t-\t%s\n", k->name, expect_word(k->expect), k->what);
}

/* The columns of the hostile samples' cases.tsv that matter. */
static void list_kinds(void)
{
    puts("#kind\texpect\toffset\tfield\twhat");
    list_good(mk_good_kinds);
    list_good(mk_legacy_kinds);
    for (const struct mk_wrong *w = mk_wrong_kinds; w->name; w++) {
        struct mk_base base;
        mk_base_make(&base, 3, false);
        printf("%s\t%s\t%zu\t%s\t%s\n", w->name, expect_word(w->expect),
               mk_field_offset(&base, w->at), w->field, w->what);
        mk_free(&base.m);
    }
}

static bool make_good(const struct mk_kind *kinds, struct mk *m, const char *name,
                      uint64_t argument)
{
    for (const struct mk_kind *k = kinds; k->name; k++)
        if (strcmp(k->name, name) == 0) {
            k->make(m, argument);
            return true;
        }
    return false;
}

static bool make_wrong(struct mk *m, const char *name)
{
    for (const struct mk_wrong *w = mk_wrong_kinds; w->name; w++)
        if (strcmp(w->name, name) == 0) {
            struct mk_base base;
            mk_base_make(&base, 3, false);
            mk_patch(&base.m, mk_field_offset(&base, w->at), mk_field_width(&base, w->at),
                     w->value);
            *m = base.m;
            return true;
        }
    return false;
}

static int make(char *kind, const char *path)
{
    char *number = strchr(kind, '=');
    uint64_t argument;
    struct mk m;
    bool ok;

    if (number)
        *number++ = '\0';
    argument = number ? strtoull(number, NULL, 10) : 0;
    if (!make_good(mk_good_kinds, &m, kind, argument) &&
        !make_good(mk_legacy_kinds, &m, kind, argument) && !make_wrong(&m, kind)) {
        fprintf(stderr, "mkmodel: %s: no such kind, see mkmodel --list\n", kind);
        return 1;
    }
    ok = mk_write(&m, path);
    mk_free(&m);
    return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        list_kinds();
        return 0;
    }
    if (argc != 3) {
        fputs("usage: mkmodel KIND[=N] OUT\n       mkmodel --list\n", stderr);
        return 1;
    }
    return make(argv[1], argv[2]);
}
