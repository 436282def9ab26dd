/* SPDX-License-Identifier: MIT */
/* guard.c - the process that waits and cleans up. */
#include <config.h>

#include "guard.h"

#include "child.h"
#include "mounts.h"

#include <errno.h>
#include <ftw.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <unistd.h>

/* Depth of folders below ours; descriptors that the walk may use. */
enum { WALK_DESCRIPTORS = 16 };

static int remove_one(const char *path, const struct stat *st, int what, struct FTW *where)
{
    (void)st, (void)what, (void)where;
    return remove(path) == 0 || errno == ENOENT ? 0 : -1;
}

static void remove_all(const struct path *folder)
{
    if (folder->text[0] &&
        nftw(folder->text, remove_one, WALK_DESCRIPTORS, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) != 0)
        say_errno(folder->text);
}

static bool on_tmpfs(const char *folder)
{
    struct statfs fs;

    return statfs(folder, &fs) == 0 && fs.f_type == TMPFS_MAGIC;
}

static bool make_folder(struct path *folder, const char *in)
{
    *folder = path_of("%s/ggfs-bench.XXXXXX", in);
    return mkdtemp(folder->text) || say_errno(folder->text);
}

static bool make_folders(struct folders *folders)
{
    const char *temp = getenv("TMPDIR");

    folders->fast.text[0] = '\0';
    if (!make_folder(&folders->temp, temp && *temp ? temp : "/tmp"))
        return false;
    if (on_tmpfs("/dev/shm") && access("/dev/shm", W_OK) == 0)
        make_folder(&folders->fast, "/dev/shm");
    else if (on_tmpfs(folders->temp.text))
        make_folder(&folders->fast, folders->temp.text);
    return true;
}

static void clean_up(const struct folders *folders)
{
    mounts_end_in(folders->temp.text);
    child_end_all();
    remove_all(&folders->temp);
    remove_all(&folders->fast);
}

static int signal_mask(sigset_t *set, sigset_t *before)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD};

    sigemptyset(set);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaddset(set, signals[i]);
    return sigprocmask(SIG_BLOCK, set, before);
}

/* The status of the worker, once it has ended or is made to. Other children may end before. */
static int watch(pid_t worker, const sigset_t *set)
{
    int number, status;

    for (;;) {
        number = sigwaitinfo(set, NULL);
        if (number == SIGCHLD && waitpid(worker, &status, WNOHANG) != worker)
            continue;
        if (number == SIGCHLD)
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        if (number > 0) {
            kill(worker, SIGKILL);
            waitpid(worker, &status, 0);
            return 128 + number;
        }
    }
}

bool guard_start(struct folders *folders)
{
    sigset_t set, before;
    pid_t worker;
    int status;

    if (signal_mask(&set, &before) != 0 || !make_folders(folders))
        return false;
    child_adopt();
    fflush(NULL);
    worker = fork();
    if (worker == 0) {
        child_adopt();
        sigprocmask(SIG_SETMASK, &before, NULL);
        return true;
    }
    status = worker < 0 ? 2 : watch(worker, &set);
    clean_up(folders);
    _exit(status);
}
