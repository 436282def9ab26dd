/* SPDX-License-Identifier: MIT */
/* check_sandbox.c - what a process in the sandbox can no longer do, and what it still can. */
#include <config.h>

#include "fuse/sandbox.h"

#include "suite.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

/* What a test does inside: 0 where all is as it should be, else a number that tells what is not. */
typedef int (*inside_fn)(int version);

static int version_here(void)
{
    char name[32];
    int version = 0;

    ggfs_sandbox_name(name, sizeof name);
    if (strcmp(name, "none") != 0)
        ck_assert_int_eq(sscanf(name, "landlock %d", &version), 1);
    return version;
}

static void check_inside(inside_fn fn)
{
    int version = version_here(), status;
    pid_t pid = fork();

    ck_assert_int_ge(pid, 0);
    if (pid == 0)
        _exit(ggfs_sandbox_enter() ? fn(version) : 100);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status 0x%x", status);
}

static bool refused(int result, int number)
{
    return result < 0 && errno == number;
}

/* A file that may go where the sandbox does not hold. */
static char victim[] = "/tmp/ggfs-check-sandbox-XXXXXX";

static int no_files(int version)
{
    if (version < 1)
        return 0;
    if (!refused(open(victim, O_RDONLY), EACCES) || !refused(open(victim, O_WRONLY), EACCES))
        return 1;
    if (!refused(open("/", O_RDONLY | O_DIRECTORY), EACCES))
        return 2;
    if (!refused(unlink(victim), EACCES))
        return 3;
    /* Outside this would be EINVAL: the root is not unmounted in this way. */
    if (!refused(umount2("/", MNT_EXPIRE), EPERM))
        return 4;
    return refused(execl("/bin/true", "true", (char *)NULL), EACCES) ? 0 : 5;
}

static int no_network(int version)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    if (version < 4 || fd < 0)
        return 0;
    if (!refused(connect(fd, (struct sockaddr *)&address, sizeof address), EACCES))
        return 1;
    return refused(bind(fd, (struct sockaddr *)&address, sizeof address), EACCES) ? 0 : 2;
}

static int no_others(int version)
{
    if (prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) != 0)
        return 1;
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
        return 2;
    return version < 6 || refused(kill(getppid(), 0), EPERM) ? 0 : 3;
}

static int no_capabilities(int version)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct held[_LINUX_CAPABILITY_U32S_3];
    uint32_t left;

    (void)version;
    if (syscall(SYS_capget, &header, held) != 0)
        return 1;
    left = held[0].permitted & ~(uint32_t)CAP_TO_MASK(CAP_SYS_RESOURCE);
    return left == 0 && held[1].permitted == 0 ? 0 : 2;
}

static int model = -1;

static void *wait_for_ever(void *unused)
{
    while (unused)
        pause();
    return NULL;
}

static int threads_end(int version)
{
    pthread_t thread;
    void *result;

    (void)version;
    for (int i = 0; i < 3; i++) {
        if (pthread_create(&thread, NULL, wait_for_ever, &model) != 0)
            return 1;
        if (pthread_cancel(thread) != 0 || pthread_join(thread, &result) != 0)
            return 2;
        if (result != PTHREAD_CANCELED)
            return 3;
    }
    syslog(LOG_DEBUG, "a test of ggfs");
    return 0;
}

static int descriptors_work(int version)
{
    char byte;
    int ends[2];

    (void)version;
    if (pread(model, &byte, 1, 0) != 1)
        return 1;
    if (pipe(ends) != 0)
        return 2;
    return splice(model, NULL, ends[1], NULL, 1, 0) == 1 ? 0 : 3;
}

START_TEST(files)
{
    int fd = mkstemp(victim);

    ck_assert_int_ge(fd, 0);
    close(fd);
    check_inside(no_files);
    ck_assert_int_eq(unlink(victim), 0);
}
END_TEST

START_TEST(network)
{
    check_inside(no_network);
}
END_TEST

START_TEST(others)
{
    check_inside(no_others);
}
END_TEST

START_TEST(capabilities)
{
    check_inside(no_capabilities);
}
END_TEST

START_TEST(threads)
{
    openlog("ggfs", LOG_NDELAY, LOG_DAEMON);
    check_inside(threads_end);
    closelog();
}
END_TEST

START_TEST(descriptors)
{
    model = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    ck_assert_int_ge(model, 0);
    check_inside(descriptors_work);
    close(model);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {files, network, others, capabilities, threads, descriptors};

    return suite_run("sandbox", tests, COUNT(tests));
}
