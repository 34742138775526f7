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
/* How many bytes have not left for the other side, which has no room for them. */
int clinux_unsent(int descriptor);

/* How many of the bytes that were ever sent the other side's system has confirmed, also after the
   connection has broken; below zero if it is no TCP. */
long long clinux_confirmed(int descriptor);

/* Whether a connection is over that this side has not closed. */
int clinux_was_reset(int descriptor);

/* Whether the other side of a connection has not left, although it sends no more: the system knows
   it of the programs on this machine. */
int clinux_is_held(int descriptor);

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

/* Opens the control socket and the pipes of a program: our ends, which do not block, and the others
   of its input, its output, its errors and the socket. Returns 0 or an error number. */
int clinux_open_pipes(struct clinux_program *program, int theirs[4]);
/* Closes our ends. */
void clinux_close_pipes(const struct clinux_program *program);

/* Starts a program under a guard that ends it when this process ends. Returns 0 or an error number.
   If the program cannot be executed, `failure` says so. */
int clinux_start_program(
    const char *path, char *const arguments[], char *const environment[], const char *folder,
    struct clinux_program *program);

/* Removes a folder and all that is in it, without following links. Returns 0 or an error number; a
   folder that is not there is removed. */
int clinux_remove_tree(const char *path);

/* Writes to a pipe; if nobody reads from it, that is an error and no signal. */
long clinux_write_quietly(int descriptor, const void *bytes, unsigned long count);

/* The processors that this thread may run on: of the first 64, each has a bit. */
unsigned long clinux_processors(void);

/* Has this thread, and those that it starts, run on these processors alone. */
void clinux_use_processors(unsigned long processors);

/* Makes the allocator keep freed memory instead of returning it to the system. */
void clinux_keep_freed_memory(void);

/* The longest name of what is under way, with the zero at its end. Longer ones are cut. */
enum { clinux_longest_name = 1024, clinux_kept_numbers = 8 };

/* The crashes after which nothing new is run, and the workers after which no other is started,
   although results are not reported then. */
enum { clinux_most_crashes = 3, clinux_most_workers = 8 };

/* The place of a scenario, and of its row, in the file whose path is the name of the work. */
struct clinux_place {
  long long scenario, row;
};

/* A worker that has crashed. The name belongs to the work of its thread, or to the work that was
   under way the longest if the thread is not known; it is empty if no work was under way. */
struct clinux_crash {
  int signal;
  /* How many others may have been the cause as well. */
  int others;
  struct clinux_place place;
  char name[clinux_longest_name], detail[clinux_longest_name];
};

/* Goes on in a child, the worker, and starts another one when it crashes. The parent never returns:
   it passes signals on, and ends as the last worker does. If the system has no process left, there
   is no worker, and all functions below do nothing. */
void clinux_supervise(void);

/* Returns how often workers have crashed, and what is known of one. */
int clinux_crashes(void);
const struct clinux_crash *clinux_crash_at(int number);
/* The name of a signal without `SIG`, or null. */
const char *clinux_signal_name(int number);
/* True if nothing new is to be run, since workers have crashed too often or a signal has asked the
   run to end. */
int clinux_only_concludes(void);
/* Forgets what was done, for a run that begins again; and the crashes, if it is another run. */
void clinux_begin_run(int is_another);
/* True in a worker. */
int clinux_is_supervised(void);
/* Has the next crash end the command. */
void clinux_crash_ends(void);

/* Notes what this thread does, inside of what it already does. If it is a suspect, it may be what
   has crashed the process although nobody knows which thread did. */
void clinux_begin(
    const char *name, const char *detail, struct clinux_place place, int is_suspect);
/* Replaces the detail of what this thread does. */
void clinux_note(const char *detail);
void clinux_end(void);

/* Notes that a piece of work is done, by the hash of its name, and returns those that are. */
void clinux_add_done(unsigned long long hash);
unsigned long long clinux_done_at(unsigned number);
unsigned clinux_done_count(void);

/* A number that all workers share; the first one that asks gives it. */
long long clinux_keep_number(int which, long long number);
/* A counter that all workers share. */
void clinux_set_progress(unsigned long long progress);
unsigned long long clinux_progress(void);

/* The files without a name that all workers share: results, and what was read from pipes. Below
   zero without such a file. */
int clinux_results_file(void);
int clinux_inputs_file(void);

/* Handles a signal. Of a worker, it is one that its parent has passed on: a terminal sends it to
   both. Returns whether it was ignored before. */
int clinux_handle(int number, void (*handler)(int));
