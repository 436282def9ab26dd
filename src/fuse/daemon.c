/* SPDX-License-Identifier: MIT */
/* daemon.c - standard descriptors, the fork, who hears that it worked. */
#include <config.h>

#include "fuse/daemon.h"

#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* To the process on the terminal; -1 in the foreground, and when it has been told. */
static int report = -1;

static bool fail(struct ggfs_err *err, const char *what)
{
    return ggfs_fail(err, GGFS_ERR_SYSTEM, GGFS_NO_OFFSET, NULL, "%s: %s", what, strerror(errno));
}

bool ggfs_daemon_fill_std(struct ggfs_err *err)
{
    int fd;

    do {
        fd = open("/dev/null", O_RDWR);
        if (fd < 0)
            return fail(err, "/dev/null");
    } while (fd <= STDERR_FILENO);
    close(fd);
    return true;
}

/* After this nothing of the child can fail. */
static void leave_terminal(int null)
{
    setsid();
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        dup2(null, fd);
    ggfs_log_to_syslog();
}

/* The child's sentence, which is empty where it serves. */
static bool hear(int from, struct ggfs_err *err)
{
    char text[sizeof err->text] = "the process in the background was killed";
    ssize_t got;

    do {
        got = read(from, text, sizeof text - 1);
    } while (got < 0 && errno == EINTR);
    if (got == 1 && !text[0])
        return true;
    if (got > 0)
        text[got] = '\0';
    return ggfs_fail(err, GGFS_ERR_SYSTEM, GGFS_NO_OFFSET, NULL, "%s", text);
}

/* One write, which a pipe keeps in one piece. */
static void tell(const char *text, size_t size)
{
    if (report < 0)
        return;
    if (write(report, text, size) < 0)
        ggfs_log(GGFS_LOG_WARNING, "cannot tell the terminal: %s", strerror(errno));
    close(report);
    report = -1;
}

/* ends: of a pipe from the child to the parent. */
static bool part(const int ends[2], int null, bool *parent, struct ggfs_err *err)
{
    pid_t pid = chdir("/") == 0 ? fork() : -1;

    if (pid < 0) {
        fail(err, "cannot go to the background");
        close(ends[1]);
    } else if (pid > 0) {
        close(ends[1]);
        *parent = hear(ends[0], err);
    } else {
        leave_terminal(null);
        report = ends[1];
    }
    close(ends[0]);
    return pid == 0 || *parent;
}

bool ggfs_daemon_detach(bool *parent, struct ggfs_err *err)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    int ends[2];
    bool done;

    *parent = false;
    if (null < 0)
        return fail(err, "/dev/null");
    done = pipe2(ends, O_CLOEXEC) == 0 ? part(ends, null, parent, err) : fail(err, "a pipe");
    close(null);
    return done;
}

static socklen_t address_of(const char *path, struct sockaddr_un *address)
{
    size_t length = strlen(path);

    if (length < 2 || length >= sizeof address->sun_path || (path[0] != '/' && path[0] != '@'))
        return 0;
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    memcpy(address->sun_path, path, length);
    if (path[0] == '@')
        address->sun_path[0] = '\0';
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
}

static void notify(const char *path)
{
    static const char message[] = "READY=1";
    struct sockaddr_un address;
    socklen_t size = address_of(path, &address);
    int fd;

    if (size == 0)
        return;
    fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0 ||
        sendto(fd, message, strlen(message), MSG_NOSIGNAL, (struct sockaddr *)&address, size) < 0)
        ggfs_log(GGFS_LOG_WARNING, "cannot tell the service manager: %s: %s", path,
                 strerror(errno));
    if (fd >= 0)
        close(fd);
}

void ggfs_daemon_ready(void)
{
    const char *manager = getenv("NOTIFY_SOCKET");

    if (report >= 0)
        tell("", 1);
    else if (manager)
        notify(manager);
}

void ggfs_daemon_failed(const struct ggfs_err *err)
{
    tell(err->text, strlen(err->text));
}
