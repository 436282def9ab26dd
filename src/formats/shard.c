/* SPDX-License-Identifier: MIT */
/* shard.c - reading, making and finding the names of shards. */
#include <config.h>

#include "formats/shard.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* `-00001-of-00003.gguf` */
#define TAIL_BYTES 20

static bool five_digits(const char *p, uint32_t *out)
{
    *out = 0;
    for (int i = 0; i < 5; i++) {
        if (p[i] < '0' || p[i] > '9')
            return false;
        *out = *out * 10 + (uint32_t)(p[i] - '0');
    }
    return true;
}

bool ggfs_shard_parse(const char *path, struct ggfs_shard *name)
{
    size_t len = strlen(path);
    const char *tail = path + len - TAIL_BYTES;

    if (len < TAIL_BYTES || tail[0] != '-' || !five_digits(tail + 1, &name->number) ||
        memcmp(tail + 6, "-of-", 4) != 0 || !five_digits(tail + 10, &name->count) ||
        strcmp(tail + 15, ".gguf") != 0)
        return false;
    name->before = (struct ggfs_str){path, len - TAIL_BYTES};
    return name->number >= 1 && name->number <= name->count;
}

char *ggfs_shard_path(struct ggfs_arena *arena, const struct ggfs_shard *name, uint32_t number,
                      struct ggfs_err *err)
{
    size_t size = name->before.len + TAIL_BYTES + 1;
    char *path = ggfs_arena_alloc(arena, size, err);

    if (path)
        snprintf(path, size, "%.*s-%05" PRIu32 "-of-%05" PRIu32 ".gguf", (int)name->before.len,
                 name->before.ptr, number, name->count);
    return path;
}

/* The name of a folder's entry with this path's last component, up to a shard's tail. */
static bool is_first_shard(const char *entry, struct ggfs_str wanted, uint32_t *count)
{
    struct ggfs_shard name;

    if (!ggfs_shard_parse(entry, &name) || !ggfs_str_equal(name.before, wanted) || name.number != 1)
        return false;
    *count = name.count;
    return true;
}

bool ggfs_shard_first(const char *path, char out[PATH_MAX], struct ggfs_err *err)
{
    const char *slash = strrchr(path, '/');
    struct ggfs_str wanted = ggfs_str_from(slash ? slash + 1 : path);
    struct dirent *entry;
    uint32_t count, found = 0;
    char folder[PATH_MAX];
    DIR *dir;

    if (wanted.len == 0 || strlen(path) >= PATH_MAX - TAIL_BYTES)
        return false;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash ? slash - path + 1 : 1),
             slash ? path : ".");
    dir = opendir(folder);
    while (dir && (entry = readdir(dir)) != NULL) {
        if (!is_first_shard(entry->d_name, wanted, &count))
            continue;
        if (found)
            ggfs_fail(err, GGFS_ERR_OPEN, GGFS_NO_OFFSET, NULL,
                      "stands for a model of %" PRIu32 " files and for one of %" PRIu32
                      ": name one of them",
                      found, count);
        found = count;
    }
    if (dir)
        closedir(dir);
    snprintf(out, PATH_MAX, "%.*s-00001-of-%05" PRIu32 ".gguf", PATH_MAX - TAIL_BYTES - 1, path,
             found);
    return found && err->kind == GGFS_ERR_NONE;
}
