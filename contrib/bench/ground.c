/* SPDX-License-Identifier: MIT */
/* ground.c - models, folders and mounts, each made once. */
#include <config.h>

#include "ground.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool warm(const char *path)
{
    enum { PIECE = 1 << 20 };
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    char *bytes = malloc(PIECE);
    ssize_t got = fd >= 0 && bytes ? 1 : -1;

    while (got > 0)
        got = read(fd, bytes, PIECE);
    free(bytes);
    if (fd >= 0)
        close(fd);
    return got == 0 || say_errno(path);
}

bool ground_file(struct ground *ground)
{
    if (ground->weights_path.text[0])
        return true;
    ground->weights_path = path_of("%s/weights.gguf", ground->folders.temp.text);
    return model_weights(ground->weights_path.text, ground->mib, &ground->weights) &&
           warm(ground->weights_path.text);
}

bool ground_mount_ceiling(struct ground *ground, unsigned cache, struct mount *mount)
{
    char offset[24], bytes[24], ready[24];
    const char *command[] = {ground->ceiling,
                             ground->weights_path.text,
                             offset,
                             bytes,
                             ready,
                             cache == CACHE_KERNEL ? "kernel" : "auto",
                             NULL};

    if (!ground_file(ground))
        return false;
    snprintf(offset, sizeof offset, "%" PRIu64, ground->weights.raw.offset);
    snprintf(bytes, sizeof bytes, "%" PRIu64, ground->weights.raw.bytes);
    snprintf(ready, sizeof ready, "%" PRIu64, ground->weights.floats);
    return mounts_make(mount, ground->folders.temp.text, command);
}

static bool mount_ggfs(struct ground *ground, const struct path *model, unsigned cache,
                       struct mount *mount)
{
    const char *command[] = {ground->ggfs, "-o",
                             cache == CACHE_KERNEL ? "cache=kernel" : "cache=auto", model->text,
                             NULL};

    return mounts_make(mount, ground->folders.temp.text, command);
}

bool ground_mount(struct ground *ground, const struct path *model, struct mount *mount)
{
    return mount_ggfs(ground, model, CACHE_AUTO, mount);
}

bool ground_weights(struct ground *ground, unsigned cache)
{
    if (ground->ggfs_at[cache].daemons[0])
        return true;
    return ground_file(ground) &&
           mount_ggfs(ground, &ground->weights_path, cache, &ground->ggfs_at[cache]) &&
           ground_mount_ceiling(ground, cache, &ground->ceiling_at[cache]);
}

bool ground_words(struct ground *ground)
{
    if (ground->many.text[0])
        return true;
    ground->many = path_of("%s/many.gguf", ground->folders.temp.text);
    ground->few = path_of("%s/few.gguf", ground->folders.temp.text);
    return model_words(ground->many.text, GROUND_MANY) && model_words(ground->few.text, GROUND_FEW);
}

static bool make_names(const struct ground *ground, const char *name, uint64_t tokens,
                       struct path *folder)
{
    *folder = path_of("%s/%s", ground->folders.fast.text, name);
    if (mkdir(folder->text, 0700) != 0)
        return say_errno(folder->text);
    return model_words_folder(folder->text, tokens);
}

bool ground_names(struct ground *ground)
{
    if (!ground->folders.fast.text[0] || ground->many_names.text[0])
        return true;
    return make_names(ground, "many", GROUND_MANY, &ground->many_names) &&
           make_names(ground, "few", GROUND_FEW, &ground->few_names[0]) &&
           make_names(ground, "few-again", GROUND_FEW, &ground->few_names[1]);
}

bool ground_large(struct ground *ground)
{
    if (ground->large.text[0])
        return true;
    ground->large = path_of("%s/large.gguf", ground->folders.temp.text);
    return model_large(ground->large.text, &ground->large_header);
}

void ground_end(struct ground *ground)
{
    for (unsigned i = 0; i < CACHES; i++) {
        mounts_end(&ground->ggfs_at[i]);
        mounts_end(&ground->ceiling_at[i]);
    }
}
