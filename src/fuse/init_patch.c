/* SPDX-License-Identifier: MIT */
/* init_patch.c - two bits in each of the two messages of INIT. */
#include <config.h>

#include "fuse/init_patch.h"

#include "fuse/api.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <stdint.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* In <linux/fuse.h> since 6.6: bit 36 of INIT's flags, bit 4 of their upper half. */
#define ALLOW_MMAP_HIGH (UINT32_C(1) << 4)
#define INIT_EXT (UINT32_C(1) << 30)

void ggfs_init_patch_request(struct ggfs_init_patch *patch, const void *request, size_t size)
{
    struct fuse_in_header header;
    struct fuse_init_in init;

    if (size < sizeof header + sizeof init)
        return;
    memcpy(&header, request, sizeof header);
    memcpy(&init, (const char *)request + sizeof header, sizeof init);
    if (header.opcode != FUSE_INIT)
        return;
    patch->parallel = (init.flags & FUSE_PARALLEL_DIROPS) != 0;
    patch->offered = (init.flags & INIT_EXT) && (init.flags2 & ALLOW_MMAP_HIGH);
}

void ggfs_init_patch_reply(struct ggfs_init_patch *patch, const struct iovec *parts, int count)
{
    struct fuse_out_header header;
    struct fuse_init_out init;

    patch->replied = true;
    if (count != 2 || parts[0].iov_len != sizeof header || parts[1].iov_len != sizeof init)
        return;
    memcpy(&header, parts[0].iov_base, sizeof header);
    if (header.error != 0)
        return;
    memcpy(&init, parts[1].iov_base, sizeof init);
    if (patch->parallel)
        init.flags |= FUSE_PARALLEL_DIROPS;
    if (patch->offered) {
        init.flags |= INIT_EXT;
        init.flags2 |= ALLOW_MMAP_HIGH;
    }
    memcpy(parts[1].iov_base, &init, sizeof init);
    patch->granted = patch->offered;
}

ssize_t ggfs_init_patch_refuse(int pipe, int device)
{
    struct fuse_out_header header;

    if (read(pipe, &header, sizeof header) != sizeof header) {
        errno = EIO;
        return -1;
    }
    header.error = -EIO;
    return write(device, &header, sizeof header);
}

#ifdef FUSE_CAP_DIRECT_IO_ALLOW_MMAP

bool ggfs_init_patch_install(struct fuse_session *session)
{
    (void)session;
    return true;
}

void ggfs_init_patch_want(struct ggfs_init_patch *patch, struct fuse_conn_info *connection)
{
    patch->offered = (connection->capable & FUSE_CAP_DIRECT_IO_ALLOW_MMAP) != 0;
    patch->granted = patch->offered;
    if (patch->offered)
        connection->want |= FUSE_CAP_DIRECT_IO_ALLOW_MMAP;
}

#else

static ssize_t take(int fd, void *buffer, size_t size, void *userdata)
{
    struct ggfs_init_patch *patch = ggfs_init_patch_of(userdata);
    ssize_t got = read(fd, buffer, size);

    if (got > 0 && !patch->replied)
        ggfs_init_patch_request(patch, buffer, (size_t)got);
    return got;
}

static ssize_t give(int fd, struct iovec *parts, int count, void *userdata)
{
    struct ggfs_init_patch *patch = ggfs_init_patch_of(userdata);

    if (!patch->replied)
        ggfs_init_patch_reply(patch, parts, count);
    return writev(fd, parts, count);
}

/* Without these two libfuse would copy what it can splice. */
static ssize_t splice_request(int from, off_t *from_at, int to, off_t *to_at, size_t size,
                              unsigned int flags, void *userdata)
{
    (void)userdata;
    return splice(from, from_at, to, to_at, size, flags);
}

static ssize_t splice_reply(int from, off_t *from_at, int to, off_t *to_at, size_t size,
                            unsigned int flags, void *userdata)
{
    (void)userdata;
    if (size == sizeof(struct fuse_out_header))
        return ggfs_init_patch_refuse(from, to);
    return splice(from, from_at, to, to_at, size, flags);
}

bool ggfs_init_patch_install(struct fuse_session *session)
{
    static const struct fuse_custom_io io = {
        .writev = give,
        .read = take,
        .splice_receive = splice_request,
        .splice_send = splice_reply,
    };

    return fuse_session_custom_io(session, &io, fuse_session_fd(session)) == 0;
}

void ggfs_init_patch_want(struct ggfs_init_patch *patch, struct fuse_conn_info *connection)
{
    (void)patch;
    (void)connection;
}

#endif
