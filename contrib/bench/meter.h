/* SPDX-License-Identifier: MIT */
/* meter.h - time, processor time and memory; and how much of the machine others took. */
#ifndef GGFS_BENCH_METER_H
#define GGFS_BENCH_METER_H

#include <sys/types.h>

/* Processes of one mount, and of the mounts that a figure measures at one time. */
enum { METER_FAMILY = 4, METER_DAEMONS = 2 * METER_FAMILY };

/* From start to stop: wall and cpu seconds, the latter of this process, of the children that it
 * waited for meanwhile, and of the daemons. */
struct meter {
    pid_t daemons[METER_DAEMONS]; /* 0 for none */
    double wall, cpu;
};

double meter_now(void);
void meter_start(struct meter *meter);
void meter_stop(struct meter *meter);

/* MiB of a process that are in memory; 0 for process 0. */
double meter_rss(pid_t process);

/* The whole machine's seconds, and those that this process and its ended children used. */
struct machine {
    double wall, busy, stolen, ours;
    double load; /* average of the last minute when it started */
};

void machine_start(struct machine *machine);

/* Every daemon has to be gone. The fields become differences. */
void machine_stop(struct machine *machine);

#endif
