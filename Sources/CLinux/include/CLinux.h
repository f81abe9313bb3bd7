#ifndef CLINUX_H
#define CLINUX_H

// What Glibc's Swift overlay lacks: flags of Linux's own, and C functions that are variadic.
//
// Declared here and defined in CLinux.c, because glibc shows these calls only under _GNU_SOURCE, and that macro changes
// system types (fd_set) which Swift's own Glibc module has seen without it: one program can't import both.

#include <semaphore.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>

// accept4(2).
int clinux_accept4(int listener, struct sockaddr *address, socklen_t *length, int flags);

// Fills in the address of a Unix-domain socket. Its length, or 0 for a path that is empty or too long.
socklen_t clinux_unix_address(const char *path, struct sockaddr_un *address);

// Names the calling thread: at most 15 bytes. 0, or an error number.
int clinux_set_thread_name(const char *name);

// gettid(2).
pid_t clinux_thread_id(void);

// A word of the command line that started the process, the program's name being 0; NULL behind the last one. As the C
// library was given them: Swift's CommandLine reads /proc, and has no words where that is missing.
const char *clinux_argument(int index);

// Gives blocks of this size and more, in bytes, a mapping of their own, which goes back to the system when freed.
// Without it glibc raises the size with the blocks that it sees, up to 32 MiB, and keeps what it got. Of free memory at
// the end of each of its heaps, up to twice that size stays with the process.
void clinux_map_blocks_from(int bytes);

// Processors the calling thread may run on; 0 if the kernel doesn't say.
int clinux_affinity_count(void);

// Waits for a semaphore at most so long on the monotonic clock. 0, or -1 with errno ETIMEDOUT or EINTR.
int clinux_semaphore_wait_for(sem_t *semaphore, int64_t seconds, int64_t nanoseconds);

// A new epoll instance, close-on-exec; -1 on failure.
int clinux_epoll_create(void);

// What a descriptor is ready for; each for errors and the end of both directions, too.
struct clinux_readiness {
    uint64_t token;
    int reads;
    int writes;
};

// Has an epoll instance watch a descriptor, level-triggered, for what isn't 0 of `reads` and `writes`; `is_known` isn't
// 0 if it watches the descriptor already. 0, or -1.
int clinux_epoll_watch(int epoll, int descriptor, uint64_t token, int reads, int writes, int is_known);

// Takes what is ready without waiting, `capacity` descriptors at most. How many there are; -1 on failure.
int clinux_epoll_ready(int epoll, struct clinux_readiness *ready, int capacity);

// Asks an epoll instance to tell once when a socket's peer has gone: RST always, FIN if `finishes` isn't 0. 0, or -1.
int clinux_epoll_watch_hang_up(int epoll, int descriptor, int finishes);

// Takes a descriptor out of an epoll instance. 0, or -1.
int clinux_epoll_forget(int epoll, int descriptor);

// Takes one event without waiting: 1 for a FIN, 2 for an RST or both directions at their end, 0 for none.
int clinux_epoll_next_hang_up(int epoll, int *descriptor);

// Bytes in a socket's send queue that the peer has not acknowledged; -1 if unknown.
int clinux_send_queue_bytes(int descriptor);

// Has a program that is to be spawned begin without the descriptors from `lowest` upwards. 0, or an error number.
int clinux_spawn_without_descriptors(posix_spawn_file_actions_t *actions, int lowest);

#endif
