/* SPDX-License-Identifier: MIT */
/* fs.c - opening a model for serving, and what its log hears once. */
#include <config.h>

#include "fuse/fs.h"

#include "base/log.h"
#include "formats/format.h"
#include "fuse/mountpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

bool ggfs_fs_open(struct ggfs_fs *fs, const struct ggfs_options *options, struct ggfs_err *err)
{
    fs->cache = options->cache_mode;
    atomic_flag_clear(&fs->changed_said);
    ggfs_err_init(err, options->model);
    fs->model = ggfs_formats_open(options->model, &options->open, err);
    if (!fs->model)
        return false;
    fs->tree = ggfs_tree_new(fs->model, err);
    return fs->tree != NULL;
}

bool ggfs_fs_absolute(struct ggfs_fs *fs, struct ggfs_err *err)
{
    for (uint32_t i = 0; i < fs->model->n_sources; i++) {
        struct ggfs_source *source = &fs->model->sources[i];
        char *path = ggfs_mountpoint_source(source->path, err);
        char *kept = path ? ggfs_arena_text(&fs->model->arena, ggfs_str_from(path), err) : NULL;
        free(path);
        if (!kept)
            return false;
        source->path = kept;
    }
    return true;
}

void ggfs_fs_close(struct ggfs_fs *fs)
{
    if (fs->tree)
        ggfs_tree_free(fs->tree);
    ggfs_model_free(fs->model);
    fs->tree = NULL;
    fs->model = NULL;
}

const char *ggfs_fs_path(const struct ggfs_fs *fs)
{
    return fs->model->sources[0].path;
}

struct ggfs_fs *ggfs_fs_of(fuse_req_t req)
{
    return fuse_req_userdata(req);
}

struct ggfs_init_patch *ggfs_init_patch_of(void *userdata)
{
    struct ggfs_fs *fs = userdata;

    return &fs->patch;
}

/* True for the first call with this node, and never when all places are taken by others. */
static bool first_time(struct ggfs_fs *fs, uint64_t node)
{
    for (size_t i = 0; i < GGFS_FS_SAID; i++) {
        uint64_t seen = 0;
        if (atomic_compare_exchange_strong(&fs->said[i], &seen, node))
            return true;
        if (seen == node)
            return false;
    }
    return false;
}

void ggfs_fs_say(struct ggfs_fs *fs, uint64_t node, const struct ggfs_err *err)
{
    if (first_time(fs, node))
        ggfs_log_err(err);
}

static bool changed(const struct ggfs_source *source)
{
    const struct timespec *then = &source->stat.st_mtim;
    struct stat now;

    return fstat(source->fd, &now) != 0 || (uint64_t)now.st_size != source->size ||
           now.st_mtim.tv_sec != then->tv_sec || now.st_mtim.tv_nsec != then->tv_nsec;
}

static void say_changed(const struct ggfs_source *source)
{
    struct ggfs_err said;

    ggfs_err_init(&said, source->path);
    snprintf(said.text, sizeof said.text, "%s",
             "changed since it was mounted; unmount it and mount again to see it whole");
    ggfs_log_about(GGFS_LOG_WARNING, &said);
}

void ggfs_fs_watch(struct ggfs_fs *fs)
{
    for (uint32_t i = 0; i < fs->model->n_sources; i++) {
        const struct ggfs_source *source = &fs->model->sources[i];
        if (changed(source) && !atomic_flag_test_and_set(&fs->changed_said))
            say_changed(source);
    }
}
