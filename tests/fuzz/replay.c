/* SPDX-License-Identifier: MIT */
/* replay.c - a fuzz program without a fuzzer: every file of the command line and of the folders on
 * it; behind --near also what is close to each: its prefixes, and one byte changed. */
#include <config.h>

#include "fuzz.h"

#include <dirent.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

/* What is close to a file of more bytes than this would take too long. */
#define NEAR_MOST 4096
#define FILE_MOST (1 << 24)

static unsigned long runs;

/* A copy of exactly this size, so that a sanitizer sees what is read behind it. */
static void run(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);

    FUZZ_EXPECT(copy);
    if (size)
        memcpy(copy, bytes, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    runs++;
}

static void run_near(uint8_t *bytes, size_t size)
{
    static const uint8_t others[] = {0x00, 0x01, 0x7F, 0x80, 0xFF};

    for (size_t n = 0; n < size; n++)
        run(bytes, n);
    for (size_t i = 0; i < size; i++) {
        uint8_t kept = bytes[i];
        for (size_t j = 0; j < sizeof others; j++) {
            bytes[i] = others[j];
            if (others[j] != kept)
                run(bytes, size);
        }
        bytes[i] = kept ^ 1;
        run(bytes, size);
        bytes[i] = kept;
    }
}

static void replay_file(const char *path, bool near)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(FILE_MOST);
    size_t size;

    FUZZ_EXPECT(file && bytes);
    size = fread(bytes, 1, FILE_MOST, file);
    fclose(file);
    run(bytes, size);
    if (near && size <= NEAR_MOST)
        run_near(bytes, size);
    free(bytes);
}

static void replay_folder(const char *path, bool near)
{
    DIR *folder = opendir(path);
    struct dirent *entry;

    FUZZ_EXPECT(folder);
    while ((entry = readdir(folder))) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.')
            replay_file(name, near);
    }
    closedir(folder);
}

int main(int argc, char **argv)
{
    bool near = false;

    for (int i = 1; i < argc; i++) {
        struct stat st;
        if (strcmp(argv[i], "--near") == 0) {
            near = true;
            continue;
        }
        FUZZ_EXPECT(stat(argv[i], &st) == 0);
        if (S_ISDIR(st.st_mode))
            replay_folder(argv[i], near);
        else
            replay_file(argv[i], near);
    }
    printf("%lu runs\n", runs);
    return 0;
}
