/* SPDX-License-Identifier: MIT */
/* source.c - opening and reading a model's files. */
#include <config.h>

#include "model/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const char *what_else(mode_t mode)
{
    if (S_ISDIR(mode))
        return "a directory";
    if (S_ISFIFO(mode))
        return "a FIFO";
    if (S_ISSOCK(mode))
        return "a socket";
    return S_ISBLK(mode) ? "a block device" : "a character device";
}

static const char *last_component(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static bool fail_open(struct ggfs_err *err)
{
    if (errno == EMFILE)
        return ggfs_fail(err, GGFS_ERR_SYSTEM, GGFS_NO_OFFSET, NULL,
                         "cannot be opened: the limit of open files is reached (`ulimit -Hn` tells "
                         "it; a model takes a descriptor a file)");
    return ggfs_fail(err, errno == ENFILE ? GGFS_ERR_SYSTEM : GGFS_ERR_OPEN, GGFS_NO_OFFSET, NULL,
                     "cannot be opened: %s", strerror(errno));
}

bool ggfs_source_open(struct ggfs_source *source, const char *path, struct ggfs_err *err)
{
    *source = (struct ggfs_source){.path = path, .name = last_component(path)};
    /* Without O_NONBLOCK a FIFO would wait for its writer. */
    source->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (source->fd < 0)
        return fail_open(err);
    if (fstat(source->fd, &source->stat) != 0) {
        ggfs_fail(err, GGFS_ERR_OPEN, GGFS_NO_OFFSET, NULL, "cannot be looked at: %s",
                  strerror(errno));
        goto failed;
    }
    if (!S_ISREG(source->stat.st_mode)) {
        ggfs_fail(err, GGFS_ERR_OPEN, GGFS_NO_OFFSET, NULL, "%s, not a model file",
                  what_else(source->stat.st_mode));
        goto failed;
    }
    source->size = (uint64_t)source->stat.st_size;
    return true;
failed:
    ggfs_source_close(source);
    return false;
}

void ggfs_source_close(struct ggfs_source *source)
{
    if (source->fd >= 0)
        close(source->fd);
    source->fd = -1;
}

/* The bytes of a page that was cut while it was read may be zeros by then, so that what counts is
 * what the file holds afterwards. */
static bool keep_present(const struct ggfs_source *source, uint64_t offset, size_t *got,
                         struct ggfs_err *err)
{
    uint64_t size;

    if (!ggfs_source_size_now(source, &size, err))
        return false;
    if (offset + *got > size)
        *got = offset < size ? (size_t)(size - offset) : 0;
    return true;
}

bool ggfs_source_read(const struct ggfs_source *source, uint64_t offset, void *dst, size_t n,
                      size_t *got, struct ggfs_err *err)
{
    char *to = dst;

    *got = 0;
    while (*got < n && offset + *got <= INT64_MAX) {
        ssize_t r = pread(source->fd, to + *got, n - *got, (off_t)(offset + *got));
        if (r == 0)
            break;
        if (r > 0)
            *got += (size_t)r;
        else if (errno != EINTR)
            return ggfs_fail(err, GGFS_ERR_IO, offset + *got, NULL, "cannot be read: %s",
                             strerror(errno));
    }
    return keep_present(source, offset, got, err);
}

bool ggfs_source_is_hole(const struct ggfs_source *source, uint64_t offset, uint64_t n)
{
    off_t data = lseek(source->fd, (off_t)offset, SEEK_DATA);

    return data < 0 ? errno == ENXIO && offset < source->size : (uint64_t)data >= offset + n;
}

bool ggfs_source_size_now(const struct ggfs_source *source, uint64_t *size, struct ggfs_err *err)
{
    struct stat now;

    if (fstat(source->fd, &now) != 0)
        return ggfs_fail(err, GGFS_ERR_IO, GGFS_NO_OFFSET, NULL, "cannot be looked at: %s",
                         strerror(errno));
    *size = (uint64_t)now.st_size;
    return true;
}
