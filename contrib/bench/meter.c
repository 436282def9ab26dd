/* SPDX-License-Identifier: MIT */
/* meter.c - clocks and what /proc tells. */
#include <config.h>

#include "meter.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static double clock_seconds(clockid_t id)
{
    struct timespec t;

    return clock_gettime(id, &t) == 0 ? (double)t.tv_sec + (double)t.tv_nsec * 1e-9 : 0;
}

double meter_now(void)
{
    return clock_seconds(CLOCK_MONOTONIC);
}

static double timeval_seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static double own_cpu(void)
{
    struct rusage children;

    getrusage(RUSAGE_CHILDREN, &children);
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID) + timeval_seconds(children.ru_utime) +
           timeval_seconds(children.ru_stime);
}

static double process_cpu(pid_t process)
{
    clockid_t id;

    return process && clock_getcpuclockid(process, &id) == 0 ? clock_seconds(id) : 0;
}

static double all_cpu(const struct meter *meter)
{
    double cpu = own_cpu();

    for (size_t i = 0; i < METER_DAEMONS; i++)
        cpu += process_cpu(meter->daemons[i]);
    return cpu;
}

void meter_start(struct meter *meter)
{
    meter->cpu = all_cpu(meter);
    meter->wall = meter_now();
}

void meter_stop(struct meter *meter)
{
    meter->wall = meter_now() - meter->wall;
    meter->cpu = all_cpu(meter) - meter->cpu;
}

double meter_rss(pid_t process)
{
    char path[64], line[256];
    double kib = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/status", (int)process);
    file = process ? fopen(path, "re") : NULL;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmRSS: %lf", &kib) == 1)
            break;
    if (file)
        fclose(file);
    return kib / 1024;
}

/* The first line of /proc/stat, in ticks: user nice system idle iowait irq softirq steal. */
static void read_machine(struct machine *machine)
{
    uint64_t t[8] = {0};
    double tick = 1.0 / (double)sysconf(_SC_CLK_TCK);
    FILE *file = fopen("/proc/stat", "re");

    if (file) {
        if (fscanf(file,
                   "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
                   " %" SCNu64 " %" SCNu64,
                   &t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]) != 8)
            t[0] = 0;
        fclose(file);
    }
    machine->busy = tick * (double)(t[0] + t[1] + t[2] + t[5] + t[6]);
    machine->stolen = tick * (double)t[7];
    machine->ours = own_cpu();
    machine->wall = meter_now();
}

void machine_start(struct machine *machine)
{
    if (getloadavg(&machine->load, 1) != 1)
        machine->load = 0;
    read_machine(machine);
}

void machine_stop(struct machine *machine)
{
    struct machine now;

    read_machine(&now);
    machine->wall = now.wall - machine->wall;
    machine->busy = now.busy - machine->busy;
    machine->stolen = now.stolen - machine->stolen;
    machine->ours = now.ours - machine->ours;
}
