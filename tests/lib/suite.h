/* SPDX-License-Identifier: MIT */
/* suite.h - a Check suite from an array of tests, the same frame for every module. */
#ifndef GGFS_TESTS_SUITE_H
#define GGFS_TESTS_SUITE_H

#include <check.h>
#include <stddef.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Runs them all; the exit status of main. Check's own environment variables work. */
int suite_run(const char *module, const TTest *const *tests, size_t n);

#endif
