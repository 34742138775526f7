#pragma once

/* What the Glibc module leaves out: waiting for many file descriptors at once, and what a socket
   still owes. */

struct clinux_ready {
  int descriptor;
  unsigned events;
};

/* The arguments of the process as main receives them. The runtime reads them from /proc, which not
   every system has. */
int clinux_argument_count(void);
/* Null beyond the last one. */
const char *clinux_argument(int index);

extern const unsigned clinux_readable, clinux_writable, clinux_broken;

int clinux_epoll_create(void);
/* Tells of a descriptor whenever more of these has become true of it. */
int clinux_epoll_add(int epoll, int descriptor, unsigned events);
int clinux_epoll_remove(int epoll, int descriptor);
/* Waits for at most so many nanoseconds, without end below zero. */
int clinux_epoll_wait(int epoll, struct clinux_ready *ready, int most, long long nanoseconds);

int clinux_eventfd(void);

struct sockaddr;
/* The new descriptor does not block, and is closed in programs that are started. */
int clinux_accept(int listener, struct sockaddr *address, unsigned *length);

/* How many bytes the other side has not confirmed yet; below zero where nobody can say. */
int clinux_unacknowledged(int descriptor);

/* The kinds of reports about a program, and the command that ends all of its processes. */
enum {
  clinux_program_started = 0,
  clinux_program_no_folder = 1,
  clinux_program_not_executed = 2,
  clinux_program_exited = 3,
  clinux_program_signalled = 4,
  clinux_program_kill_all = 255
};

/* A report: its kind, and an error number, an exit code or a signal. */
struct clinux_program_report {
  int kind, value;
};

/* A program that was started. The control socket takes one byte per message: a signal for the
   process group, or the command that ends all processes. It gives reports, and its end once the
   guard is gone. Closing it ends all processes. */
struct clinux_program {
  int guard, control, input, output, errors;
  struct clinux_program_report failure;
};

/* Starts a program under a guard that ends it when this process ends. Returns 0 or an error number.
   If the program cannot be executed, `failure` says so. */
int clinux_start_program(
    const char *path, char *const arguments[], char *const environment[], const char *folder,
    struct clinux_program *program);

/* Writes to a pipe; if nobody reads from it, that is an error and no signal. */
long clinux_write_quietly(int descriptor, const void *bytes, unsigned long count);

/* The processors that this thread may run on: of the first 64, each has a bit. */
unsigned long clinux_processors(void);

/* Has this thread, and those that it starts, run on these processors alone. */
void clinux_use_processors(unsigned long processors);

/* Makes the allocator keep freed memory instead of returning it to the system. */
void clinux_keep_freed_memory(void);
