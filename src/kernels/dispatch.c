/* SPDX-License-Identifier: MIT */
/* dispatch.c - the kernel sets and the choice among them. */
#include <config.h>

#include "kernels/cpu.h"
#include "kernels/grids.h"
#include "kernels/kernels.h"
#include "kernels/sets.h"

#include <string.h>

/* Weakest first. The one place where a set is registered. */
const struct ggfs_kernel_set *const ggfs_kernel_sets[] = {
    &ggfs_kernels_scalar,
#if defined __x86_64__
    &ggfs_kernels_avx2,
    &ggfs_kernels_avx512,
    &ggfs_kernels_vbmi,
#elif defined __aarch64__
    &ggfs_kernels_neon,
#endif
    NULL,
};

static ggfs_kernel_fn chosen[GGFS_TYPE_COUNT + 1];
static const char *strongest;

static bool is_set(const char *name)
{
    for (size_t i = 0; ggfs_kernel_sets[i]; i++)
        if (strcmp(ggfs_kernel_sets[i]->name, name) == 0)
            return true;
    return false;
}

static void take(const struct ggfs_kernel_set *set)
{
    for (size_t type = 0; type < GGFS_TYPE_COUNT; type++)
        if (set->fn[type])
            chosen[type] = set->fn[type];
    strongest = set->name;
}

bool ggfs_kernels_init(const char *limit)
{
    uint32_t features = ggfs_cpu_features();

    if (limit && !is_set(limit))
        return false;
    memset(chosen, 0, sizeof chosen);
    ggfs_grids_expand();
    for (size_t i = 0; ggfs_kernel_sets[i]; i++) {
        if ((ggfs_kernel_sets[i]->needs & ~features) == 0)
            take(ggfs_kernel_sets[i]);
        if (limit && strcmp(ggfs_kernel_sets[i]->name, limit) == 0)
            break;
    }
    return true;
}

ggfs_kernel_fn ggfs_kernel(enum ggfs_type type)
{
    return chosen[type];
}

const char *ggfs_kernels_name(void)
{
    return strongest;
}
