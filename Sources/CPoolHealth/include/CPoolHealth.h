#ifndef CPOOLHEALTH_H
#define CPOOLHEALTH_H

// What the monitor of the pool needs and Swift can't call: Linux's own calls, the loaded images, and the addresses of
// two things inside Dispatch and the Swift runtime, which are compared and never called.

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// A loadable segment of an image in this process.
struct cpoolhealth_segment {
    uintptr_t start;
    uintptr_t end;
    int executable;
    int writable;
    // Counts images from 0 in the order of the dynamic linker's list.
    int image;
};

// Fills in up to `capacity` segments; how many there are, which may be more.
size_t cpoolhealth_segments(struct cpoolhealth_segment *segments, size_t capacity);

// Copies memory of this process, which may vanish or never have been there. Bytes copied, or -1.
ssize_t cpoolhealth_read(uintptr_t address, void *buffer, size_t count);

// The directory's numeric entries, from its beginning. How many there are, which may be more than `capacity`; -1 on
// failure.
int cpoolhealth_list_numbers(int directory, pid_t *numbers, int capacity);

// Entries of a directory by its link count: for /proc/self/task the number of threads. -1 on failure.
int cpoolhealth_subdirectories(int directory);

// What threads have done since the process began (getrusage(2)).
struct cpoolhealth_activity {
    // How often they were put on a processor and taken from it again.
    int64_t switches;
    int64_t cpu_microseconds;
};

// Of all threads together, the ended ones too, and of the calling one. 0; 1 if the calling one was switched between the
// two readings, which then don't fit each other; or -1.
int cpoolhealth_activities(struct cpoolhealth_activity *all, struct cpoolhealth_activity *own);

// A new eventfd, close-on-exec; -1 on failure.
int cpoolhealth_event_descriptor(void);

// The root queue with this quality of service (QOS_CLASS_*), as an address.
uintptr_t cpoolhealth_root_queue(unsigned int quality_of_service, int overcommit);

// Where the function of the Swift runtime that runs a job starts.
uintptr_t cpoolhealth_job_run(void);

// The name of the function at an address as the dynamic linker knows it, or NULL, and the image's file name.
const char *cpoolhealth_symbol(uintptr_t address, const char **image, uintptr_t *offset);

// Reads an eventfd's counter, for which it waits; 0, or -1. The control thread is nearly always in it.
int cpoolhealth_await_event(int descriptor);

// Where that function starts.
uintptr_t cpoolhealth_await_event_start(void);

// Whether the program's file has a table of symbols, which `strip` removes.
int cpoolhealth_has_symbols(void);

// The numbers of the system calls below differ between architectures.
enum cpoolhealth_wait {
    CPOOLHEALTH_WAIT_OTHER,
    CPOOLHEALTH_WAIT_FUTEX,
    CPOOLHEALTH_WAIT_SLEEP,
    CPOOLHEALTH_WAIT_POLL,
    CPOOLHEALTH_WAIT_READ,
    CPOOLHEALTH_WAIT_DISK,
    CPOOLHEALTH_WAIT_CONNECT,
    CPOOLHEALTH_WAIT_CHILD,
};

// What a thread waits for that is in this system call.
enum cpoolhealth_wait cpoolhealth_wait_of(long system_call);

// When the calling thread ends and what it kept for itself is freed, gives free memory of the process back to the
// system.
void cpoolhealth_trim_at_thread_end(void);

// Terminates the process with SIGABRT.
void cpoolhealth_abort(void) __attribute__((noreturn));

#endif
