/* SPDX-License-Identifier: MIT */
/* readers.c - each reader with its own descriptor and buffer, all of them let go at once. */
#include <config.h>

#include "readers.h"

#include "say.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE UINT64_C(4096)

struct reader {
    const struct readers *all;
    struct range range; /* this one's part */
    uint64_t seed, sum;
    pthread_barrier_t *gate;
    pthread_t thread;
    char *buffer;
    int fd;
    int error; /* errno, or 0 */
};

static void read_sequential(struct reader *r)
{
    uint64_t done = 0;
    ssize_t got;

    while (done < r->range.bytes) {
        uint64_t left = r->range.bytes - done;
        got = pread(r->fd, r->buffer, left < r->all->piece ? (size_t)left : r->all->piece,
                    (off_t)(r->range.offset + done));
        if (got <= 0) {
            r->error = got < 0 ? errno : EIO;
            return;
        }
        done += (uint64_t)got;
    }
}

static uint64_t next_random(uint64_t *state)
{
    uint64_t x = *state;

    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return *state = x;
}

static void read_random(struct reader *r)
{
    uint64_t places = r->range.bytes / r->all->piece, n = READERS_RANDOM / r->all->count;

    for (uint64_t i = 0; i < n; i++) {
        uint64_t at = r->range.offset + next_random(&r->seed) % places * r->all->piece;
        if (pread(r->fd, r->buffer, r->all->piece, (off_t)at) != (ssize_t)r->all->piece) {
            r->error = errno;
            return;
        }
    }
}

/* Sums of whole words: as fast as memory. */
static uint64_t sum_words(const char *bytes, size_t n)
{
    uint64_t sum[4] = {0}, words[4];

    for (; n >= sizeof words; n -= sizeof words, bytes += sizeof words) {
        memcpy(words, bytes, sizeof words);
        for (int i = 0; i < 4; i++)
            sum[i] += words[i];
    }
    return sum[0] + sum[1] + sum[2] + sum[3];
}

static void read_mapped(struct reader *r)
{
    uint64_t before = r->range.offset % PAGE;
    size_t size = (size_t)(r->range.bytes + before);
    char *map = mmap(NULL, size, PROT_READ, MAP_SHARED, r->fd, (off_t)(r->range.offset - before));

    if (map == MAP_FAILED) {
        r->error = errno;
        return;
    }
    r->sum = sum_words(map + before, (size_t)r->range.bytes);
    munmap(map, size);
}

static void *reader_main(void *argument)
{
    static void (*const manners[])(struct reader *) = {
        [MANNER_SEQUENTIAL] = read_sequential,
        [MANNER_RANDOM] = read_random,
        [MANNER_MAPPED] = read_mapped,
    };
    struct reader *r = argument;

    pthread_barrier_wait(r->gate);
    if (r->error == 0)
        manners[r->all->manner](r);
    pthread_barrier_wait(r->gate);
    return NULL;
}

/* The buffer is touched so that reading does not pay for its pages. */
static bool prepare(struct reader *r, unsigned number)
{
    uint64_t part = r->all->range.bytes / r->all->count / PAGE * PAGE;
    void *buffer = NULL;

    r->range.offset = r->all->range.offset + number * part;
    r->range.bytes = number + 1 < r->all->count ? part : r->all->range.bytes - number * part;
    r->seed = 88172645463325252 + number;
    r->fd = open(r->all->path, O_RDONLY | O_CLOEXEC);
    if (r->fd < 0 || posix_memalign(&buffer, PAGE, r->all->piece) != 0) {
        r->error = errno;
        return false;
    }
    r->buffer = memset(buffer, 0, r->all->piece);
    return true;
}

static void run_all(struct reader *r, unsigned count, pthread_barrier_t *gate, struct meter *meter)
{
    for (unsigned i = 0; i < count; i++) {
        r[i].gate = gate;
        if (pthread_create(&r[i].thread, NULL, reader_main, &r[i]) != 0)
            abort();
    }
    meter_start(meter);
    pthread_barrier_wait(gate);
    pthread_barrier_wait(gate);
    meter_stop(meter);
    for (unsigned i = 0; i < count; i++)
        pthread_join(r[i].thread, NULL);
}

bool readers_run(const struct readers *readers, struct meter *meter)
{
    struct reader r[READERS_MOST] = {0};
    pthread_barrier_t gate;
    int error = 0;

    for (unsigned i = 0; i < readers->count; i++) {
        r[i].all = readers;
        r[i].fd = -1;
        prepare(&r[i], i);
    }
    pthread_barrier_init(&gate, NULL, readers->count + 1);
    run_all(r, readers->count, &gate, meter);
    pthread_barrier_destroy(&gate);
    for (unsigned i = 0; i < readers->count; i++) {
        error = error ? error : r[i].error;
        free(r[i].buffer);
        if (r[i].fd >= 0)
            close(r[i].fd);
    }
    return error == 0 || say("%s: %s", readers->path, strerror(error));
}

bool readers_forget(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool ok = fd >= 0 && posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) == 0;

    if (fd >= 0)
        close(fd);
    return ok || say_errno(path);
}
