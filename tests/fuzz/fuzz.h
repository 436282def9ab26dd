/* SPDX-License-Identifier: MIT */
/* fuzz.h - the entry that libFuzzer, AFL++ and the replay call; one program has one of them. */
#ifndef GGFS_TESTS_FUZZ_H
#define GGFS_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* A broken promise: ends the program so that the fuzzer keeps the input. */
#define FUZZ_EXPECT(condition)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

#endif
