/* SPDX-License-Identifier: MIT */
/* meant.c - names of options compared by the letters that set them apart. */
#include <config.h>

#include "fuse/meant.h"

#include <stdio.h>
#include <string.h>

/* No option is longer. */
#define LONGEST 24

static const struct {
    const char *name, *written;
} options[] = {
#define OWN(field, letter, name, value, help) {name, "--" name value},
#define LIBFUSE(name, help) {name, "-o " name},
#define DROP(name)
#include "fuse/options.def"
#undef OWN
#undef LIBFUSE
#undef DROP
};

static size_t least(size_t a, size_t b, size_t c)
{
    size_t ab = a < b ? a : b;

    return ab < c ? ab : c;
}

/* How many letters must be put in, left out or replaced to make word (at most LONGEST bytes) to
 * name. */
static size_t distance(const char *word, size_t length, const char *name)
{
    size_t row[LONGEST + 1];

    for (size_t i = 0; i <= length; i++)
        row[i] = i;
    for (; *name; name++) {
        size_t before = row[0]++;
        for (size_t i = 1; i <= length; i++) {
            size_t replaced = before + (word[i - 1] != *name);
            before = row[i];
            row[i] = least(replaced, row[i] + 1, row[i - 1] + 1);
        }
    }
    return row[length];
}

/* One letter of a short word, two of a longer one. */
static size_t most_wrong(size_t length)
{
    return length < 2 ? 0 : length < 5 ? 1 : 2;
}

static const char *nearest(const char *word, size_t length)
{
    size_t least_wrong = most_wrong(length) + 1;
    const char *written = NULL;

    for (size_t i = 0; length <= LONGEST && i < sizeof options / sizeof *options; i++) {
        size_t wrong = distance(word, length, options[i].name);
        if (wrong < least_wrong) {
            least_wrong = wrong;
            written = options[i].written;
        }
    }
    return written;
}

const char *ggfs_meant(const char *word, const char *ends, char out[GGFS_MEANT])
{
    const char *written = nearest(word, strcspn(word, ends));

    out[0] = '\0';
    if (written)
        snprintf(out, GGFS_MEANT, " (did you mean %s?)", written);
    return out;
}
