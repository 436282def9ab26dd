/* SPDX-License-Identifier: MIT */
/* child.c - starting, finding and ending processes by their numbers. */
#include <config.h>

#include "child.h"

#include "say.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

/* A daemon whose mount is gone ends within milliseconds. */
enum { END_TRIES = 500, END_PAUSE_MS = 10 };

extern char **environ;

void child_adopt(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static bool spawn(const char *const *argv, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    int number;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    number = posix_spawnp(pid, argv[0], &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return number == 0 || say("%s: %s", argv[0], strerror(number));
}

static bool wait_for(pid_t pid, int *status)
{
    while (waitpid(pid, status, 0) < 0)
        if (errno != EINTR)
            return say_errno("waitpid");
    return true;
}

bool child_run(const char *const *argv, int most)
{
    pid_t pid;
    int status;

    if (!spawn(argv, &pid) || !wait_for(pid, &status))
        return false;
    if (!WIFEXITED(status))
        return say("%s: killed", argv[0]);
    if (WEXITSTATUS(status) > most)
        return say("%s: status %d", argv[0], WEXITSTATUS(status));
    return true;
}

/* The fourth field of /proc/PID/stat, behind a name that may hold anything but ends the last ). */
static pid_t parent_of(const char *pid)
{
    struct path path = path_of("/proc/%s/stat", pid);
    char line[512], *name_end;
    int parent = 0;
    FILE *file = fopen(path.text, "re");

    if (!file)
        return 0;
    if (fgets(line, sizeof line, file) && (name_end = strrchr(line, ')')) != NULL &&
        sscanf(name_end, ") %*c %d", &parent) != 1)
        parent = 0;
    fclose(file);
    return parent;
}

size_t child_list(pid_t parent, pid_t *pids, size_t room)
{
    DIR *processes = opendir("/proc");
    struct dirent *entry;
    size_t n = 0;

    while (processes && (entry = readdir(processes)) != NULL) {
        if (!isdigit((unsigned char)entry->d_name[0]) || parent_of(entry->d_name) != parent)
            continue;
        if (n < room)
            pids[n] = atoi(entry->d_name);
        n++;
    }
    if (processes)
        closedir(processes);
    return n;
}

static bool ended(pid_t pid)
{
    struct timespec pause = {0, END_PAUSE_MS * 1000000};

    for (int i = 0; i < END_TRIES; i++) {
        if (waitpid(pid, NULL, WNOHANG) != 0)
            return true;
        nanosleep(&pause, NULL);
    }
    return false;
}

void child_end(pid_t pid)
{
    static const int signals[] = {0, SIGTERM, SIGKILL};

    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        if (signals[i])
            kill(pid, signals[i]);
        if (ended(pid))
            return;
    }
}

void child_end_all(void)
{
    pid_t pids[64];
    size_t n;

    while ((n = child_list(getpid(), pids, 64)) > 0)
        for (size_t i = 0; i < n && i < 64; i++) {
            kill(pids[i], SIGKILL);
            waitpid(pids[i], NULL, 0);
        }
}
