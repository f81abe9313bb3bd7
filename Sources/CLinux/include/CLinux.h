#ifndef CLINUX_H
#define CLINUX_H

// What Glibc's Swift overlay lacks: flags of Linux's own, and C functions that are variadic.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static inline int clinux_accept4(int listener, struct sockaddr *address, socklen_t *length, int flags) {
    return accept4(listener, address, length, flags);
}

static inline int clinux_set_thread_name(const char *name) {
    return pthread_setname_np(pthread_self(), name);
}

static inline pid_t clinux_thread_id(void) {
    return (pid_t)syscall(SYS_gettid);
}

// Waits for a semaphore at most so long on the monotonic clock. 0, or -1 with errno ETIMEDOUT or EINTR.
static inline int clinux_semaphore_wait_for(sem_t *semaphore, int64_t seconds, int64_t nanoseconds) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += seconds + (until.tv_nsec + nanoseconds) / 1000000000;
    until.tv_nsec = (until.tv_nsec + nanoseconds) % 1000000000;
    return sem_clockwait(semaphore, CLOCK_MONOTONIC, &until);
}

#endif
