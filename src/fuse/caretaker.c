/* SPDX-License-Identifier: MIT */
/* caretaker.c - the fork, signals passed on, the end of the server put in words. */
#include <config.h>

#include "fuse/caretaker.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* In ps and top. The caretaker stays `ggfs`: that is the one to send signals to. */
#define SERVER_NAME "ggfs-server"

/* So often a server is told to end, once a second. It finishes what it has begun, which may be a
 * text that takes minutes to be sized, or does not run at all; nothing is lost with it. */
#define PATIENCE 5

/* SIGCHLD and what asks for the end; but what is ignored (nohup) stays ignored. */
static void collect_signals(sigset_t *set)
{
    static const int wanted[] = {SIGTERM, SIGINT, SIGHUP};
    struct sigaction action;

    sigemptyset(set);
    sigaddset(set, SIGCHLD);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (sigaction(wanted[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(set, wanted[i]);
}

bool ggfs_caretaker_fork(pid_t *server, struct ggfs_err *err)
{
    sigset_t set, before;

    /* Where it is ignored, children vanish without a status. */
    signal(SIGCHLD, SIG_DFL);
    collect_signals(&set);
    sigprocmask(SIG_BLOCK, &set, &before);
    *server = fork();
    if (*server < 0)
        sigprocmask(SIG_SETMASK, &before, NULL);
    if (*server == 0) {
        /* Whoever started ggfs may have blocked them; but it must be possible to end a server. */
        sigprocmask(SIG_UNBLOCK, &set, NULL);
        prctl(PR_SET_NAME, SERVER_NAME, 0, 0, 0);
    }
    return *server >= 0 || ggfs_fail(err, GGFS_ERR_SYSTEM, GGFS_NO_OFFSET, NULL,
                                     "cannot start the server: %s", strerror(errno));
}

/* A signal is passed on again every second: libfuse misses one that comes just before it begins to
 * wait. */
static bool wait_for(pid_t server, int *result, int *told)
{
    static const struct timespec second = {1, 0};
    sigset_t set;
    pid_t got;
    int end = 0;

    *told = 0;
    collect_signals(&set);
    while ((got = waitpid(server, result, WNOHANG)) == 0) {
        int signal = sigtimedwait(&set, NULL, end ? &second : NULL);
        if (signal > 0 && signal != SIGCHLD)
            end = signal;
        if (end)
            kill(server, (*told)++ < PATIENCE ? end : SIGKILL);
    }
    return got == server;
}

bool ggfs_caretaker_wait(pid_t server, int *status, struct ggfs_err *err)
{
    int result, told;

    if (!wait_for(server, &result, &told))
        return ggfs_fail(err, GGFS_ERR_SYSTEM, GGFS_NO_OFFSET, NULL, "lost the server: %s",
                         strerror(errno));
    *status = WIFEXITED(result) ? WEXITSTATUS(result) : 0;
    if (WIFEXITED(result))
        return true;
    if (told > PATIENCE && WTERMSIG(result) == SIGKILL) {
        *status = GGFS_CARETAKER_KILLED;
        return true;
    }
    return ggfs_fail(err, GGFS_ERR_SYSTEM, GGFS_NO_OFFSET, NULL,
                     "the server was killed by signal %d (%s)", WTERMSIG(result),
                     strsignal(WTERMSIG(result)));
}
