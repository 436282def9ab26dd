/* SPDX-License-Identifier: MIT */
/* daemon.c - standard descriptors, the fork, sd_notify's datagram. */
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
    close(null);
    ggfs_log_to_syslog();
}

bool ggfs_daemon_detach(bool *parent, struct ggfs_err *err)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    pid_t pid;

    if (null < 0)
        return fail(err, "/dev/null");
    if (chdir("/") != 0 || (pid = fork()) < 0) {
        fail(err, "cannot go to the background");
        close(null);
        return false;
    }
    *parent = pid != 0;
    if (pid == 0)
        leave_terminal(null);
    return true;
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

void ggfs_daemon_ready(void)
{
    static const char message[] = "READY=1";
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address;
    socklen_t size = path ? address_of(path, &address) : 0;
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
