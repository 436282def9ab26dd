/* SPDX-License-Identifier: MIT */
/* fuzz_names.c - any bytes as a name of a model, and as a file name somebody asks for. */
#include <config.h>

#include "fuzz.h"
#include "tree/names.h"

#include <string.h>

static const struct ggfs_str suffixes[] = {{"", 0}, {".f32", 4}, {".npy", 4}, {".jinja", 6}};

static size_t file_of(struct ggfs_str raw, uint32_t repeat, struct ggfs_str suffix, char *out)
{
    size_t n = ggfs_names_file(raw, repeat, suffix, out);

    FUZZ_EXPECT(n >= 1 && n <= GGFS_NAMES_MAX);
    FUZZ_EXPECT(!memchr(out, '/', n) && !memchr(out, '\0', n));
    FUZZ_EXPECT(!(n == 1 && out[0] == '.') && !(n == 2 && memcmp(out, "..", 2) == 0));
    FUZZ_EXPECT(ggfs_str_ends((struct ggfs_str){out, n}, suffix));
    return n;
}

/* From a name to its file and back. */
static void there_and_back(struct ggfs_str raw, uint32_t repeat, struct ggfs_str suffix)
{
    struct ggfs_names_parts parts;
    char file[GGFS_NAMES_MAX];
    size_t n = file_of(raw, repeat, suffix, file);

    FUZZ_EXPECT(ggfs_names_parse((struct ggfs_str){file, n}, suffix, &parts));
    FUZZ_EXPECT(parts.repeat == repeat);
    FUZZ_EXPECT(parts.hashed == ggfs_names_is_long(raw, repeat, suffix));
    if (parts.hashed)
        FUZZ_EXPECT(parts.hash == ggfs_names_hash(raw));
    else
        FUZZ_EXPECT(ggfs_str_equal((struct ggfs_str){parts.raw, parts.raw_len}, raw));
}

/* Of a file name that is asked for: a candidate, which may be another name's file or nobody's. */
static void ask_for(struct ggfs_str file, struct ggfs_str suffix)
{
    struct ggfs_names_parts parts;
    char again[GGFS_NAMES_MAX];

    if (!ggfs_names_parse(file, suffix, &parts))
        return;
    FUZZ_EXPECT(parts.repeat >= 1);
    if (!parts.hashed)
        file_of((struct ggfs_str){parts.raw, parts.raw_len}, parts.repeat, suffix, again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct ggfs_str raw, suffix;

    if (size < 2)
        return 0;
    raw = (struct ggfs_str){(const char *)bytes + 2, size - 2};
    suffix = suffixes[bytes[0] % 4];
    there_and_back(raw, 1 + bytes[1], suffix);
    if (raw.len <= GGFS_NAMES_MAX)
        ask_for(raw, suffix);
    return 0;
}
