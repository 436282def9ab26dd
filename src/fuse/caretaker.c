/* SPDX-License-Identifier: MIT */
/* caretaker.c - the fork, signals passed on, the end of the server put in words. */
#include <config.h>

#include "fuse/caretaker.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
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
#define SECOND INT64_C(1000000000)

/* What asks for the end. SIGQUIT is a terminal's Ctrl-\; SIGALRM ends what was started by a
 * program that had set an alarm before exec, as a time limit. */
static const int ends[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGALRM};

/* These kill a server, as its caretaker then tells. To a caretaker, which does not fault, somebody
 * has sent them: that asks for the end too. (A real fault kills although its signal is blocked.) */
static const int deadly[] = {SIGXCPU, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};

/* What would kill without having a meaning here; real-time signals too. */
static const int meaningless[] = {SIGUSR1, SIGUSR2,   SIGPIPE, SIGVTALRM, SIGPROF,
                                  SIGPOLL, SIGSTKFLT, SIGPWR,  SIGXFSZ};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Whoever ignores a signal at the start (nohup), or has a use for it (a profiler), goes first. */
static void replace_default(int number, const struct sigaction *action)
{
    struct sigaction now;

    if (sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
        sigaction(number, action, NULL);
}

void ggfs_caretaker_guard(void)
{
    struct sigaction end, ignore = {.sa_handler = SIG_IGN};

    if (sigaction(SIGTERM, NULL, &end) == 0)
        for (size_t i = 0; i < COUNT(ends); i++)
            replace_default(ends[i], &end);
    for (size_t i = 0; i < COUNT(meaningless); i++)
        replace_default(meaningless[i], &ignore);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
        replace_default(number, &ignore);
}

/* SIGCHLD and all that ends a caretaker; but what is ignored stays ignored. */
static void collect_signals(sigset_t *set)
{
    struct sigaction action;

    sigemptyset(set);
    sigaddset(set, SIGCHLD);
    for (size_t i = 0; i < COUNT(ends); i++)
        if (sigaction(ends[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(set, ends[i]);
    for (size_t i = 0; i < COUNT(deadly); i++)
        sigaddset(set, deadly[i]);
}

/* What the server is told with. */
static int end_of(int number)
{
    for (size_t i = 0; i < COUNT(deadly); i++)
        if (deadly[i] == number)
            return SIGTERM;
    return number;
}

static pid_t caretaker;

bool ggfs_caretaker_fork(pid_t *server, struct ggfs_err *err)
{
    sigset_t set, before;

    /* Where it is ignored, children vanish without a status. */
    signal(SIGCHLD, SIG_DFL);
    collect_signals(&set);
    sigprocmask(SIG_BLOCK, &set, &before);
    caretaker = getpid();
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

void ggfs_caretaker_deafen(void)
{
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < COUNT(ends); i++)
        sigaddset(&set, ends[i]);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

bool ggfs_caretaker_is_gone(void)
{
    return getppid() != caretaker;
}

static int64_t now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * SECOND + time.tv_nsec;
}

/* The next of set, or 0 when the clock has come to due; 0 waits for ever. */
static int next_signal(const sigset_t *set, int64_t due)
{
    int64_t left = due - now();
    struct timespec time = {.tv_sec = left / SECOND, .tv_nsec = left % SECOND};
    int number;

    if (due && left <= 0)
        return 0;
    number = sigtimedwait(set, NULL, due ? &time : NULL);
    return number > 0 ? number : 0;
}

/* A signal is passed on again every second: libfuse misses one that comes just before it begins to
 * wait. Other children, of whoever became ggfs by exec, end too, which is no second passed. */
static bool wait_for(pid_t server, int *result, int *told)
{
    int64_t due = 0;
    sigset_t set;
    pid_t got;
    int end = 0;

    *told = 0;
    collect_signals(&set);
    while ((got = waitpid(server, result, WNOHANG)) == 0) {
        int number = next_signal(&set, due);
        if (number && number != SIGCHLD)
            end = end_of(number);
        if (!end || now() < due)
            continue;
        kill(server, (*told)++ < PATIENCE ? end : SIGKILL);
        due = now() + SECOND;
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
