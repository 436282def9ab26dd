/* SPDX-License-Identifier: MIT */
/* check_init_patch.c - offers are found in INIT, and their answer is completed, nothing else. */
#include <config.h>

#include "fuse/init_patch.h"

#include "suite.h"

#include <check.h>
#include <errno.h>
#include <linux/fuse.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define EXT (UINT32_C(1) << 30)
#define ALLOW_MMAP (UINT32_C(1) << 4)

/* The session's user data of these tests is a patch itself. */
struct ggfs_init_patch *ggfs_init_patch_of(void *userdata)
{
    return userdata;
}

struct request {
    struct fuse_in_header header;
    struct fuse_init_in init;
};

static struct request request_with(uint32_t opcode, uint32_t flags, uint32_t flags2)
{
    struct request r;

    memset(&r, 0, sizeof r);
    r.header.len = sizeof r;
    r.header.opcode = opcode;
    r.init.major = FUSE_KERNEL_VERSION;
    r.init.flags = flags;
    r.init.flags2 = flags2;
    return r;
}

static bool offered(const struct request *r, size_t size)
{
    struct ggfs_init_patch patch = {.offered = false};

    ggfs_init_patch_request(&patch, r, size);
    return patch.offered;
}

START_TEST(offer)
{
    struct request r = request_with(FUSE_INIT, EXT | 1, ALLOW_MMAP | 1);

    ck_assert(offered(&r, sizeof r));
    ck_assert(!offered(&r, sizeof r - 1));
    ck_assert(!offered(&r, 0));
    r = request_with(FUSE_INIT, EXT, ~ALLOW_MMAP);
    ck_assert(!offered(&r, sizeof r));
    /* Without the first word's bit the second word means nothing. */
    r = request_with(FUSE_INIT, ~EXT, ALLOW_MMAP);
    ck_assert(!offered(&r, sizeof r));
    r = request_with(FUSE_READ, EXT, ALLOW_MMAP);
    ck_assert(!offered(&r, sizeof r));
}
END_TEST

static bool parallel(uint32_t opcode, uint32_t flags)
{
    struct ggfs_init_patch patch = {.parallel = false};
    struct request r = request_with(opcode, flags, 0);

    ggfs_init_patch_request(&patch, &r, sizeof r);
    return patch.parallel;
}

START_TEST(offer_of_lookups)
{
    ck_assert(parallel(FUSE_INIT, FUSE_PARALLEL_DIROPS | 1));
    ck_assert(!parallel(FUSE_INIT, ~FUSE_PARALLEL_DIROPS));
    ck_assert(!parallel(FUSE_READ, FUSE_PARALLEL_DIROPS));
}
END_TEST

struct reply {
    struct fuse_out_header header;
    struct fuse_init_out init;
    struct iovec parts[2];
};

static void make_reply(struct reply *r, int error)
{
    memset(r, 0, sizeof *r);
    r->header.error = error;
    r->init.flags = 3;
    r->init.flags2 = 8;
    r->init.max_write = 512 * 1024;
    r->parts[0] = (struct iovec){&r->header, sizeof r->header};
    r->parts[1] = (struct iovec){&r->init, sizeof r->init};
}

static void check_completed(bool mmap, bool lookups)
{
    struct ggfs_init_patch patch = {.offered = mmap, .parallel = lookups};
    struct fuse_init_out wanted;
    struct reply r;

    make_reply(&r, 0);
    wanted = r.init;
    wanted.flags |= (mmap ? EXT : 0) | (lookups ? FUSE_PARALLEL_DIROPS : 0);
    wanted.flags2 |= mmap ? ALLOW_MMAP : 0;
    ggfs_init_patch_reply(&patch, r.parts, 2);
    ck_assert(patch.replied && patch.granted == mmap);
    ck_assert_mem_eq(&r.init, &wanted, sizeof wanted);
}

START_TEST(completed)
{
    check_completed(true, false);
    check_completed(true, true);
    check_completed(false, true);
}
END_TEST

static void check_untouched(bool kernel_offers, int error, size_t size, int count)
{
    struct ggfs_init_patch patch = {.offered = kernel_offers, .parallel = kernel_offers};
    struct fuse_init_out before;
    struct reply r;

    make_reply(&r, error);
    r.parts[1].iov_len = size;
    before = r.init;
    ggfs_init_patch_reply(&patch, r.parts, count);
    ck_assert(patch.replied && !patch.granted);
    ck_assert_mem_eq(&r.init, &before, sizeof before);
}

START_TEST(untouched)
{
    check_untouched(false, 0, sizeof(struct fuse_init_out), 2);
    check_untouched(true, -71, sizeof(struct fuse_init_out), 2);
    check_untouched(true, 0, sizeof(struct fuse_init_out), 1);
    /* What older protocols answer with. */
    check_untouched(true, 0, FUSE_COMPAT_22_INIT_OUT_SIZE, 2);
    check_untouched(true, 0, FUSE_COMPAT_INIT_OUT_SIZE, 2);
}
END_TEST

START_TEST(refused)
{
    struct fuse_out_header header = {.len = sizeof header, .unique = 77};
    int from[2], to[2];

    ck_assert(pipe(from) == 0 && pipe(to) == 0);
    ck_assert_int_eq(write(from[1], &header, sizeof header), sizeof header);
    ck_assert_int_eq(ggfs_init_patch_refuse(from[0], to[1]), sizeof header);
    ck_assert_int_eq(read(to[0], &header, sizeof header), sizeof header);
    ck_assert(header.len == sizeof header && header.unique == 77 && header.error == -EIO);
    close(from[1]);
    ck_assert_int_eq(ggfs_init_patch_refuse(from[0], to[1]), -1);
    close(from[0]);
    close(to[0]);
    close(to[1]);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {offer, offer_of_lookups, completed, untouched, refused};

    return suite_run("init_patch", tests, COUNT(tests));
}
