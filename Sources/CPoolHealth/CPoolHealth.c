#define _GNU_SOURCE
#include "CPoolHealth.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

struct segment_list {
    struct cpoolhealth_segment *segments;
    size_t capacity;
    size_t count;
    int image;
};

static int add_image(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct segment_list *list = context;
    for (int index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[index];
        if (header->p_type != PT_LOAD) continue;
        if (list->count < list->capacity) {
            struct cpoolhealth_segment *segment = &list->segments[list->count];
            segment->start = info->dlpi_addr + header->p_vaddr;
            segment->end = segment->start + header->p_memsz;
            segment->executable = (header->p_flags & PF_X) != 0;
            segment->writable = (header->p_flags & PF_W) != 0;
            segment->image = list->image;
        }
        list->count++;
    }
    list->image++;
    return 0;
}

size_t cpoolhealth_segments(struct cpoolhealth_segment *segments, size_t capacity) {
    struct segment_list list = {segments, capacity, 0, 0};
    dl_iterate_phdr(add_image, &list);
    return list.count;
}

ssize_t cpoolhealth_read(uintptr_t address, void *buffer, size_t count) {
    struct iovec local = {buffer, count};
    struct iovec remote = {(void *)address, count};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
}

int cpoolhealth_list_numbers(int directory, pid_t *numbers, int capacity) {
    // The layout that getdents64(2) documents; not in glibc's headers.
    struct entry {
        uint64_t inode;
        int64_t offset;
        unsigned short length;
        unsigned char type;
        char name[];
    };
    char buffer[8192] __attribute__((aligned(8)));
    int count = 0;
    if (lseek(directory, 0, SEEK_SET) < 0) return -1;
    for (;;) {
        long bytes = syscall(SYS_getdents64, directory, buffer, sizeof buffer);
        if (bytes < 0) return -1;
        if (bytes == 0) return count;
        for (long position = 0; position < bytes;) {
            struct entry *entry = (struct entry *)(buffer + position);
            position += entry->length;
            if (entry->name[0] < '0' || entry->name[0] > '9') continue;
            if (count < capacity) numbers[count] = (pid_t)strtol(entry->name, NULL, 10);
            count++;
        }
    }
}

int cpoolhealth_subdirectories(int directory) {
    struct stat status;
    return fstat(directory, &status) == 0 ? (int)status.st_nlink - 2 : -1;
}

static int activity(int who, struct cpoolhealth_activity *activity) {
    struct rusage usage;
    if (getrusage(who, &usage) != 0) return -1;
    activity->switches = usage.ru_nvcsw + usage.ru_nivcsw;
    activity->cpu_microseconds = (int64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
                                 usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
    return 0;
}

int cpoolhealth_activities(struct cpoolhealth_activity *all, struct cpoolhealth_activity *own) {
    struct cpoolhealth_activity before;
    if (activity(RUSAGE_THREAD, &before) != 0 || activity(RUSAGE_SELF, all) != 0 || activity(RUSAGE_THREAD, own) != 0) {
        return -1;
    }
    return own->switches == before.switches ? 0 : 1;
}

int cpoolhealth_event_descriptor(void) {
    return eventfd(0, EFD_CLOEXEC);
}

// Declared here and not by <dispatch/dispatch.h>, which would bring Dispatch's modules into this one.
extern void *dispatch_get_global_queue(intptr_t identifier, uintptr_t flags);

uintptr_t cpoolhealth_root_queue(unsigned int quality_of_service, int overcommit) {
    // 2 is DISPATCH_QUEUE_OVERCOMMIT of libdispatch's private headers; without support for it the answer is NULL.
    return (uintptr_t)dispatch_get_global_queue((intptr_t)quality_of_service, overcommit ? 2 : 0);
}

extern const char swift_job_run[];

uintptr_t cpoolhealth_job_run(void) {
    return (uintptr_t)swift_job_run;
}

__attribute__((noinline)) int cpoolhealth_await_event(int descriptor) {
    uint64_t count;
    ssize_t bytes;
    do {
        bytes = read(descriptor, &count, sizeof count);
    } while (bytes < 0 && errno == EINTR);
    return bytes == sizeof count ? 0 : -1;
}

uintptr_t cpoolhealth_await_event_start(void) {
    return (uintptr_t)cpoolhealth_await_event;
}

int cpoolhealth_has_symbols(void) {
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ElfW(Ehdr) header;
    int found = 0;
    if (pread(file, &header, sizeof header, 0) == sizeof header && header.e_shentsize == sizeof(ElfW(Shdr))) {
        for (int index = 0; index < header.e_shnum && !found; index++) {
            ElfW(Shdr) section;
            off_t offset = (off_t)(header.e_shoff + (size_t)index * sizeof section);
            if (pread(file, &section, sizeof section, offset) != sizeof section) break;
            found = section.sh_type == SHT_SYMTAB;
        }
    }
    close(file);
    return found;
}

const char *cpoolhealth_symbol(uintptr_t address, const char **image, uintptr_t *offset) {
    Dl_info info;
    *image = NULL;
    *offset = 0;
    if (dladdr((void *)address, &info) == 0) return NULL;
    *image = info.dli_fname;
    *offset = address - (uintptr_t)(info.dli_sname != NULL ? info.dli_saddr : info.dli_fbase);
    return info.dli_sname;
}

enum cpoolhealth_wait cpoolhealth_wait_of(long system_call) {
    switch (system_call) {
    case SYS_futex:
#ifdef SYS_futex_waitv
    case SYS_futex_waitv:
#endif
        return CPOOLHEALTH_WAIT_FUTEX;
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
        return CPOOLHEALTH_WAIT_SLEEP;
#ifdef SYS_poll
    case SYS_poll:
    case SYS_select:
    case SYS_epoll_wait:
#endif
    case SYS_ppoll:
    case SYS_pselect6:
    case SYS_epoll_pwait:
        return CPOOLHEALTH_WAIT_POLL;
    case SYS_read:
    case SYS_readv:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_accept:
    case SYS_accept4:
        return CPOOLHEALTH_WAIT_READ;
    case SYS_pread64:
    case SYS_preadv:
    case SYS_pwrite64:
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_openat:
        return CPOOLHEALTH_WAIT_DISK;
    case SYS_connect:
        return CPOOLHEALTH_WAIT_CONNECT;
    case SYS_wait4:
    case SYS_waitid:
        return CPOOLHEALTH_WAIT_CHILD;
    default:
        return CPOOLHEALTH_WAIT_OTHER;
    }
}

static pthread_key_t trimming;
static pthread_once_t trimming_once = PTHREAD_ONCE_INIT;
static char first_round, second_round;

// Destructors run in no order, but those of values that a destructor has set anew run after all others (POSIX,
// pthread_key_create).
static void trim(void *round) {
    if (round == &first_round) {
        pthread_setspecific(trimming, &second_round);
    } else {
        malloc_trim(0);
    }
}

static void create_trimming(void) {
    pthread_key_create(&trimming, trim);
}

void cpoolhealth_trim_at_thread_end(void) {
    pthread_once(&trimming_once, create_trimming);
    pthread_setspecific(trimming, &first_round);
}

void cpoolhealth_abort(void) {
    abort();
}
