/* SPDX-License-Identifier: MIT */
/* sandbox.c - Landlock by raw system calls, capabilities, no_new_privs, dumpable. */
#include <config.h>

#include "fuse/sandbox.h"

#ifdef HAVE_EXECINFO_H
#include <execinfo.h>
#endif
#include <linux/capability.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(SYS_landlock_create_ruleset) && !defined(GGFS_COVERAGE)

/* Of <linux/landlock.h>, in the layout of today: older kernels take a longer one whose end is 0. */
struct ruleset {
    uint64_t files, network, scopes;
};
#define ASK_VERSION 1U

/* How many rights, from bit 0 on, version i + 1 knows. All of them are given up, and no rule gives
 * one back. */
static const struct {
    uint8_t files, network, scopes;
} versions[] = {
    {13, 0, 0}, {14, 0, 0}, {15, 0, 0}, {15, 2, 0}, {16, 2, 0}, {16, 2, 2},
};
#define VERSIONS (sizeof versions / sizeof *versions)

static uint64_t bits(unsigned int n)
{
    return (UINT64_C(1) << n) - 1;
}

/* 0 where there is no Landlock, or it is switched off. */
static size_t landlock_version(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, ASK_VERSION);

    return version > 0 ? (size_t)version : 0;
}

static void give_up_files(void)
{
    size_t version = landlock_version();
    size_t row = (version < VERSIONS ? version : VERSIONS) - 1;
    struct ruleset rules;
    long fd;

    if (version == 0)
        return;
    rules = (struct ruleset){
        .files = bits(versions[row].files),
        .network = bits(versions[row].network),
        .scopes = bits(versions[row].scopes),
    };
    fd = syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0U);
    if (fd < 0)
        return;
    syscall(SYS_landlock_restrict_self, (int)fd, 0U);
    close((int)fd);
}

#else

static size_t landlock_version(void)
{
    return 0;
}

static void give_up_files(void)
{
}

#endif

/* All but one: root's pipes would otherwise be cut to a page each as soon as a few mounts have
 * theirs, and replies by splice with them. */
static void give_up_capabilities(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct held[_LINUX_CAPABILITY_U32S_3];

    if (syscall(SYS_capget, &header, held) != 0)
        return;
    for (unsigned int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
        uint32_t kept = i == CAP_TO_INDEX(CAP_SYS_RESOURCE) ? CAP_TO_MASK(CAP_SYS_RESOURCE) : 0;
        held[i].permitted &= kept;
        held[i].effective &= kept;
        held[i].inheritable = 0;
    }
    syscall(SYS_capset, &header, held);
}

/* What libc would open or load later: the time zone for syslog, and libgcc_s, without which a
 * cancelled thread aborts the process. A backtrace loads that, and is empty where it cannot. */
static bool load_the_rest(void)
{
    tzset();
#ifdef HAVE_EXECINFO_H
    void *frame;
    return backtrace(&frame, 1) > 0;
#else
    return true;
#endif
}

bool ggfs_sandbox_enter(void)
{
    bool loaded = load_the_rest();

    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    give_up_files();
    give_up_capabilities();
    return loaded;
}

void ggfs_sandbox_name(char *out, size_t size)
{
    size_t version = landlock_version();

    if (version)
        snprintf(out, size, "landlock %zu", version);
    else
        snprintf(out, size, "none");
}
