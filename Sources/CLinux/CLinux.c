#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <linux/sockios.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int argument_count;
static char **arguments;

// glibc gives what runs before main() the same parameters.
__attribute__((constructor)) static void keep_arguments(int count, char **words) {
    argument_count = count;
    arguments = words;
}

const char *clinux_argument(int index) {
    return index >= 0 && index < argument_count ? arguments[index] : NULL;
}

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

void clinux_map_blocks_from(int bytes) {
    mallopt(M_MMAP_THRESHOLD, bytes);
    // As malloc has it when it chooses the bound itself. A fixed bound would leave the trimming at 128 KiB, and what a
    // small picture takes would be given back and faulted in again for each one.
    mallopt(M_TRIM_THRESHOLD, 2 * bytes);
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

int clinux_epoll_create(void) {
    return epoll_create1(EPOLL_CLOEXEC);
}

int clinux_epoll_watch(int epoll, int descriptor, uint64_t token, int reads, int writes, int is_known) {
    struct epoll_event event = {.events = (reads ? EPOLLIN : 0) | (writes ? EPOLLOUT : 0), .data.u64 = token};
    return epoll_ctl(epoll, is_known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, &event);
}

int clinux_epoll_ready(int epoll, struct clinux_readiness *ready, int capacity) {
    struct epoll_event events[64];
    int limit = capacity < 64 ? capacity : 64;
    int count;
    do {
        count = epoll_wait(epoll, events, limit, 0);
    } while (count < 0 && errno == EINTR);
    for (int index = 0; index < count; index++) {
        int is_over = (events[index].events & (EPOLLERR | EPOLLHUP)) != 0;
        ready[index].token = events[index].data.u64;
        ready[index].reads = is_over || (events[index].events & EPOLLIN) != 0;
        ready[index].writes = is_over || (events[index].events & EPOLLOUT) != 0;
    }
    return count;
}

int clinux_epoll_watch_hang_up(int epoll, int descriptor, int finishes) {
    struct epoll_event event = {.events = EPOLLONESHOT | (finishes ? EPOLLRDHUP : 0), .data.fd = descriptor};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

int clinux_epoll_forget(int epoll, int descriptor) {
    return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, NULL);
}

int clinux_epoll_next_hang_up(int epoll, int *descriptor) {
    struct epoll_event event;
    int count;
    do {
        count = epoll_wait(epoll, &event, 1, 0);
    } while (count < 0 && errno == EINTR);
    if (count < 1) return 0;
    *descriptor = event.data.fd;
    return (event.events & (EPOLLERR | EPOLLHUP)) ? 2 : 1;
}

int clinux_send_queue_bytes(int descriptor) {
    int count;
    return ioctl(descriptor, SIOCOUTQ, &count) == 0 ? count : -1;
}

int clinux_spawn_without_descriptors(posix_spawn_file_actions_t *actions, int lowest) {
    return posix_spawn_file_actions_addclosefrom_np(actions, lowest);
}
