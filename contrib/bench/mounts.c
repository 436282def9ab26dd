/* SPDX-License-Identifier: MIT */
/* mounts.c - mounting by the command, as users do, and unmounting in any case. */
#include <config.h>

#include "mounts.h"

#include "child.h"
#include "meter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

/* Mounts that stand at one time, and words of a command. */
enum { STANDING = 16, WORDS = 16 };

static pid_t standing[STANDING];
static unsigned made;

static pid_t *find_standing(pid_t pid)
{
    for (size_t i = 0; i < STANDING; i++)
        if (standing[i] == pid)
            return &standing[i];
    return NULL;
}

/* The child that no other mount has. */
static pid_t new_daemon(void)
{
    pid_t pids[2 * STANDING], *place = find_standing(0);
    size_t n = child_list(getpid(), pids, 2 * STANDING);

    for (size_t i = 0; place && i < n && i < 2 * STANDING; i++)
        if (!find_standing(pids[i]))
            return *place = pids[i];
    return 0;
}

bool mounts_make(struct mount *mount, const char *folder, const char *const *command)
{
    const char *argv[WORDS + 2];
    size_t n = 0;

    mount->at = path_of("%s/mount-%u", folder, made++);
    if (mkdir(mount->at.text, 0700) != 0)
        return say_errno(mount->at.text);
    for (; n < WORDS && command[n]; n++)
        argv[n] = command[n];
    argv[n] = mount->at.text;
    argv[n + 1] = NULL;
    mount->seconds = meter_now();
    if (!child_run(argv, 0)) {
        rmdir(mount->at.text);
        mount->at.text[0] = '\0';
        return false;
    }
    mount->seconds = meter_now() - mount->seconds;
    mount->daemons[0] = new_daemon();
    if (!mount->daemons[0])
        return say("%s: left no daemon", command[0]);
    child_list(mount->daemons[0], mount->daemons + 1, METER_FAMILY - 1);
    return true;
}

void mounts_watch(const struct mount *mount, struct meter *meter)
{
    size_t n = 0;

    while (n < METER_DAEMONS && meter->daemons[n])
        n++;
    for (size_t i = 0; i < METER_FAMILY && n < METER_DAEMONS; i++)
        if (mount->daemons[i])
            meter->daemons[n++] = mount->daemons[i];
}

double mounts_rss(const struct mount *mount)
{
    double rss = 0;

    for (size_t i = 0; i < METER_FAMILY; i++)
        rss += meter_rss(mount->daemons[i]);
    return rss;
}

/* By ourselves where we may, else by the helper that belongs to root. */
static void unmount(const char *at)
{
    const char *helper[] = {"fusermount3", "-u", "-z", at, NULL};

    if (umount2(at, 0) != 0 && umount2(at, MNT_DETACH) != 0)
        child_run(helper, 0);
}

void mounts_end(struct mount *mount)
{
    pid_t *place = mount->daemons[0] ? find_standing(mount->daemons[0]) : NULL;

    if (!mount->at.text[0])
        return;
    unmount(mount->at.text);
    if (mount->daemons[0])
        child_end(mount->daemons[0]);
    if (place)
        *place = 0;
    rmdir(mount->at.text);
    *mount = (struct mount){0};
}

/* The fifth word of a line of mountinfo; our folders have no bytes that it would escape. */
static bool is_in(const char *line, const char *folder, char *at)
{
    return sscanf(line, "%*s %*s %*s %*s %4095s", at) == 1 &&
           strncmp(at, folder, strlen(folder)) == 0 && at[strlen(folder)] == '/';
}

/* Unmounting changes the list that is being read, so that lines may be missed. */
static unsigned unmount_some(const char *folder)
{
    FILE *list = fopen("/proc/self/mountinfo", "re");
    char *line = NULL, at[PATH_MAX];
    unsigned found = 0;
    size_t room = 0;

    while (list && getline(&line, &room, list) > 0)
        if (is_in(line, folder, at)) {
            unmount(at);
            found++;
        }
    free(line);
    if (list)
        fclose(list);
    return found;
}

void mounts_end_in(const char *folder)
{
    for (unsigned i = 0; i < STANDING && unmount_some(folder) > 0; i++)
        continue;
}
