// POOL_STRICT: ends a program whose Swift jobs block the thread that they run on.
//
// A library to be preloaded. It stands in front of the C library's calls that wait. Such a call that would really wait,
// on a thread that is in the middle of a Swift job, writes its name and the stack to standard error and aborts. All
// other calls go on as they came.
//
// Whether a thread runs a job is read from its stack: the runtime's `swift_job_run` is one of the callers. Names of
// threads say nothing, and threads of the pool serve Dispatch's blocks too, which are not looked at. The main actor's
// jobs are not either: its queue belongs to no pool, also where another thread than the first one serves it, as
// Dispatch on Linux has it once an `async` main has been suspended. Jobs of executors with threads of their own are.
//
// Locks are held for short sections, and a job may wait for one. It is a fault when one thread keeps it for
// `lock_limit_ms`, asleep or computing: a holder that is only not given a processor is not to blame. Other futexes have
// that limit too, since Dispatch's locks are made of them.
//
// What it can't see: the C library's calls to itself (`fgets`, a static library's resolver), system calls that don't go
// through the C library, files on slow disks, `pthread_once`, computing. Where the program's table of symbols was
// stripped, nothing.
//
// Environment: with POOL_STRICT_REPORT=FILE faults are written to the end of the file, and the program goes on.
// POOL_STRICT_LOCK_MS sets the limit for locks.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <linux/futex.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

enum { most_frames = 128, most_text = 32768 };

// The C library's own function behind one of ours. These have had two versions, and dlsym(3) gives the older one.
#if defined(__x86_64__)
static const char condition_version[] = "GLIBC_2.3.2";
#else
static const char condition_version[] = "GLIBC_2.17";
#endif

#define REAL(name)                                                                                                     \
    ({                                                                                                                 \
        static __typeof__(&name) found;                                                                                \
        __typeof__(&name) real = __atomic_load_n(&found, __ATOMIC_RELAXED);                                            \
        if (real == NULL) {                                                                                            \
            real = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                                                         \
            __atomic_store_n(&found, real, __ATOMIC_RELAXED);                                                          \
        }                                                                                                              \
        real;                                                                                                          \
    })

#define REAL_CONDITION(name)                                                                                           \
    ({                                                                                                                 \
        static __typeof__(&name) found;                                                                                \
        __typeof__(&name) real = __atomic_load_n(&found, __ATOMIC_RELAXED);                                            \
        if (real == NULL) {                                                                                            \
            real = (__typeof__(&name))dlvsym(RTLD_NEXT, #name, condition_version);                                     \
            if (real == NULL) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                                       \
            __atomic_store_n(&found, real, __ATOMIC_RELAXED);                                                          \
        }                                                                                                              \
        real;                                                                                                          \
    })

// Set before main() and only read afterwards.
static uintptr_t job_run_start, job_run_end;
// dispatch_queue_get_label(3), which tells of the current queue if given none.
static const char *(*queue_label)(const void *queue);
static int lock_limit_ms = 10;
// Where faults go; -1: to standard error, and they end the program.
static int report = -1;
static const char *program;
static uintptr_t program_base;

// What we call while we judge a call is not judged. Of the initial-exec model, which never allocates.
static __thread bool is_judging __attribute__((tls_model("initial-exec")));

// MARK: Symbols

// The function of the program's own table, which the dynamic linker doesn't read, at an offset or, if `name` is given,
// with that name.
static const char *program_symbol(uintptr_t offset, const char *name, Elf64_Sym *found) {
    if (program == NULL) return NULL;
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)program;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(program + header->e_shoff);
    for (int i = 0; i < header->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB) continue;
        const Elf64_Sym *symbols = (const Elf64_Sym *)(program + sections[i].sh_offset);
        const char *names = program + sections[sections[i].sh_link].sh_offset;
        for (size_t s = 0; s < sections[i].sh_size / sizeof *symbols; s++) {
            if (ELF64_ST_TYPE(symbols[s].st_info) != STT_FUNC || symbols[s].st_value == 0) continue;
            bool fits = name != NULL
                            ? strcmp(names + symbols[s].st_name, name) == 0
                            : offset >= symbols[s].st_value && offset - symbols[s].st_value < symbols[s].st_size;
            if (!fits) continue;
            *found = symbols[s];
            return names + symbols[s].st_name;
        }
    }
    return NULL;
}

static void map_program(void) {
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat status;
    if (fstat(file, &status) == 0 && (size_t)status.st_size > sizeof(Elf64_Ehdr)) {
        void *mapped = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (mapped != MAP_FAILED) {
            const Elf64_Ehdr *header = mapped;
            size_t sections_end = header->e_shoff + (size_t)header->e_shnum * sizeof(Elf64_Shdr);
            if (memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && sections_end <= (size_t)status.st_size) {
                program = mapped;
            }
        }
    }
    close(file);
}

// Where a function of the runtime or of Dispatch starts; 0 if there is none. A program which has these linked in doesn't
// show them to the dynamic linker.
static uintptr_t find_function(const char *name, size_t *size) {
    void *shared = dlsym(RTLD_DEFAULT, name);
    Dl_info info;
    Elf64_Sym *symbol = NULL;
    if (shared != NULL && dladdr1(shared, &info, (void **)&symbol, RTLD_DL_SYMENT) != 0 && symbol != NULL) {
        *size = symbol->st_size;
        return (uintptr_t)shared;
    }
    Elf64_Sym own;
    if (program_symbol(0, name, &own) == NULL) return 0;
    *size = own.st_size;
    return program_base + own.st_value;
}

__attribute__((constructor)) static void prepare(void) {
    const char *file = getenv("POOL_STRICT_REPORT");
    if (file != NULL) report = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const char *limit = getenv("POOL_STRICT_LOCK_MS");
    if (limit != NULL && atoi(limit) > 0) lock_limit_ms = atoi(limit);
    // The first call loads the unwinder.
    void *frames[1];
    backtrace(frames, 1);
    map_program();
    // The first in the list is the program.
    struct link_map *map = NULL;
    void *handle = dlopen(NULL, RTLD_LAZY | RTLD_NOLOAD);
    if (handle != NULL && dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map != NULL) program_base = map->l_addr;
    size_t size = 0;
    queue_label = (const char *(*)(const void *))find_function("dispatch_queue_get_label", &size);
    job_run_start = find_function("swift_job_run", &size);
    job_run_end = job_run_start + size;
}

// MARK: Judging

// Whether a word on the stack might be an address within swift_job_run: where there is none, there is no job, and the
// stack needn't be unwound, which takes longer.
__attribute__((noinline)) static bool may_run_job(void) {
    static __thread uintptr_t stack_end __attribute__((tls_model("initial-exec")));
    if (stack_end == 0) {
        pthread_attr_t attributes;
        void *start = NULL;
        size_t size = 0;
        if (pthread_getattr_np(pthread_self(), &attributes) != 0) return true;
        pthread_attr_getstack(&attributes, &start, &size);
        pthread_attr_destroy(&attributes);
        stack_end = (uintptr_t)start + size;
    }
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    // A stack of somebody's own making.
    if (here >= stack_end) return true;
    for (const uintptr_t *word = (const uintptr_t *)here; word < (const uintptr_t *)stack_end; word++) {
        if (*word > job_run_start && *word < job_run_end) return true;
    }
    return false;
}

static bool runs_job(void) {
    if (job_run_start == 0 || is_judging) return false;
    is_judging = true;
    const char *label = queue_label != NULL ? queue_label(NULL) : NULL;
    bool is_main = gettid() == getpid() || (label != NULL && strcmp(label, "com.apple.main-thread") == 0);
    if (is_main || !may_run_job()) {
        is_judging = false;
        return false;
    }
    void *frames[most_frames];
    int count = backtrace(frames, most_frames);
    is_judging = false;
    for (int i = 0; i < count; i++) {
        uintptr_t address = (uintptr_t)frames[i];
        if (address > job_run_start && address < job_run_end) return true;
    }
    return false;
}

__attribute__((format(printf, 3, 4))) static void append(char *text, size_t *length, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int added = vsnprintf(text + *length, most_text - *length, format, arguments);
    va_end(arguments);
    if (added > 0) *length += (size_t)added;
    if (*length >= most_text) *length = most_text - 1;
}

// A job has called what waits. The text is static: a worker's stack may be short.
static void fault(const char *call, const char *detail) {
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    static char text[most_text];
    is_judging = true;
    REAL(pthread_mutex_lock)(&one_at_a_time);
    size_t length = 0;
    append(text, &length, "POOL_STRICT: %s blocks a thread that runs a Swift job%s\n", call, detail);
    void *frames[most_frames];
    int count = backtrace(frames, most_frames);
    // 0 is this function, 1 the one that stands in front of the C library's.
    for (int i = 2; i < count; i++) {
        // The call, and not where it will come back to.
        uintptr_t address = (uintptr_t)frames[i] - 1;
        Dl_info info = {0};
        Elf64_Sym symbol;
        dladdr((void *)address, &info);
        bool is_own = (uintptr_t)info.dli_fbase == program_base;
        const char *name = is_own ? program_symbol(address - program_base, NULL, &symbol) : info.dli_sname;
        const char *image = info.dli_fname != NULL ? info.dli_fname : "?";
        append(
            text, &length, "    %s (%s+0x%lx)\n", name != NULL ? name : "?", image,
            (unsigned long)(address - (uintptr_t)info.dli_fbase));
        if (address >= job_run_start && address < job_run_end) break;
    }
    ssize_t written = REAL(write)(report >= 0 ? report : STDERR_FILENO, text, length);
    if (report < 0 || written < 0) abort();
    REAL(pthread_mutex_unlock)(&one_at_a_time);
    is_judging = false;
}

// For calls that wait for certain.
static void judge(const char *call) {
    int error = errno;
    if (runs_job()) fault(call, "");
    errno = error;
}

static bool is_not_ready(int descriptor, short events) {
    struct pollfd one = {.fd = descriptor, .events = events};
    return REAL(poll)(&one, 1, 0) == 0;
}

// For calls that wait if the descriptor is a blocking one and has nothing to give or no room.
static void judge_descriptor(const char *call, int descriptor, short events) {
    if (job_run_start == 0) return;
    int error = errno;
    int flags = fcntl(descriptor, F_GETFL);
    if (flags >= 0 && (flags & O_NONBLOCK) == 0 && is_not_ready(descriptor, events)) judge(call);
    errno = error;
}

static struct timespec limit_from_now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    time.tv_sec += lock_limit_ms / 1000;
    time.tv_nsec += lock_limit_ms % 1000 * 1000000L;
    if (time.tv_nsec >= 1000000000L) {
        time.tv_sec += 1;
        time.tv_nsec -= 1000000000L;
    }
    return time;
}

// MARK: Sleeping

EXPORTED int nanosleep(const struct timespec *time, struct timespec *rest) {
    judge("nanosleep");
    return REAL(nanosleep)(time, rest);
}

EXPORTED int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
    judge("clock_nanosleep");
    return REAL(clock_nanosleep)(clock, flags, time, rest);
}

EXPORTED int usleep(useconds_t microseconds) {
    judge("usleep");
    return REAL(usleep)(microseconds);
}

EXPORTED unsigned int sleep(unsigned int seconds) {
    judge("sleep");
    return REAL(sleep)(seconds);
}

EXPORTED int pause(void) {
    judge("pause");
    return REAL(pause)();
}

// MARK: Semaphores

EXPORTED int sem_wait(sem_t *semaphore) {
    if (sem_trywait(semaphore) == 0) return 0;
    judge("sem_wait");
    return REAL(sem_wait)(semaphore);
}

EXPORTED int sem_timedwait(sem_t *semaphore, const struct timespec *deadline) {
    if (sem_trywait(semaphore) == 0) return 0;
    judge("sem_timedwait");
    return REAL(sem_timedwait)(semaphore, deadline);
}

EXPORTED int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline) {
    if (sem_trywait(semaphore) == 0) return 0;
    judge("sem_clockwait");
    return REAL(sem_clockwait)(semaphore, clock, deadline);
}

// MARK: Locks

// What a thread is at: its state's letter, and the nanoseconds that it has run for. False if there is no such thread.
static bool look_at(pid_t thread, char *state, unsigned long long *ran) {
    static const char *const names[] = {"stat", "schedstat"};
    for (int i = 0; i < 2; i++) {
        char path[64], text[512];
        snprintf(path, sizeof path, "/proc/self/task/%d/%s", thread, names[i]);
        int file = open(path, O_RDONLY | O_CLOEXEC);
        ssize_t length = file >= 0 ? REAL(read)(file, text, sizeof text - 1) : -1;
        if (file >= 0) close(file);
        if (length <= 0) return false;
        text[length] = 0;
        // "1234 (name) S ..." and "4567 ...".
        char *after_name = strrchr(text, ')');
        if (i == 0 && (after_name == NULL || sscanf(after_name + 1, " %c", state) != 1)) return false;
        if (i == 1 && sscanf(text, "%llu", ran) != 1) return false;
    }
    return true;
}

// A thread that holds a lock, at the beginning of a wait for it.
struct holder {
    pid_t thread;
    char state;
    unsigned long long ran;
};

static struct holder holder_now(pid_t thread) {
    struct holder holder = {.thread = thread};
    if (thread == 0 || !look_at(thread, &holder.state, &holder.ran)) holder.thread = 0;
    return holder;
}

// After a wait that took the limit: whether the same thread has kept the lock, and for another reason than that it was
// given no processor. If so, `detail` tells of it.
static bool is_to_blame(struct holder before, pid_t thread, char *detail, size_t capacity) {
    struct holder now = holder_now(thread);
    if (now.thread == 0 || now.thread != before.thread) return false;
    unsigned long long ran = now.ran - before.ran;
    bool slept = before.state != 'R' && now.state != 'R' && ran == 0;
    if (!slept && ran < lock_limit_ms * 1000000ULL / 2) return false;
    snprintf(
        detail, capacity, ": thread %d has kept it for %d ms, in state %c, computing for %llu us", thread, lock_limit_ms,
        now.state, ran / 1000);
    return true;
}

static int lock_within_limit(pthread_mutex_t *mutex) {
    struct timespec limit = limit_from_now(CLOCK_MONOTONIC);
    int result = pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &limit);
    if (result != EINVAL) return result;
    // A mutex with priority inheritance knows one clock only.
    limit = limit_from_now(CLOCK_REALTIME);
    return pthread_mutex_timedlock(mutex, &limit);
}

EXPORTED int pthread_mutex_lock(pthread_mutex_t *mutex) {
    if (job_run_start == 0 || is_judging) return REAL(pthread_mutex_lock)(mutex);
    int result = pthread_mutex_trylock(mutex);
    if (result != EBUSY) return result;
    result = lock_within_limit(mutex);
    if (result != ETIMEDOUT) return result;
    if (!runs_job()) return REAL(pthread_mutex_lock)(mutex);
    char detail[128] = "";
    struct holder before;
    do {
        before = holder_now(mutex->__data.__owner);
        result = lock_within_limit(mutex);
        if (result != ETIMEDOUT) return result;
    } while (!is_to_blame(before, mutex->__data.__owner, detail, sizeof detail));
    fault("pthread_mutex_lock", detail);
    return REAL(pthread_mutex_lock)(mutex);
}

EXPORTED int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    if (job_run_start == 0) return REAL(pthread_rwlock_rdlock)(lock);
    struct timespec limit = limit_from_now(CLOCK_MONOTONIC);
    int result = pthread_rwlock_clockrdlock(lock, CLOCK_MONOTONIC, &limit);
    if (result != ETIMEDOUT) return result;
    judge("pthread_rwlock_rdlock");
    return REAL(pthread_rwlock_rdlock)(lock);
}

EXPORTED int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    if (job_run_start == 0) return REAL(pthread_rwlock_wrlock)(lock);
    struct timespec limit = limit_from_now(CLOCK_MONOTONIC);
    int result = pthread_rwlock_clockwrlock(lock, CLOCK_MONOTONIC, &limit);
    if (result != ETIMEDOUT) return result;
    judge("pthread_rwlock_wrlock");
    return REAL(pthread_rwlock_wrlock)(lock);
}

// Within a job a wait gets a limit first. It may end without a signal, which these calls are allowed to do.
static bool is_signalled_soon(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    struct timespec limit = limit_from_now(CLOCK_MONOTONIC);
    return REAL(pthread_cond_clockwait)(condition, mutex, CLOCK_MONOTONIC, &limit) != ETIMEDOUT;
}

EXPORTED int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    if (runs_job()) {
        if (is_signalled_soon(condition, mutex)) return 0;
        fault("pthread_cond_wait", "");
    }
    return REAL_CONDITION(pthread_cond_wait)(condition, mutex);
}

EXPORTED int pthread_cond_timedwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline) {
    if (runs_job()) {
        if (is_signalled_soon(condition, mutex)) return 0;
        fault("pthread_cond_timedwait", "");
    }
    return REAL_CONDITION(pthread_cond_timedwait)(condition, mutex, deadline);
}

EXPORTED int pthread_cond_clockwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *deadline) {
    if (runs_job()) {
        if (is_signalled_soon(condition, mutex)) return 0;
        fault("pthread_cond_clockwait", "");
    }
    return REAL(pthread_cond_clockwait)(condition, mutex, clock, deadline);
}

EXPORTED int pthread_join(pthread_t thread, void **value) {
    judge("pthread_join");
    return REAL(pthread_join)(thread, value);
}

// futex(2) as Dispatch and Swift's Mutex call it. Whether `limit` is set: only some commands wait.
static bool limit_of_futex(int operation, struct timespec *limit) {
    switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT: *limit = (struct timespec){lock_limit_ms / 1000, lock_limit_ms % 1000 * 1000000L}; return true;
    case FUTEX_WAIT_BITSET:
        *limit = limit_from_now((operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC);
        return true;
    case FUTEX_LOCK_PI: *limit = limit_from_now(CLOCK_REALTIME); return true;
    default: return false;
    }
}

// The thread that holds a lock of the kernel's kind; 0 for other futexes, which don't tell.
static pid_t futex_holder(const long *arguments) {
    if (((int)arguments[1] & FUTEX_CMD_MASK) != FUTEX_LOCK_PI) return 0;
    return (pid_t)(__atomic_load_n((uint32_t *)arguments[0], __ATOMIC_RELAXED) & FUTEX_TID_MASK);
}

EXPORTED long syscall(long number, ...) {
    long a[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
    va_end(list);
    struct timespec limit;
    if (number == SYS_futex && limit_of_futex((int)a[1], &limit) && runs_job()) {
        char detail[128] = "";
        struct holder before;
        do {
            before = holder_now(futex_holder(a));
            limit_of_futex((int)a[1], &limit);
            long result = REAL(syscall)(number, a[0], a[1], a[2], (long)&limit, a[4], a[5]);
            if (result >= 0 || errno != ETIMEDOUT) return result;
        } while (before.thread != 0 && !is_to_blame(before, futex_holder(a), detail, sizeof detail));
        fault("futex", detail);
    }
    return REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

// MARK: Descriptors

EXPORTED int connect(int descriptor, const struct sockaddr *address, socklen_t length) {
    int flags = fcntl(descriptor, F_GETFL);
    if (flags >= 0 && (flags & O_NONBLOCK) == 0) judge("connect");
    return REAL(connect)(descriptor, address, length);
}

EXPORTED int accept(int descriptor, struct sockaddr *address, socklen_t *length) {
    judge_descriptor("accept", descriptor, POLLIN);
    return REAL(accept)(descriptor, address, length);
}

EXPORTED int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags) {
    judge_descriptor("accept4", descriptor, POLLIN);
    return REAL(accept4)(descriptor, address, length, flags);
}

EXPORTED ssize_t read(int descriptor, void *buffer, size_t count) {
    judge_descriptor("read", descriptor, POLLIN);
    return REAL(read)(descriptor, buffer, count);
}

EXPORTED ssize_t readv(int descriptor, const struct iovec *parts, int count) {
    judge_descriptor("readv", descriptor, POLLIN);
    return REAL(readv)(descriptor, parts, count);
}

EXPORTED ssize_t write(int descriptor, const void *buffer, size_t count) {
    judge_descriptor("write", descriptor, POLLOUT);
    return REAL(write)(descriptor, buffer, count);
}

EXPORTED ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    judge_descriptor("writev", descriptor, POLLOUT);
    return REAL(writev)(descriptor, parts, count);
}

EXPORTED ssize_t recv(int descriptor, void *buffer, size_t count, int flags) {
    if ((flags & MSG_DONTWAIT) == 0) judge_descriptor("recv", descriptor, POLLIN);
    return REAL(recv)(descriptor, buffer, count, flags);
}

EXPORTED ssize_t recvfrom(
    int descriptor, void *restrict buffer, size_t count, int flags, struct sockaddr *restrict address,
    socklen_t *restrict length) {
    if ((flags & MSG_DONTWAIT) == 0) judge_descriptor("recvfrom", descriptor, POLLIN);
    return REAL(recvfrom)(descriptor, buffer, count, flags, address, length);
}

EXPORTED ssize_t recvmsg(int descriptor, struct msghdr *message, int flags) {
    if ((flags & MSG_DONTWAIT) == 0) judge_descriptor("recvmsg", descriptor, POLLIN);
    return REAL(recvmsg)(descriptor, message, flags);
}

EXPORTED ssize_t send(int descriptor, const void *buffer, size_t count, int flags) {
    if ((flags & MSG_DONTWAIT) == 0) judge_descriptor("send", descriptor, POLLOUT);
    return REAL(send)(descriptor, buffer, count, flags);
}

EXPORTED ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags) {
    if ((flags & MSG_DONTWAIT) == 0) judge_descriptor("sendmsg", descriptor, POLLOUT);
    return REAL(sendmsg)(descriptor, message, flags);
}

EXPORTED int poll(struct pollfd *polled, nfds_t count, int timeout) {
    int ready = REAL(poll)(polled, count, 0);
    if (ready != 0 || timeout == 0) return ready;
    judge("poll");
    return REAL(poll)(polled, count, timeout);
}

EXPORTED int ppoll(struct pollfd *polled, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
    int ready = REAL(poll)(polled, count, 0);
    if (ready == 0 && (timeout == NULL || timeout->tv_sec > 0 || timeout->tv_nsec > 0)) judge("ppoll");
    return REAL(ppoll)(polled, count, timeout, mask);
}

EXPORTED int select(int count, fd_set *reading, fd_set *writing, fd_set *failing, struct timeval *timeout) {
    if (timeout == NULL || timeout->tv_sec > 0 || timeout->tv_usec > 0) judge("select");
    return REAL(select)(count, reading, writing, failing, timeout);
}

EXPORTED int epoll_wait(int epoll, struct epoll_event *events, int capacity, int timeout) {
    if (timeout != 0 && is_not_ready(epoll, POLLIN)) judge("epoll_wait");
    return REAL(epoll_wait)(epoll, events, capacity, timeout);
}

EXPORTED int getaddrinfo(
    const char *restrict host, const char *restrict service, const struct addrinfo *restrict hints,
    struct addrinfo **restrict found) {
    // An address needs no look-up.
    struct addrinfo numeric = hints != NULL ? *hints : (struct addrinfo){0};
    numeric.ai_flags |= AI_NUMERICHOST;
    if (host != NULL && REAL(getaddrinfo)(host, service, &numeric, found) == 0) {
        freeaddrinfo(*found);
    } else if (host != NULL) {
        judge("getaddrinfo");
    }
    return REAL(getaddrinfo)(host, service, hints, found);
}

// MARK: Files and processes

EXPORTED int fsync(int descriptor) {
    judge("fsync");
    return REAL(fsync)(descriptor);
}

EXPORTED int fdatasync(int descriptor) {
    judge("fdatasync");
    return REAL(fdatasync)(descriptor);
}

EXPORTED int flock(int descriptor, int operation) {
    if ((operation & LOCK_NB) == 0) judge("flock");
    return REAL(flock)(descriptor, operation);
}

EXPORTED pid_t wait(int *status) {
    judge("wait");
    return REAL(wait)(status);
}

EXPORTED pid_t waitpid(pid_t process, int *status, int options) {
    if ((options & WNOHANG) == 0) judge("waitpid");
    return REAL(waitpid)(process, status, options);
}
