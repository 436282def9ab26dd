/* SPDX-License-Identifier: MIT */
/* soak.c - soak MOUNT SECONDS OPERATIONS PID…: eight readers do random things to a mount until both
 * are reached, and compare every byte with what was there in the beginning. Tells the memory of the
 * processes after the first thousand operations and at the end. */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define READERS 8
#define FILES 4096
#define LARGEST (size_t)(1024 * 1024)
#define FIRST 1000

struct file {
    char *path;
    char *bytes; /* NULL: a directory */
    size_t size; /* of a directory: entries */
};

static struct file files[FILES];
static size_t n_files;
static atomic_ulong operations;
static atomic_bool stop;
static atomic_int failures;

static void complain(const struct file *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void complain(const struct file *file, const char *format, ...)
{
    char text[256];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, "FAILED: %s: %s\n", file->path, text);
    atomic_fetch_add(&failures, 1);
    atomic_store(&stop, true);
}

static uint64_t next(uint64_t *seed)
{
    uint64_t z = *seed += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static size_t below(uint64_t *seed, size_t n)
{
    return n ? (size_t)(next(seed) % n) : 0;
}

static bool count_entries(const char *path, size_t *n)
{
    DIR *directory = opendir(path);

    *n = 0;
    if (!directory)
        return false;
    while (readdir(directory))
        ++*n;
    return closedir(directory) == 0;
}

static bool read_whole(struct file *file)
{
    int fd = open(file->path, O_RDONLY);
    size_t got = 0;
    ssize_t n = 1;

    file->bytes = malloc(file->size + 1);
    while (fd >= 0 && file->bytes && n > 0) {
        n = read(fd, file->bytes + got, file->size + 1 - got);
        if (n > 0)
            got += (size_t)n;
    }
    if (fd >= 0)
        close(fd);
    return n == 0 && got == file->size;
}

static int learn(const char *path, const struct stat *st, int type, struct FTW *place)
{
    struct file *file = &files[n_files];

    (void)place;
    if (n_files == FILES)
        return 0;
    file->path = strdup(path);
    file->size = (size_t)st->st_size;
    n_files++;
    if (type == FTW_D ? count_entries(path, &file->size) : read_whole(file))
        return 0;
    complain(file, "cannot be read: %s", strerror(errno));
    return 1;
}

static void pick(uint64_t *seed, const struct file *file, size_t *from, size_t *n)
{
    static const size_t sizes[] = {1, 37, 512, 4096, 5000, 65536, 300000, LARGEST};

    *from = below(seed, file->size + 1);
    *n = sizes[below(seed, sizeof sizes / sizeof *sizes)];
    if (*n > file->size - *from)
        *n = file->size - *from;
}

static void read_some(uint64_t *seed, const struct file *file, char *buffer)
{
    int fd = open(file->path, O_RDONLY | O_CLOEXEC);
    size_t from, n, got = 0;
    ssize_t part = 1;

    pick(seed, file, &from, &n);
    while (fd >= 0 && got < n && part > 0) {
        part = pread(fd, buffer + got, n - got, (off_t)(from + got));
        if (part > 0)
            got += (size_t)part;
    }
    if (fd < 0 || got < n)
        complain(file, "%zu bytes from %zu: %zu, %s", n, from, got, strerror(errno));
    else if (memcmp(buffer, file->bytes + from, n) != 0)
        complain(file, "%zu bytes from %zu: other ones", n, from);
    if (fd >= 0)
        close(fd);
}

static void map_some(uint64_t *seed, const struct file *file)
{
    int fd = open(file->path, O_RDONLY | O_CLOEXEC);
    int flags = below(seed, 2) ? MAP_SHARED : MAP_PRIVATE;
    char *bytes = fd < 0 ? MAP_FAILED : mmap(NULL, file->size, PROT_READ, flags, fd, 0);
    size_t from, n;

    if (bytes == MAP_FAILED) {
        complain(file, "cannot be mapped: %s", strerror(errno));
    } else {
        pick(seed, file, &from, &n);
        if (memcmp(bytes + from, file->bytes + from, n) != 0)
            complain(file, "%zu mapped bytes from %zu: other ones", n, from);
        munmap(bytes, file->size);
    }
    if (fd >= 0)
        close(fd);
}

static void list(const struct file *file)
{
    size_t n;

    if (!count_entries(file->path, &n) || n != file->size)
        complain(file, "%zu entries, not %zu: %s", n, file->size, strerror(errno));
}

static void look(uint64_t *seed, const struct file *file)
{
    char path[4096];
    struct stat st;

    if (stat(file->path, &st) != 0 || (file->bytes && (size_t)st.st_size != file->size))
        complain(file, "size %jd, not %zu", (intmax_t)st.st_size, file->size);
    snprintf(path, sizeof path, "%s/%zx", file->path, below(seed, 1000) + 0x1000000);
    if (stat(path, &st) == 0)
        complain(file, "%s is there", path);
}

static void do_one(uint64_t *seed, char *buffer)
{
    const struct file *file = &files[below(seed, n_files)];
    size_t what = below(seed, 16);

    if (!file->bytes)
        list(file);
    else if (what == 0)
        look(seed, file);
    else if (what <= 3 && file->size)
        map_some(seed, file);
    else
        read_some(seed, file, buffer);
}

static void *be_reader(void *number)
{
    uint64_t seed = (uint64_t)(uintptr_t)number * 1000003 + 1;
    char *buffer = malloc(LARGEST);

    while (buffer && !atomic_load(&stop)) {
        do_one(&seed, buffer);
        atomic_fetch_add(&operations, 1);
    }
    free(buffer);
    return NULL;
}

/* In kB, of all the processes. */
static long memory(char **pids)
{
    long sum = 0, one;

    for (; *pids; pids++) {
        char path[64], line[256];
        FILE *status;
        snprintf(path, sizeof path, "/proc/%s/status", *pids);
        status = fopen(path, "re");
        while (status && fgets(line, sizeof line, status))
            if (sscanf(line, "VmRSS: %ld", &one) == 1)
                sum += one;
        if (status)
            fclose(status);
    }
    return sum;
}

static void wait_for(unsigned long n, double seconds)
{
    static const struct timespec tick = {0, 20 * 1000 * 1000};
    struct timespec start, now;
    double passed = 0;

    clock_gettime(CLOCK_MONOTONIC, &start);
    while (!atomic_load(&stop) && (atomic_load(&operations) < n || passed < seconds)) {
        nanosleep(&tick, NULL);
        clock_gettime(CLOCK_MONOTONIC, &now);
        passed = (double)(now.tv_sec - start.tv_sec) + 1e-9 * (double)(now.tv_nsec - start.tv_nsec);
    }
}

static void soak(double seconds, unsigned long n, char **pids)
{
    pthread_t readers[READERS];
    long first;

    for (size_t i = 0; i < READERS; i++)
        pthread_create(&readers[i], NULL, be_reader, (void *)(i + 1));
    wait_for(FIRST, 0);
    first = memory(pids);
    wait_for(n, seconds);
    atomic_store(&stop, true);
    for (size_t i = 0; i < READERS; i++)
        pthread_join(readers[i], NULL);
    printf("after %d operations\t%ld kB\nafter %lu operations\t%ld kB\n", FIRST, first,
           atomic_load(&operations), memory(pids));
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fputs("usage: soak MOUNT SECONDS OPERATIONS PID...\n", stderr);
        return 2;
    }
    if (nftw(argv[1], learn, 16, FTW_PHYS) == 0)
        soak(strtod(argv[2], NULL), strtoul(argv[3], NULL, 10), argv + 4);
    for (size_t i = 0; i < n_files; i++) {
        free(files[i].path);
        free(files[i].bytes);
    }
    return atomic_load(&failures) ? 1 : 0;
}
