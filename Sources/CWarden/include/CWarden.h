#pragma once

/* Programs in virtual time. The thread that begins traces the programs that it starts, with all of
   their threads and children, and moves their clock: when all of them are at rest, the earliest
   deadline is due. A thread has one warden, so that several threads may each have one. */

/* Why programs cannot be in virtual time here. */
enum cwarden_obstacle {
  cwarden_possible = 0,
  cwarden_wrong_machine,
  cwarden_traced_already,
  cwarden_no_trace,
  cwarden_no_filter,
  cwarden_no_counts,
  cwarden_no_calls,
  cwarden_no_memory,
  cwarden_no_clock_page,
  cwarden_no_socket_states,
};

/* Rules that tests leave out, to see that something fails then: each is a bit. */
enum cwarden_rule {
  cwarden_looks_at_processors = 1,
  cwarden_looks_at_states = 2,
  cwarden_counts_around_looks = 4,
  cwarden_knows_ends = 8,
  cwarden_holds_children = 16,
  cwarden_counts_own_work = 32,
  cwarden_looks_at_lines = 64,
  cwarden_fixes_addresses = 128,
};

enum cwarden_event_kind {
  /* The value is the exit code, or below zero the signal. */
  cwarden_exited,
  /* The name is its kind. */
  cwarden_doubt,
  /* A thread that waits for ever: the name is its process, the detail what it waits for. */
  cwarden_waits,
  /* Something that others see: a connection, or bytes that are sent. */
  cwarden_wire,
};

struct cwarden_event {
  enum cwarden_event_kind kind;
  int program, value;
  long long now;
  const char *name, *detail;
};

struct cwarden_settings {
  /* The nanoseconds since 1970 at which virtual time begins. */
  long long calendar;
  unsigned long long seed;
  void (*notify)(void *context, const struct cwarden_event *event);
  void *context;
  /* True if the programs have this process's own input and output. */
  int has_outside;
  /* For tests: rules to leave out, and a seed of pauses at random. */
  unsigned without, pauses;
};

/* The reason why `cwarden_idle` returns. */
enum cwarden_pause {
  /* Somebody else's descriptor is ready; the clock did not move. */
  cwarden_woke,
  /* It is the time that was asked for. */
  cwarden_due,
  /* Nothing will ever happen; the threads that wait were reported. */
  cwarden_stuck,
  /* The program that was named has ended. */
  cwarden_ended,
  /* Programs still compute: a caller that wants to stop them can stop them now, or else go on. */
  cwarden_busy,
  /* A program wants to connect to a port of this process, and waits for `cwarden_answer`. Without a
     descriptor that is no reason to return. */
  cwarden_asks,
};

/* Returns what keeps this thread from it, before anything is started. */
enum cwarden_obstacle cwarden_begin(const struct cwarden_settings *settings);

/* Starts a program with these descriptors as its first three; without a path, its first argument is
   searched. Returns 0 or an error number. If it
   cannot be executed, it says so on its standard error and ends with 127. */
int cwarden_start(
    int program, const char *path, const char *folder, char *const arguments[],
    char *const environment[], const int files[3]);

/* Says that a port of this machine belongs to this process. Returns the number that programs have
   of it, which is the same in each run. */
unsigned short cwarden_own_port(unsigned short port);
/* The port to which a program wants to connect, as programs have it. */
unsigned short cwarden_asked_port(void);
/* Lets it connect, or gives it this error number. */
void cwarden_answer(int problem);
/* Returns the machine's number of a port, by the number that programs have of it. */
unsigned short cwarden_port_of_machine(unsigned short port);

/* Goes on until a nanosecond of virtual time, without end below zero; until a descriptor is ready,
   if it is one; or until a program has ended, below zero none. With a limit, nothing will be due at
   that time, so that waiting for it alone is for ever. */
enum cwarden_pause cwarden_idle(long long until, int is_limit, int descriptor, int program);

/* Tells when programs at rest go on by themselves, in order, and returns how often that is. */
int cwarden_deadlines(long long *to, int most);

/* The machine of the programs has slept for a number of nanoseconds, in which nothing called the
   warden. The calendar has jumped; timers keep what was left of their time, or count the sleep. */
void cwarden_wake(long long length, int timers_are_due);

long long cwarden_now(void);
/* The time for others than programs. Each wake of a program comes a nanosecond late, and a program
   that goes on from there adds them up: they are left out of a time that is a whole millisecond. */
long long cwarden_instant(void);
/* Sends a signal to the first process of a program, with its group if that is its own; or to all of
   its processes. */
void cwarden_signal(int program, int number, int to_all);
/* Passes the signals of this process to a program, which gets the signals of a terminal anyway. */
void cwarden_pass_signals(int program);
/* Ends all programs, and returns when nothing of them is left. */
void cwarden_end(void);

/* Looks at threads. Tests replace them by looks at a model. */
struct cwarden_eyes {
  int (*thread_count)(void);
  /* How often a thread was put on a processor. */
  unsigned long (*runs)(int thread);
  /* Whether it is in a call and off its processor, which it may be put on at this moment. */
  int (*is_off)(int thread);
  /* Whether its state says that it sleeps. It may still be about to. */
  int (*is_asleep)(int thread);
  /* Handles what threads have stopped for; whether there was anything. */
  int (*handle_stops)(void);
  /* Whether a process ends, whose threads sleep in their old calls for a moment. */
  int (*is_one_ending)(void);
  /* Whether the system still carries something from one to another. */
  int (*has_bytes_under_way)(void);
};

/* Whether all threads are at rest, and were so at one instant. A thread that was not is `busy`. */
int cwarden_are_at_rest(const struct cwarden_eyes *eyes, unsigned without, int *busy);
