#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clinux_accept4(int listener, struct sockaddr *address, socklen_t *length, int flags) {
    return accept4(listener, address, length, flags);
}

socklen_t clinux_unix_address(const char *path, struct sockaddr_un *address) {
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof address->sun_path) return 0;
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    memcpy(address->sun_path, path, length);
    return (socklen_t)sizeof *address;
}

int clinux_set_thread_name(const char *name) {
    return pthread_setname_np(pthread_self(), name);
}

pid_t clinux_thread_id(void) {
    return (pid_t)syscall(SYS_gettid);
}

int clinux_affinity_count(void) {
    // The kernel refuses a set that is smaller than its own, whose size it doesn't tell, so larger ones are tried.
    for (int processors = 1024; processors <= 1 << 20; processors *= 4) {
        cpu_set_t *set = CPU_ALLOC(processors);
        if (set == NULL) return 0;
        size_t size = CPU_ALLOC_SIZE(processors);
        int result = sched_getaffinity(0, size, set);
        int count = result == 0 ? CPU_COUNT_S(size, set) : 0;
        int error = errno;
        CPU_FREE(set);
        if (result == 0) return count;
        if (error != EINVAL) return 0;
    }
    return 0;
}

int clinux_semaphore_wait_for(sem_t *semaphore, int64_t seconds, int64_t nanoseconds) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += seconds + (until.tv_nsec + nanoseconds) / 1000000000;
    until.tv_nsec = (until.tv_nsec + nanoseconds) % 1000000000;
    return sem_clockwait(semaphore, CLOCK_MONOTONIC, &until);
}
