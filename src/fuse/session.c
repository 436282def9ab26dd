/* SPDX-License-Identifier: MIT */
/* session.c - the session with the kernel: made, mounted, started, served, undone. */
#include <config.h>

#include "fuse/session.h"

#include "base/log.h"
#include "fuse/api.h"
#include "fuse/caretaker.h"
#include "fuse/daemon.h"
#include "fuse/fs.h"
#include "fuse/liblog.h"
#include "fuse/meant.h"
#include "fuse/mountpoint.h"
#include "fuse/ops.h"
#include "fuse/read.h"
#include "fuse/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* More than four never helped; with one, a slow request would block every ls. */
#define MIN_THREADS 2
#define MAX_THREADS 4

/* How a server ends that was told to, with a mount that is left to its caretaker. */
#define MOUNT_LEFT 64

/* Everything that one run holds. */
struct run {
    struct ggfs_options *options;
    struct ggfs_fs fs;
    struct fuse_session *session;
    char *mountpoint;
    bool signals, mounted, reading;
    bool signalled; /* to end before it began */
};

static bool in_foreground(const struct run *run)
{
    return run->options->foreground || run->options->debug;
}

/* What libfuse says names the options that it does not know: "unknown option(s): `-o LIST'". */
static bool refuse_options(struct ggfs_err *err)
{
    const char *said = ggfs_liblog_held("libfuse refuses the mount options");
    const char *list = strstr(said, "`-o ");
    char meant[GGFS_MEANT] = "";

    if (list)
        ggfs_meant(list + strlen("`-o "), "=,'", meant);
    return ggfs_fail(err, GGFS_ERR_USAGE, GGFS_NO_OFFSET, NULL, "%s%s; see ggfs --help", said,
                     meant);
}

/* Judges what is left of the options, so it comes before anything that costs time. */
static bool make_session(struct run *run, struct ggfs_err *err)
{
    char *source = ggfs_mountpoint_source(run->options->model, err);
    bool complete = source && ggfs_options_complete(run->options, source, err);

    free(source);
    if (!complete)
        return false;
    errno = 0;
    run->session = fuse_session_new(&run->options->args, &ggfs_ops, sizeof ggfs_ops, &run->fs);
    if (run->session)
        return true;
    if (errno == ENOMEM)
        return ggfs_fail_memory(err, 0);
    return refuse_options(err);
}

static bool refuse_mount(struct run *run, const char *what, const char *why, struct ggfs_err *err)
{
    ggfs_err_init(err, run->options->mountpoint);
    return ggfs_fail(err, GGFS_ERR_MOUNT, GGFS_NO_OFFSET, NULL, "%s%s", what, why);
}

/* What libfuse has failed of, by errno: memory and descriptors are no fault of the mount's. */
static bool fail_mount(struct run *run, int number, struct ggfs_err *err)
{
    const char *said = ggfs_liblog_held("fusermount3 refuses");

    if (number == ENOMEM)
        return ggfs_fail_memory(err, 0);
    if (number == EMFILE || number == ENFILE)
        return ggfs_fail(err, GGFS_ERR_SYSTEM, GGFS_NO_OFFSET, NULL, "cannot mount: %s", said);
    return refuse_mount(run, "cannot mount: ", said, err);
}

static bool mount_claimed(struct run *run, struct ggfs_err *err)
{
    /* The signal handlers come first: a signal between would leave the mount behind. */
    if (fuse_set_signal_handlers(run->session) != 0)
        return ggfs_fail(err, GGFS_ERR_SYSTEM, GGFS_NO_OFFSET, NULL, "cannot handle signals");
    run->signals = true;
    ggfs_caretaker_guard();
    errno = 0;
    if (fuse_session_mount(run->session, run->mountpoint) != 0)
        return fail_mount(run, errno, err);
    run->mounted = true;
    return ggfs_init_patch_install(run->session) || ggfs_fail_memory(err, 0);
}

static bool mount_session(struct run *run, struct ggfs_err *err)
{
    bool done;
    int lock;

    if (!ggfs_mountpoint_claim(run->mountpoint, &lock, err))
        return false;
    done = mount_claimed(run, err);
    if (lock >= 0)
        close(lock);
    return done;
}

/* The session ended before INIT. That is what a signal asks for in the foreground; a command that
 * should leave a mount behind has failed. A loop that has nothing to do tells which it was. */
static bool explain_end(struct run *run, struct ggfs_err *err)
{
    run->signalled = fuse_session_exited(run->session) && fuse_session_loop(run->session) > 0;
    if (run->signalled && in_foreground(run))
        return true;
    return refuse_mount(run, "cannot mount: ",
                        run->signalled ? "ended by a signal" : ggfs_liblog_held("no connection"),
                        err);
}

/* The kernel's first request, INIT, answered while there is still a terminal to complain on. */
static bool start_session(struct run *run, struct ggfs_err *err)
{
    struct fuse_buf request = {0};
    int got;

    do {
        got = fuse_session_receive_buf(run->session, &request);
    } while ((got == -EINTR || got == -EAGAIN) && !fuse_session_exited(run->session));
    if (got > 0)
        fuse_session_process_buf(run->session, &request);
    free(request.mem);
    if (got == -ENOMEM)
        return ggfs_fail_memory(err, 0);
    if (!run->fs.started)
        return explain_end(run, err);
    if (run->fs.cache == GGFS_CACHE_DIRECT && !run->fs.patch.granted)
        return refuse_mount(run, "cache=direct: this kernel would not let such files be mapped",
                            "; use cache=auto", err);
    return true;
}

static unsigned int count_threads(void)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : MIN_THREADS;

    return n < MIN_THREADS ? MIN_THREADS : n > MAX_THREADS ? MAX_THREADS : (unsigned)n;
}

static int loop_threads(struct fuse_session *session)
{
    struct fuse_loop_config *config = fuse_loop_cfg_create();
    int result;

    if (!config)
        return -ENOMEM;
    fuse_loop_cfg_set_max_threads(config, count_threads());
    fuse_loop_cfg_set_idle_threads(config, count_threads());
    fuse_loop_cfg_set_clone_fd(config, 0);
    result = fuse_session_loop_mt(session, config);
    fuse_loop_cfg_destroy(config);
    return result;
}

static int loop_once(struct run *run)
{
    int result;

    if (run->options->single)
        return fuse_session_loop(run->session);
    result = loop_threads(run->session);
    /* libfuse has -1 for a thread that cannot be started. */
    if (result != -1 || fuse_session_exited(run->session))
        return result;
    ggfs_log(GGFS_LOG_WARNING, "threads cannot be started; one serves alone");
    run->options->single = true;
    return fuse_session_loop(run->session);
}

/* A thread without memory for its buffer ends the loop. That is no reason to end the mount at once;
 * but nobody shall wait for ever. */
static int loop(struct run *run)
{
    static const struct timespec pause = {0, 100 * 1000 * 1000};
    int result = loop_once(run);

    if (result == -ENOMEM)
        ggfs_log(GGFS_LOG_WARNING, "no memory to serve with; trying again for five seconds");
    for (int i = 0; i < 50 && result == -ENOMEM; i++) {
        nanosleep(&pause, NULL);
        result = loop_once(run);
    }
    return result;
}

/* A positive result is the number of the signal that ended the loop, which is a good end; 0 means
 * that the kernel has ended it, because the mount is gone. */
static bool serve(struct run *run, bool *gone, struct ggfs_err *err)
{
    int result = loop(run);

    *gone = result == 0;
    if (result >= 0)
        return true;
    return ggfs_fail(err, GGFS_ERR_SYSTEM, GGFS_NO_OFFSET, NULL, "serving ended: %s",
                     strerror(-result));
}

/* Paths are made absolute before the mount, which may hide what they lead through. */
static bool open_model(struct run *run, struct ggfs_err *err)
{
    return ggfs_fs_open(&run->fs, run->options, err) &&
           (in_foreground(run) || ggfs_fs_absolute(&run->fs, err));
}

static bool prepare(struct run *run, struct ggfs_err *err)
{
    if (!make_session(run, err))
        return false;
    run->mountpoint = ggfs_mountpoint_resolve(run->options->mountpoint, err);
    if (!run->mountpoint)
        return false;
    if (run->options->others && !ggfs_mountpoint_may_share(err))
        return false;
    run->reading = ggfs_read_start(err);
    return run->reading && open_model(run, err) && mount_session(run, err) &&
           start_session(run, err);
}

static void undo(struct run *run)
{
    if (run->mounted)
        fuse_session_unmount(run->session);
    if (run->signals)
        fuse_remove_signal_handlers(run->session);
    if (run->session)
        fuse_session_destroy(run->session);
    if (run->reading)
        ggfs_read_stop();
    ggfs_fs_close(&run->fs);
    free(run->mountpoint);
}

static void enter_sandbox(struct run *run)
{
    if (ggfs_sandbox_enter() || run->options->single)
        return;
    ggfs_log(GGFS_LOG_WARNING, "libgcc_s cannot be loaded, which threads need; one serves alone");
    run->options->single = true;
}

/* In its sandbox a server may not unmount. */
static bool be_server(struct run *run, int *status, struct ggfs_err *err)
{
    bool done, gone;

    if (!run->options->no_sandbox)
        enter_sandbox(run);
    done = serve(run, &gone, err);
    ggfs_caretaker_deafen();
    run->mounted = gone || run->options->no_sandbox;
    *status = run->mounted ? 0 : MOUNT_LEFT;
    if (!run->mounted && ggfs_caretaker_is_gone())
        ggfs_log(GGFS_LOG_WARNING,
                 "%s: a dead mount is left, as its caretaker was killed; "
                 "remove it with: fusermount3 -u %s",
                 run->mountpoint, run->mountpoint);
    return done;
}

/* The connection has to end with the server: the caretaker gives up its descriptor of it, and the
 * model with all memory. What is left of the session can still unmount. */
static void let_go(struct run *run)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    close(fuse_session_fd(run->session));
    if (null >= 0) {
        dup3(null, fuse_session_fd(run->session), O_CLOEXEC);
        close(null);
    }
    ggfs_fs_close(&run->fs);
}

/* What is found in the place of a mount that was not gone when the server was, and does not answer,
 * is that mount. Looking would keep another that has taken its place busy for a moment. */
static bool be_caretaker(struct run *run, pid_t server, int *status, struct ggfs_err *err)
{
    bool done;

    let_go(run);
    ggfs_daemon_ready();
    ggfs_err_init(err, run->mountpoint);
    done = ggfs_caretaker_wait(server, status, err);
    run->mounted = !(done && *status == 0) && ggfs_mountpoint_is_dead(run->mountpoint);
    if (*status == MOUNT_LEFT || *status == GGFS_CARETAKER_KILLED)
        *status = 0;
    return done;
}

/* In the background nobody but the process on the terminal could hear of a failure, and the mount
 * is still that one's to undo. */
static bool split(struct run *run, struct ggfs_end *end, struct ggfs_err *err)
{
    bool background = !in_foreground(run);
    pid_t server;

    if (background && !ggfs_daemon_detach(&end->at_once, err))
        return false;
    if (end->at_once)
        return true;
    if (!ggfs_caretaker_fork(&server, err)) {
        ggfs_daemon_failed(err);
        end->at_once = background;
        return false;
    }
    ggfs_liblog_pass();
    return server == 0 ? be_server(run, &end->status, err)
                       : be_caretaker(run, server, &end->status, err);
}

bool ggfs_session_run(struct ggfs_options *options, struct ggfs_end *end, struct ggfs_err *err)
{
    struct run run = {.options = options};
    bool done;

    *end = (struct ggfs_end){.status = 0};
    done = prepare(&run, err) && (run.signalled || split(&run, end, err));
    if (!end->at_once)
        undo(&run);
    return done;
}
