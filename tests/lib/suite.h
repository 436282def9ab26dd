/* SPDX-License-Identifier: MIT */
/* suite.h - a Check suite from an array of tests, the same frame for every module. */
#ifndef GGFS_TESTS_SUITE_H
#define GGFS_TESTS_SUITE_H

#include <check.h>
#include <stddef.h>
#include <stdint.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Runs them all; the exit status of main. Check's own environment variables work. */
int suite_run(const char *module, const TTest *const *tests, size_t n);

/* The start of a random sequence, which is printed; GGFS_SEED in the environment repeats it. */
uint64_t suite_seed(void);

/* The next number of the sequence, and one below n. */
uint64_t suite_random(uint64_t *seed);
uint64_t suite_below(uint64_t *seed, uint64_t n);

#endif
