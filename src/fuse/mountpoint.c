/* SPDX-License-Identifier: MIT */
/* mountpoint.c - looks before the leap: libfuse itself mounts over anything. */
#include <config.h>

#include "fuse/mountpoint.h"

#include "base/mem.h"
#include "base/sink.h"
#include "base/str.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <time.h>
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

/* command, where it is not empty, is to be given with path behind it. */
static bool refuse(struct ggfs_err *err, const char *path, const char *what, const char *command)
{
    char word[sizeof err->text - 128];
    struct ggfs_sink sink;

    ggfs_sink_window(&sink, 0, word, sizeof word - 1);
    ggfs_text_shell(&sink, ggfs_str_from(path));
    word[sink.got] = '\0';
    if (sink.total > sink.got)
        strcpy(word, "MOUNTPOINT");
    ggfs_err_init(err, path);
    return ggfs_fail(err, GGFS_ERR_MOUNT, GGFS_NO_OFFSET, NULL, "%s%s%s", what, command,
                     command[0] ? word : "");
}

/* stat would not do: the kernel knows the root's attributes for ever. */
static int answer(const char *path)
{
    struct statfs st;

    return statfs(path, &st) == 0 ? 0 : errno;
}

static bool means_dead(int number)
{
    return number == ENOTCONN || number == ECONNABORTED;
}

/* In words what stat or realpath said of the mount point. */
static bool refuse_errno(struct ggfs_err *err, const char *path, int number)
{
    if (number == ENOENT)
        return refuse(err, path, "no such directory; make it with: ", "mkdir -p ");
    if (means_dead(number))
        return refuse(err, path,
                      "a dead mount, whose program has ended; remove it with: ", "fusermount3 -u ");
    return refuse(err, path, strerror(number), "");
}

/* Undoes the escapes of /proc/self/mounts: \040 is a blank. */
static void unescape(char *text)
{
    char *to = text;

    for (const char *from = text; *from; to++) {
        if (from[0] == '\\' && strspn(from + 1, "01234567") >= 3) {
            *to = (char)((from[1] - '0') << 6 | (from[2] - '0') << 3 | (from[3] - '0'));
            from += 4;
        } else {
            *to = *from++;
        }
    }
    *to = '\0';
}

/* Does this line of /proc/self/mounts speak of path, and of which type of file system? */
static bool line_says(char *line, const char *path, char **type)
{
    char *rest = NULL, *place;

    strtok_r(line, " ", &rest);
    place = strtok_r(NULL, " ", &rest);
    *type = strtok_r(NULL, " ", &rest);
    if (!place || !*type)
        return false;
    unescape(place);
    return strcmp(place, path) == 0;
}

/* True where the file system that was mounted last at path is one of ours. */
static bool is_ours(const char *path)
{
    FILE *mounts = fopen("/proc/self/mounts", "re");
    char *line = NULL, *type;
    size_t size = 0;
    bool ours = false;

    if (!mounts)
        return false;
    while (getline(&line, &size, mounts) > 0)
        if (line_says(line, path, &type))
            ours = strcmp(type, "fuse.ggfs") == 0;
    free(line);
    fclose(mounts);
    return ours;
}

bool ggfs_mountpoint_is_dead(const char *path)
{
    return means_dead(answer(path));
}

static bool check(const char *path, struct ggfs_err *err)
{
    struct stat st;

    if (stat(path, &st) != 0)
        return refuse_errno(err, path, errno);
    if (!S_ISDIR(st.st_mode))
        return refuse(
            err, path,
            "not a directory, so nothing can be mounted there; the order is MODEL MOUNTPOINT", "");
    if (strcmp(path, "/") == 0)
        return refuse(err, path, "a mount there would hide everything; name another", "");
    if (means_dead(answer(path)))
        return refuse_errno(err, path, ENOTCONN);
    if (is_ours(path))
        return refuse(err, path,
                      "ggfs is mounted there already; unmount it with: ", "fusermount3 -u ");
    /* fusermount3 would say so too, in a line of its own. */
    if (geteuid() != 0 && access(path, W_OK) != 0)
        return refuse(err, path, "you may not write there, as mounting takes for all but root", "");
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

/* A second at most: whoever else locks the directory may be waiting for us. */
static void wait_for_lock(int fd)
{
    static const struct timespec pause = {0, 20 * 1000 * 1000};

    for (int i = 0; i < 50 && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; i++)
        nanosleep(&pause, NULL);
}

bool ggfs_mountpoint_claim(const char *path, int *lock, struct ggfs_err *err)
{
    *lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock >= 0)
        wait_for_lock(*lock);
    if (check(path, err))
        return true;
    if (*lock >= 0)
        close(*lock);
    *lock = -1;
    return false;
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
