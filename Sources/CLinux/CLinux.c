#define _GNU_SOURCE
#include "CLinux.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clinux_accept4(int listener, struct sockaddr *address, socklen_t *length, int flags) {
    return accept4(listener, address, length, flags);
}

int clinux_set_thread_name(const char *name) {
    return pthread_setname_np(pthread_self(), name);
}

pid_t clinux_thread_id(void) {
    return (pid_t)syscall(SYS_gettid);
}

int clinux_semaphore_wait_for(sem_t *semaphore, int64_t seconds, int64_t nanoseconds) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += seconds + (until.tv_nsec + nanoseconds) / 1000000000;
    until.tv_nsec = (until.tv_nsec + nanoseconds) % 1000000000;
    return sem_clockwait(semaphore, CLOCK_MONOTONIC, &until);
}
