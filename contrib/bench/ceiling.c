/* SPDX-License-Identifier: MIT */
/* ceiling.c - a FUSE server that does nothing but reply: what the kernel's transport can carry. The
 * file `splice` is a range of a plain file passed on by descriptor, `ready` is one buffer over and
 * over, and every number is the name of a small file. Request size, flags, threads and the kind
 * of memory are those of ggfs (src/fuse). */
#include <config.h>

#include "fuse/api.h"
#include "fuse/init_patch.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_MAX (size_t)(512 * 1024)
#define READ_BLOCK (512 * 1024)
#define HUGE_PAGE (size_t)(2 * 1024 * 1024)
#define FOREVER 1e9

enum { NODE_ROOT = FUSE_ROOT_ID, NODE_SPLICE, NODE_READY, NODE_SMALL };

/* Bytes of a small file: some token. */
#define SMALL 8

struct ceiling {
    struct ggfs_init_patch patch;
    int fd;      /* of the plain file */
    off_t begin; /* of the range in it */
    off_t size[NODE_SMALL];
    char *ready; /* READ_MAX bytes */
    bool kernel; /* through the page cache */
};

struct ggfs_init_patch *ggfs_init_patch_of(void *userdata)
{
    struct ceiling *c = userdata;

    return &c->patch;
}

static void op_init(void *userdata, struct fuse_conn_info *connection)
{
    struct ceiling *c = userdata;

    connection->want &= ~(unsigned)FUSE_CAP_AUTO_INVAL_DATA;
    connection->want |= connection->capable & FUSE_CAP_SPLICE_WRITE;
    connection->max_write = READ_MAX;
    ggfs_init_patch_want(&c->patch, connection);
}

static off_t size_of(const struct ceiling *c, fuse_ino_t node)
{
    return node < NODE_SMALL ? c->size[node] : SMALL;
}

static struct stat stat_of(const struct ceiling *c, fuse_ino_t node)
{
    return (struct stat){
        .st_ino = node,
        .st_mode = node == NODE_ROOT ? S_IFDIR | 0755 : S_IFREG | 0444,
        .st_nlink = 1,
        .st_size = size_of(c, node),
        .st_blksize = READ_BLOCK,
    };
}

static void op_lookup(fuse_req_t req, fuse_ino_t parent, const char *name)
{
    struct fuse_entry_param entry = {.attr_timeout = FOREVER, .entry_timeout = FOREVER};

    (void)parent;
    if (strcmp(name, "splice") == 0)
        entry.ino = NODE_SPLICE;
    else if (strcmp(name, "ready") == 0)
        entry.ino = NODE_READY;
    else if (isdigit((unsigned char)name[0]))
        entry.ino = NODE_SMALL + strtoull(name, NULL, 10);
    if (entry.ino)
        entry.attr = stat_of(fuse_req_userdata(req), entry.ino);
    fuse_reply_entry(req, &entry);
}

static void op_getattr(fuse_req_t req, fuse_ino_t node, struct fuse_file_info *fi)
{
    struct stat st = stat_of(fuse_req_userdata(req), node);

    (void)fi;
    fuse_reply_attr(req, &st, FOREVER);
}

static void op_open(fuse_req_t req, fuse_ino_t node, struct fuse_file_info *fi)
{
    struct ceiling *c = fuse_req_userdata(req);

    fi->direct_io = node < NODE_SMALL && !c->kernel && c->patch.granted;
    fi->keep_cache = 1;
    fuse_reply_open(req, fi);
}

static void reply_splice(fuse_req_t req, const struct ceiling *c, size_t size, off_t offset)
{
    struct fuse_bufvec reply = FUSE_BUFVEC_INIT(size);

    reply.buf[0].flags = FUSE_BUF_IS_FD | FUSE_BUF_FD_SEEK;
    reply.buf[0].fd = c->fd;
    reply.buf[0].pos = c->begin + offset;
    fuse_reply_data(req, &reply, 0);
}

static void op_read(fuse_req_t req, fuse_ino_t node, size_t size, off_t offset,
                    struct fuse_file_info *fi)
{
    struct ceiling *c = fuse_req_userdata(req);
    off_t left = size_of(c, node) - offset;

    (void)fi;
    if (size > READ_MAX)
        size = READ_MAX;
    if (left < (off_t)size)
        size = left > 0 ? (size_t)left : 0;
    if (node == NODE_SPLICE && size > 0)
        reply_splice(req, c, size, offset);
    else
        fuse_reply_buf(req, c->ready, size);
}

static const struct fuse_lowlevel_ops ops = {
    .init = op_init,
    .lookup = op_lookup,
    .getattr = op_getattr,
    .open = op_open,
    .read = op_read,
};

static unsigned int count_threads(void)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 2;

    return n < 2 ? 2 : n > 4 ? 4 : (unsigned)n;
}

static int serve(struct fuse_session *session)
{
    struct fuse_loop_config *config = fuse_loop_cfg_create();
    int result;

    if (!config)
        return -ENOMEM;
    fuse_loop_cfg_set_max_threads(config, count_threads());
    fuse_loop_cfg_set_idle_threads(config, count_threads());
    fuse_loop_cfg_set_clone_fd(config, 0);
    result = fuse_session_loop_mt(session, config);
    fuse_loop_cfg_destroy(config);
    return result;
}

static int run(struct ceiling *c, const char *mountpoint)
{
    char name[] = "ceiling", o[] = "-o", list[] = "ro,fsname=ceiling,subtype=ceiling";
    char *arguments[] = {name, o, list, NULL};
    struct fuse_args args = FUSE_ARGS_INIT(3, arguments);
    struct fuse_session *session = fuse_session_new(&args, &ops, sizeof ops, c);
    int result = -1;

    if (!session)
        return -1;
    if (fuse_set_signal_handlers(session) == 0 && fuse_session_mount(session, mountpoint) == 0) {
        if (ggfs_init_patch_install(session) && fuse_daemonize(0) == 0)
            result = serve(session);
        fuse_session_unmount(session);
    }
    fuse_session_destroy(session);
    return result;
}

static bool prepare(struct ceiling *c, char **argv)
{
    void *ready = NULL;

    c->fd = open(argv[1], O_RDONLY | O_CLOEXEC);
    c->begin = (off_t)strtoll(argv[2], NULL, 10);
    c->size[NODE_SPLICE] = (off_t)strtoll(argv[3], NULL, 10);
    c->size[NODE_READY] = (off_t)strtoll(argv[4], NULL, 10);
    c->kernel = strcmp(argv[5], "kernel") == 0;
    if (c->fd < 0 || posix_memalign(&ready, HUGE_PAGE, HUGE_PAGE) != 0)
        return false;
    madvise(ready, HUGE_PAGE, MADV_HUGEPAGE);
    c->ready = memset(ready, 'r', READ_MAX);
    return true;
}

int main(int argc, char **argv)
{
    struct ceiling c = {0};

    if (argc != 7) {
        fputs("usage: ceiling FILE OFFSET BYTES READY_BYTES auto|kernel MOUNTPOINT\n", stderr);
        return 1;
    }
    if (!prepare(&c, argv)) {
        perror("ceiling");
        return 2;
    }
    return run(&c, argv[6]) < 0 ? 32 : 0;
}
