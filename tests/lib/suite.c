/* SPDX-License-Identifier: MIT */
/* suite.c - running a module's tests. */
#include <config.h>

#include "suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int suite_run(const char *module, const TTest *const *tests, size_t n)
{
    Suite *suite = suite_create(module);
    TCase *all = tcase_create(module);
    SRunner *runner;
    int failed;

    tcase_set_timeout(all, 60);
    for (size_t i = 0; i < n; i++)
        tcase_add_test(all, tests[i]);
    suite_add_tcase(suite, all);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}

uint64_t suite_seed(void)
{
    const char *text = getenv("GGFS_SEED");
    uint64_t seed = (uint64_t)time(NULL) ^ (uint64_t)getpid() << 20;

    if (text)
        seed = strtoull(text, NULL, 0);
    printf("GGFS_SEED=%" PRIu64 "\n", seed);
    fflush(stdout);
    return seed;
}

/* SplitMix64. */
uint64_t suite_random(uint64_t *seed)
{
    uint64_t z = *seed += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

uint64_t suite_below(uint64_t *seed, uint64_t n)
{
    return suite_random(seed) % n;
}
