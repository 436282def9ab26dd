/* SPDX-License-Identifier: MIT */
/* ops.c - names, attributes and directories; which file goes through the page cache. */
#include <config.h>

#include "fuse/ops.h"

#include "fuse/fs.h"
#include "fuse/read.h"
#include "fuse/rofs.h"
#include "fuse/status.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

/* What stat tells for the largest files makes cat, cp and Python read in pieces of this size. */
#define LARGE_BLOCK (512 * 1024)
#define SMALL_BLOCK 4096

/* Unit of statfs. */
#define STATFS_BLOCK 512

static void op_init(void *userdata, struct fuse_conn_info *connection)
{
    struct ggfs_fs *fs = userdata;

    /* Without the first the kernel asks for attributes before it reads. The second is for replies
     * by descriptor, the third for file handles: nodes are never used again. */
    connection->want &= ~(unsigned)FUSE_CAP_AUTO_INVAL_DATA;
    connection->want |= connection->capable & (FUSE_CAP_SPLICE_WRITE | FUSE_CAP_EXPORT_SUPPORT);
    connection->max_write = GGFS_FS_READ_MAX;
    ggfs_init_patch_want(&fs->patch, connection);
    fs->started = true;
}

static mode_t mode_of(const struct ggfs_fs *fs, bool directory)
{
    mode_t readable = fs->model->sources[0].stat.st_mode & 0444;

    return directory ? S_IFDIR | readable | readable >> 2 : S_IFREG | readable;
}

static void fill_stat(const struct ggfs_fs *fs, const struct ggfs_node_attr *attr, struct stat *st)
{
    const struct stat *model = &fs->model->sources[0].stat;

    *st = (struct stat){
        .st_ino = attr->node,
        .st_mode = mode_of(fs, attr->directory),
        .st_nlink = attr->links,
        .st_uid = model->st_uid,
        .st_gid = model->st_gid,
        .st_size = (off_t)attr->size,
        .st_blocks = (blkcnt_t)attr->blocks,
        .st_blksize = attr->size >= GGFS_FS_LARGE ? LARGE_BLOCK : SMALL_BLOCK,
        .st_atim = model->st_atim,
        .st_mtim = model->st_mtim,
        .st_ctim = model->st_ctim,
    };
}

static void fill_entry(const struct ggfs_fs *fs, const struct ggfs_node_attr *attr,
                       struct fuse_entry_param *entry)
{
    *entry = (struct fuse_entry_param){
        .ino = attr->node,
        .attr_timeout = GGFS_FS_FOREVER,
        .entry_timeout = GGFS_FS_FOREVER,
    };
    fill_stat(fs, attr, &entry->attr);
}

static void reply_failure(fuse_req_t req, const struct ggfs_err *err)
{
    fuse_reply_err(req, ggfs_status_errno(err->kind));
}

/* `.` and `..` are looked up for file handles only; no file of the tree has these names. */
static bool find(struct ggfs_fs *fs, uint64_t directory, const char *name, uint64_t *node,
                 struct ggfs_err *err)
{
    if (strcmp(name, ".") == 0)
        *node = directory;
    else if (strcmp(name, "..") == 0)
        *node = ggfs_tree_parent(fs->tree, directory);
    else
        return ggfs_tree_lookup(fs->tree, directory, ggfs_str_from(name), node, err);
    return true;
}

static void op_lookup(fuse_req_t req, fuse_ino_t parent, const char *name)
{
    struct ggfs_fs *fs = ggfs_fs_of(req);
    struct fuse_entry_param entry = {.entry_timeout = GGFS_FS_FOREVER};
    struct ggfs_node_attr attr;
    struct ggfs_err err;
    uint64_t node;

    ggfs_err_init(&err, NULL);
    if (!find(fs, parent, name, &node, &err) ||
        (node && !ggfs_tree_attr(fs->tree, node, &attr, &err))) {
        reply_failure(req, &err);
        return;
    }
    if (node)
        fill_entry(fs, &attr, &entry);
    fuse_reply_entry(req, &entry);
}

static void op_getattr(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
    struct ggfs_fs *fs = ggfs_fs_of(req);
    struct ggfs_node_attr attr;
    struct ggfs_err err;
    struct stat st;

    (void)fi;
    ggfs_err_init(&err, NULL);
    if (!ggfs_tree_attr(fs->tree, ino, &attr, &err)) {
        reply_failure(req, &err);
        return;
    }
    fill_stat(fs, &attr, &st);
    fuse_reply_attr(req, &st, GGFS_FS_FOREVER);
}

/* A file that goes past the page cache must still let itself be mapped. */
static bool goes_direct(const struct ggfs_fs *fs, uint64_t size)
{
    if (!fs->patch.granted || fs->cache == GGFS_CACHE_KERNEL)
        return false;
    return fs->cache == GGFS_CACHE_DIRECT || size >= GGFS_FS_LARGE;
}

static void op_open(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
    struct ggfs_fs *fs = ggfs_fs_of(req);
    struct ggfs_node_attr attr;
    struct ggfs_err err;

    if ((fi->flags & O_ACCMODE) != O_RDONLY || (fi->flags & O_TRUNC)) {
        fuse_reply_err(req, EROFS);
        return;
    }
    ggfs_err_init(&err, NULL);
    if (!ggfs_tree_attr(fs->tree, ino, &attr, &err)) {
        reply_failure(req, &err);
        return;
    }
    ggfs_fs_watch(fs);
    fi->direct_io = goes_direct(fs, attr.size);
    fi->keep_cache = 1;
    fuse_reply_open(req, fi);
}

static void op_opendir(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
    struct ggfs_fs *fs = ggfs_fs_of(req);
    struct ggfs_node_attr attr;

    if (!ggfs_tree_attr_ready(fs->tree, ino, &attr) || !attr.directory)
        fuse_reply_err(req, ENOTDIR);
    else
        fuse_reply_open(req, fi);
}

/* Listing position 0 is `.`, 1 is `..`, then the tree's own entries. node 0 behind the last. */
static bool entry_at(struct ggfs_fs *fs, uint64_t directory, uint64_t position,
                     struct ggfs_tree_entry *entry, struct ggfs_err *err)
{
    if (position >= 2)
        return ggfs_tree_entry(fs->tree, directory, position - 2, entry, err);
    entry->node = position == 0 ? directory : ggfs_tree_parent(fs->tree, directory);
    entry->directory = true;
    strcpy(entry->name, position == 0 ? "." : "..");
    return true;
}

/* Each of the two puts one entry into the room left and returns the bytes it takes, more than the
 * room where it does not fit. next is the listing position behind it. */
typedef size_t (*put_fn)(fuse_req_t req, const struct ggfs_tree_entry *entry, off_t next,
                         char *room, size_t left);

static size_t put_plain(fuse_req_t req, const struct ggfs_tree_entry *entry, off_t next, char *room,
                        size_t left)
{
    struct stat st = {
        .st_ino = entry->node,
        .st_mode = mode_of(ggfs_fs_of(req), entry->directory),
    };

    return fuse_add_direntry(req, room, left, entry->name, &st, next);
}

/* An entry with node number 0 tells the kernel a name and an inode number, and leaves the rest to
 * a lookup: right for `.` and `..`, and for a text whose size is not known without work. */
static size_t put_plus(fuse_req_t req, const struct ggfs_tree_entry *entry, off_t next, char *room,
                       size_t left)
{
    struct ggfs_fs *fs = ggfs_fs_of(req);
    struct fuse_entry_param param = {0};
    struct ggfs_node_attr attr;

    if (next > 2 && ggfs_tree_attr_ready(fs->tree, entry->node, &attr)) {
        fill_entry(fs, &attr, &param);
    } else {
        param.attr.st_ino = entry->node;
        param.attr.st_mode = mode_of(fs, entry->directory);
    }
    return fuse_add_direntry_plus(req, room, left, entry->name, &param, next);
}

static void list(fuse_req_t req, uint64_t directory, size_t size, off_t position, put_fn put)
{
    struct ggfs_fs *fs = ggfs_fs_of(req);
    char *reply = ggfs_read_buffer();
    struct ggfs_tree_entry entry;
    struct ggfs_err err;
    size_t used = 0, n;

    if (!reply) {
        fuse_reply_err(req, ENOMEM);
        return;
    }
    if (size > GGFS_FS_READ_MAX)
        size = GGFS_FS_READ_MAX;
    ggfs_err_init(&err, NULL);
    while (entry_at(fs, directory, (uint64_t)position, &entry, &err) && entry.node) {
        n = put(req, &entry, position + 1, reply + used, size - used);
        if (n > size - used)
            break;
        used += n;
        position++;
    }
    if (err.kind != GGFS_ERR_NONE && used == 0)
        reply_failure(req, &err);
    else
        fuse_reply_buf(req, reply, used);
}

static void op_readdir(fuse_req_t req, fuse_ino_t ino, size_t size, off_t position,
                       struct fuse_file_info *fi)
{
    (void)fi;
    list(req, ino, size, position, put_plain);
}

static void op_readdirplus(fuse_req_t req, fuse_ino_t ino, size_t size, off_t position,
                           struct fuse_file_info *fi)
{
    (void)fi;
    list(req, ino, size, position, put_plus);
}

static void op_statfs(fuse_req_t req, fuse_ino_t ino)
{
    struct ggfs_fs *fs = ggfs_fs_of(req);
    uint64_t bytes = ggfs_tree_model_bytes(fs->tree);
    struct statvfs st = {
        .f_bsize = STATFS_BLOCK,
        .f_frsize = STATFS_BLOCK,
        .f_blocks = bytes / STATFS_BLOCK + (bytes % STATFS_BLOCK != 0),
        .f_files = ggfs_tree_nodes(fs->tree),
        .f_namemax = GGFS_TREE_NAME_MAX,
    };

    (void)ino;
    fuse_reply_statfs(req, &st);
}

/* Missing on purpose, because the kernel remembers ENOSYS and never asks again: getxattr, listxattr
 * (each `ls -l` would ask for every file), access, flush, fsync. Missing because there is nothing
 * to do: forget, release, releasedir. Missing because no file can be open for writing: write,
 * fallocate, copy_file_range. */
const struct fuse_lowlevel_ops ggfs_ops = {
    .init = op_init,
    .lookup = op_lookup,
    .getattr = op_getattr,
    .open = op_open,
    .read = ggfs_read_op,
    .opendir = op_opendir,
    .readdir = op_readdir,
    .readdirplus = op_readdirplus,
    .statfs = op_statfs,
    .setattr = ggfs_rofs_setattr,
    .mknod = ggfs_rofs_mknod,
    .mkdir = ggfs_rofs_mkdir,
    .unlink = ggfs_rofs_unlink,
    .rmdir = ggfs_rofs_unlink,
    .symlink = ggfs_rofs_symlink,
    .rename = ggfs_rofs_rename,
    .link = ggfs_rofs_link,
    .create = ggfs_rofs_create,
    .setxattr = ggfs_rofs_setxattr,
    .removexattr = ggfs_rofs_unlink,
};
