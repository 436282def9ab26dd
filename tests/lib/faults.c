/* SPDX-License-Identifier: MIT */
/* faults.c - to be preloaded: memory, threads and reads that fail when a test says so.
 *
 *   GGFS_FAIL_ALLOC=N   the Nth allocation of each process fails (N+: and all behind it)
 *   GGFS_FAULTS=FILE    the first byte of FILE, which may change at any time, tells what happens:
 *                       e: reads end with EIO    s: half of what is asked for is read
 *                       i: every second pread is interrupted    t: no thread can be started
 *                       c: splices from the model end half way, as where it is cut by then
 *                       z: of 64 KiB read and more the latter half is zeros, because the model
 *                          has just been cut there, as its size says from then on
 *                       r: what makes a piece of memory larger has to wait */
#include <config.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static atomic_long allocations, preads;
static _Atomic off_t cut_at = INT64_MAX; /* of the model, where it is cut */
static long failing;
static bool and_behind;
static volatile const char *fault = "-";

__attribute__((constructor)) static void start(void)
{
    const char *number = getenv("GGFS_FAIL_ALLOC"), *file = getenv("GGFS_FAULTS");
    int fd = file ? open(file, O_RDONLY | O_CLOEXEC) : -1;
    char *end = NULL;

    if (fd >= 0) {
        void *page = mmap(NULL, 1, PROT_READ, MAP_SHARED, fd, 0);
        if (page != MAP_FAILED)
            fault = page;
        close(fd);
    }
    if (number) {
        failing = strtol(number, &end, 10);
        and_behind = *end == '+';
        atomic_store(&allocations, 0);
    }
}

static bool refused(void)
{
    long n = atomic_fetch_add(&allocations, 1) + 1;

    if (failing == 0 || n < failing || (n > failing && !and_behind))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return refused() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return refused() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    while (*fault == 'r')
        usleep(10000);
    return refused() ? NULL : __libc_realloc(old, size);
}

static size_t amount(size_t wanted)
{
    return *fault == 's' && wanted > 1 ? wanted / 2 : wanted;
}

static bool broken(void)
{
    if (*fault == 'e')
        errno = EIO;
    else if (*fault == 'i' && atomic_fetch_add(&preads, 1) % 2 == 0)
        errno = EINTR;
    else
        return false;
    return true;
}

/* Where this thread's last splice from the model has ended. */
static _Thread_local off_t spliced = -1;

typedef ssize_t (*pread_fn)(int fd, void *to, size_t size, off_t offset);

static ssize_t cut_while_read(char *to, ssize_t got, off_t offset)
{
    if (*fault != 'z' || got < 64 * 1024)
        return got;
    memset(to + got / 2, 0, (size_t)(got - got / 2));
    atomic_store(&cut_at, offset + got / 2);
    return got;
}

ssize_t pread64(int fd, void *to, size_t size, off_t offset)
{
    static pread_fn next;

    if (!next)
        next = (pread_fn)dlsym(RTLD_NEXT, "pread64");
    if (*fault == 'c' && offset == spliced)
        return 0;
    return broken() ? -1 : cut_while_read(to, next(fd, to, amount(size), offset), offset);
}

ssize_t pread(int fd, void *to, size_t size, off_t offset)
{
    return pread64(fd, to, size, offset);
}

typedef int (*fstat_fn)(int fd, struct stat *to);

int fstat(int fd, struct stat *to)
{
    static fstat_fn next;
    int result;

    if (!next)
        next = (fstat_fn)dlsym(RTLD_NEXT, "fstat");
    result = next(fd, to);
    if (*fault == 'z' && result == 0 && to->st_size > atomic_load(&cut_at))
        to->st_size = atomic_load(&cut_at);
    return result;
}

typedef ssize_t (*splice_fn)(int from, off_t *from_at, int to, off_t *to_at, size_t size,
                             unsigned int flags);

/* With an offset it is the model that is read from. */
ssize_t splice(int from, off_t *from_at, int to, off_t *to_at, size_t size, unsigned int flags)
{
    static splice_fn next;
    ssize_t got;

    if (!next)
        next = (splice_fn)dlsym(RTLD_NEXT, "splice");
    if (!from_at)
        return next(from, from_at, to, to_at, size, flags);
    if (*fault == 'e') {
        errno = EIO;
        return -1;
    }
    if (*fault == 'c' && *from_at == spliced)
        return 0;
    got = next(from, from_at, to, to_at, *fault == 'c' ? size / 2 : amount(size), flags);
    spliced = *from_at;
    return got;
}

typedef int (*create_fn)(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                         void *argument);

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument)
{
    static create_fn next;

    if (!next)
        next = (create_fn)dlsym(RTLD_NEXT, "pthread_create");
    return *fault == 't' ? EAGAIN : next(thread, attributes, run, argument);
}
