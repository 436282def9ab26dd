/* SPDX-License-Identifier: MIT */
/* suite.c - running a module's tests. */
#include <config.h>

#include "suite.h"

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
