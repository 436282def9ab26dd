/* SPDX-License-Identifier: MIT */
/* faults.c - to be preloaded: memory, threads and reads that fail when a test says so.
 *
 *   GGFS_FAIL_ALLOC=N   the Nth allocation of each process fails (N+: and all behind it)
 *   GGFS_FAULTS=FILE    the first byte of FILE, which may change at any time, tells what happens:
 *                       e: reads end with EIO    s: half of what is asked for is read
 *                       i: every second pread is interrupted    t: no thread can be started */
#include <config.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static atomic_long allocations, preads;
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

typedef ssize_t (*pread_fn)(int fd, void *to, size_t size, off_t offset);

ssize_t pread64(int fd, void *to, size_t size, off_t offset)
{
    static pread_fn next;

    if (!next)
        next = (pread_fn)dlsym(RTLD_NEXT, "pread64");
    return broken() ? -1 : next(fd, to, amount(size), offset);
}

ssize_t pread(int fd, void *to, size_t size, off_t offset)
{
    return pread64(fd, to, size, offset);
}

typedef ssize_t (*splice_fn)(int from, off_t *from_at, int to, off_t *to_at, size_t size,
                             unsigned int flags);

/* With an offset it is the model that is read from. */
ssize_t splice(int from, off_t *from_at, int to, off_t *to_at, size_t size, unsigned int flags)
{
    static splice_fn next;

    if (!next)
        next = (splice_fn)dlsym(RTLD_NEXT, "splice");
    if (from_at && *fault == 'e') {
        errno = EIO;
        return -1;
    }
    return next(from, from_at, to, to_at, from_at ? amount(size) : size, flags);
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
