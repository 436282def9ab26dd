/* SPDX-License-Identifier: MIT */
/* mountpoint.c - looks before the leap: libfuse itself mounts over anything. */
#include <config.h>

#include "fuse/mountpoint.h"

#include "base/mem.h"

#include <errno.h>
#include <limits.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *copy(const char *text, struct ggfs_err *err)
{
    char *out = ggfs_mem_alloc(strlen(text) + 1, err);

    return out ? strcpy(out, text) : NULL;
}

/* directory + "/" + name, where directory may be the root. */
static char *join(const char *directory, const char *name, struct ggfs_err *err)
{
    size_t size = strlen(directory) + strlen(name) + 2;
    char *out = ggfs_mem_alloc(size, err);

    if (out)
        snprintf(out, size, "%s/%s", strcmp(directory, "/") == 0 ? "" : directory, name);
    return out;
}

char *ggfs_mountpoint_source(const char *path, struct ggfs_err *err)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    char directory[PATH_MAX], resolved[PATH_MAX];
    size_t length = slash ? (size_t)(slash + 1 - path) : 0;

    if (length >= sizeof directory)
        return copy(path, err);
    memcpy(directory, path, length);
    directory[length] = '\0';
    if (!realpath(length ? directory : ".", resolved))
        return copy(path, err);
    return join(resolved, name, err);
}

static bool refuse(struct ggfs_err *err, const char *path, const char *what, const char *command)
{
    ggfs_err_init(err, path);
    return ggfs_fail(err, GGFS_ERR_MOUNT, GGFS_NO_OFFSET, NULL, "%s%s%s", what, command,
                     command[0] ? path : "");
}

/* In words what stat or realpath said of the mount point. */
static bool refuse_errno(struct ggfs_err *err, const char *path, int number)
{
    if (number == ENOENT)
        return refuse(err, path, "no such directory; make it with: ", "mkdir -p ");
    if (number == ENOTCONN || number == ECONNABORTED)
        return refuse(err, path,
                      "a dead mount, whose program has ended; remove it with: ", "fusermount3 -u ");
    return refuse(err, path, strerror(number), "");
}

/* The type of the file system that was mounted last at path; false where none is. */
static bool mounted_type(const char *path, char *type, size_t size)
{
    char buffer[4 * PATH_MAX];
    struct mntent entry;
    FILE *mounts = setmntent("/proc/self/mounts", "re");
    bool found = false;

    if (!mounts)
        return false;
    while (getmntent_r(mounts, &entry, buffer, sizeof buffer)) {
        if (strcmp(entry.mnt_dir, path) == 0) {
            snprintf(type, size, "%s", entry.mnt_type);
            found = true;
        }
    }
    endmntent(mounts);
    return found;
}

static bool check(const char *path, struct ggfs_err *err)
{
    struct stat st;
    char type[64];

    if (stat(path, &st) != 0)
        return refuse_errno(err, path, errno);
    if (!S_ISDIR(st.st_mode))
        return refuse(err, path, "not a directory, so nothing can be mounted there", "");
    if (mounted_type(path, type, sizeof type) && strcmp(type, "fuse.ggfs") == 0)
        return refuse(err, path,
                      "ggfs is mounted there already; unmount it with: ", "fusermount3 -u ");
    return true;
}

char *ggfs_mountpoint_resolve(const char *path, struct ggfs_err *err)
{
    char resolved[PATH_MAX];

    if (!realpath(path, resolved)) {
        refuse_errno(err, path, errno);
        return NULL;
    }
    return check(resolved, err) ? copy(resolved, err) : NULL;
}

static bool conf_allows(FILE *conf)
{
    char line[256], word[256];
    bool allows = false;

    while (!allows && fgets(line, sizeof line, conf))
        allows = sscanf(line, "%255s", word) == 1 && strcmp(word, "user_allow_other") == 0;
    return allows;
}

bool ggfs_mountpoint_may_share(struct ggfs_err *err)
{
    static const char path[] = "/etc/fuse.conf";
    FILE *conf;
    bool allows;

    if (geteuid() == 0)
        return true;
    conf = fopen(path, "re");
    allows = conf && conf_allows(conf);
    if (conf)
        fclose(conf);
    if (allows)
        return true;
    return refuse(err, path,
                  "allow_other is for root alone, until a line user_allow_other stands here", "");
}
