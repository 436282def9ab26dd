/* SPDX-License-Identifier: MIT */
/* read.c - raw tensors by descriptor, everything else by way of the thread's own buffer. */
#include <config.h>

#include "fuse/read.h"

#include "base/mem.h"
#include "base/num.h"
#include "fuse/fs.h"
#include "fuse/status.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096

/* libfuse splices so many bytes at least, and copies fewer into memory that it allocates. */
#define SPLICED (size_t)(2 * PAGE)

struct workspace {
    char *reply;  /* GGFS_FS_READ_MAX bytes from a page boundary in memory on */
    char *memory; /* NULL where reply and scratch lie in the shared area */
    struct ggfs_scratch scratch;
};

/* Each thread's struct workspace, made by its first request that needs one. */
static pthread_key_t workspaces;

/* Reply and scratch of the first threads, side by side in huge pages, which make the kernel's part
 * of a reply some 7 % cheaper: it looks up each page that it copies from. Never given back before
 * the end, as the threads are not; later ones have memory of their own. */
#define HUGE_PAGE (size_t)(2 * 1024 * 1024)
#define PART (GGFS_FS_READ_MAX + GGFS_SCRATCH_BYTES)
#define PARTS 4

static struct {
    char *memory; /* PARTS parts from the boundary of a huge page on; NULL: do without */
    atomic_size_t used;
} area;

static void make_area(void)
{
    void *memory;

    /* aligned_alloc takes multiples of the alignment only, and would waste most of a page. */
    area.memory = posix_memalign(&memory, HUGE_PAGE, PARTS * PART) == 0 ? memory : NULL;
    if (area.memory)
        madvise(area.memory, PARTS * PART, MADV_HUGEPAGE);
    atomic_store(&area.used, area.memory ? 0 : PARTS);
}

static char *take_part(void)
{
    size_t number = atomic_fetch_add(&area.used, 1);

    return number < PARTS ? area.memory + number * PART : NULL;
}

static void free_workspace(void *pointer)
{
    struct workspace *space = pointer;

    if (!space)
        return;
    if (space->memory)
        ggfs_scratch_free(&space->scratch);
    free(space->memory);
    free(space);
}

bool ggfs_read_start(struct ggfs_err *err)
{
    int number = pthread_key_create(&workspaces, free_workspace);

    make_area();
    if (number == 0)
        return true;
    return ggfs_fail(err, GGFS_ERR_SYSTEM, GGFS_NO_OFFSET, NULL, "cannot start threads: %s",
                     strerror(number));
}

void ggfs_read_stop(void)
{
    free_workspace(pthread_getspecific(workspaces));
    pthread_key_delete(workspaces);
    free(area.memory);
}

static bool fill_workspace(struct workspace *space)
{
    space->reply = take_part();
    if (space->reply) {
        space->scratch.memory = space->reply + GGFS_FS_READ_MAX;
        return true;
    }
    space->memory = ggfs_mem_alloc(GGFS_FS_READ_MAX + PAGE, NULL);
    if (!space->memory || !ggfs_scratch_init(&space->scratch, NULL))
        return false;
    space->reply = space->memory + (PAGE - (uintptr_t)space->memory % PAGE) % PAGE;
    return true;
}

static struct workspace *make_workspace(void)
{
    struct workspace *space = ggfs_mem_zero(1, sizeof *space, NULL);

    if (space && fill_workspace(space) && pthread_setspecific(workspaces, space) == 0)
        return space;
    free_workspace(space);
    return NULL;
}

static struct workspace *own_workspace(void)
{
    struct workspace *space = pthread_getspecific(workspaces);

    return space ? space : make_workspace();
}

char *ggfs_read_buffer(void)
{
    struct workspace *space = own_workspace();

    return space ? space->reply : NULL;
}

/* A read, cut at the end of the file. */
struct request {
    fuse_req_t req;
    struct ggfs_fs *fs;
    uint64_t node, offset;
    size_t wanted;
    bool may_be_short;
};

static void fail_read(const struct request *r, struct ggfs_err *err)
{
    if (err->kind != GGFS_ERR_MEMORY)
        ggfs_fs_say(r->fs, r->node, err);
    fuse_reply_err(r->req, ggfs_status_errno(err->kind));
}

/* Whether the got bytes that there are may be the answer; at is where the model would hold them.
 * The page cache takes a short one for the end of the file, tells everybody so and fills up with
 * zeros: it gets an error instead, and will ask for the pages before the cut one by one. */
static bool enough(const struct request *r, uint64_t got, uint64_t at, struct ggfs_err *err)
{
    if (got == r->wanted || (got > 0 && r->may_be_short))
        return true;
    return ggfs_fail(err, GGFS_ERR_IO, at, NULL,
                     "a read got %" PRIu64 " of %zu bytes: the model ends before its data", got,
                     r->wanted);
}

/* Bytes of extent that the file still has. */
static bool present(const struct ggfs_extent *extent, uint64_t *n, struct ggfs_err *err)
{
    uint64_t size;

    if (!ggfs_source_size_now(extent->source, &size, err))
        return false;
    *n = extent->offset < size ? ggfs_num_min(extent->n, size - extent->offset) : 0;
    return true;
}

/* Straight from the model file: a mapping would deliver zeros behind a cut, a copy costs half the
 * speed. A cut between the look at the size and the reply makes it short, which only a direct read
 * may be. */
static void read_extent(const struct request *r, const struct ggfs_extent *extent,
                        struct ggfs_err *err)
{
    struct fuse_bufvec reply = FUSE_BUFVEC_INIT(0);
    uint64_t n;

    if (!present(extent, &n, err) || !enough(r, n, extent->offset, err)) {
        fail_read(r, err);
        return;
    }
    reply.buf[0].size = (size_t)n;
    /* Without the last a short read would be passed on, which the page cache fills up with zeros.
     */
    reply.buf[0].flags = FUSE_BUF_IS_FD | FUSE_BUF_FD_SEEK | FUSE_BUF_FD_RETRY;
    reply.buf[0].fd = extent->source->fd;
    reply.buf[0].pos = (off_t)extent->offset;
    fuse_reply_data(r->req, &reply, 0);
}

static void read_made(const struct request *r, struct ggfs_err *err)
{
    struct workspace *space = own_workspace();
    size_t got = 0;

    if (!space)
        ggfs_fail_memory(err, GGFS_FS_READ_MAX);
    if (!space ||
        !ggfs_tree_read(r->fs->tree, r->node, r->offset, space->reply, r->wanted, &got,
                        &space->scratch, err) ||
        !enough(r, got, GGFS_NO_OFFSET, err))
        fail_read(r, err);
    else
        fuse_reply_buf(r->req, space->reply, got);
}

/* The kernel's page cache reads without a lock owner, read(2) past the page cache with one, and a
 * mapping of a direct_io file is filled through the page cache too. */
static bool is_direct(const struct fuse_file_info *fi)
{
    return fi->lock_owner != 0;
}

static bool goes_by_descriptor(const struct request *r, struct ggfs_extent *extent)
{
    return r->may_be_short && r->wanted >= SPLICED &&
           ggfs_tree_extent(r->fs->tree, r->node, r->offset, r->wanted, extent);
}

void ggfs_read_op(fuse_req_t req, fuse_ino_t ino, size_t size, off_t offset,
                  struct fuse_file_info *fi)
{
    struct request r = {.req = req,
                        .fs = ggfs_fs_of(req),
                        .node = ino,
                        .offset = (uint64_t)offset,
                        .may_be_short = is_direct(fi)};
    struct ggfs_node_attr attr;
    struct ggfs_extent extent;
    struct ggfs_err err;

    ggfs_err_init(&err, ggfs_fs_path(r.fs));
    if (!ggfs_tree_attr(r.fs->tree, ino, &attr, &err)) {
        fail_read(&r, &err);
        return;
    }
    /* The kernel never asks for more than GGFS_FS_READ_MAX: that is what op_init told it. */
    if (r.offset < attr.size)
        r.wanted = (size_t)ggfs_num_min(ggfs_num_min(size, GGFS_FS_READ_MAX), attr.size - r.offset);
    if (r.wanted == 0)
        fuse_reply_buf(req, NULL, 0);
    else if (goes_by_descriptor(&r, &extent))
        read_extent(&r, &extent, &err);
    else
        read_made(&r, &err);
}
