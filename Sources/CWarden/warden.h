#pragma once

#include "CWarden.h"
#include "registers.h"

#ifdef WARDEN_RUNS_HERE

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const int64_t second = 1000000000LL;
/* A time that never comes, and the seconds from which a time is one. */
static const int64_t never = 4000000000LL * 1000000000LL;

enum hold { goes_on, at_gate, before_parent };
enum look { look_at_call, look_at_runs, look_at_state, look_count };

/* A call as a program made it, and what becomes of it. */
struct wait {
  /* Its end is seen, and the kernel knows nothing of its time. */
  int is_timed, is_watched, is_over;
  int64_t deadline;
  /* The result when the time is up. */
  long late;
  registers call;
  /* A wait that a signal interrupted keeps its deadline. */
  int64_t cut_deadline;
  registers cut_call;
};

struct thread {
  int tid, pid, program;
  /* Programs by their number, and in each the threads in the order in which they came. */
  long order;
  enum hold hold;
  int files[look_count];
  unsigned long runs;
  /* The call in which it sleeps, and its first arguments. */
  long call;
  unsigned long arguments[3];
  struct wait wait;
  /* A timer file that it makes ready when it has stopped, plus one. */
  int rings;
  /* The processor time at which it last read the clock. */
  int64_t work;
  /* Since when it sleeps, for sockets with a time-out. */
  unsigned long slept_runs;
  int64_t slept_since, socket_deadline;
  int is_socket_late, is_stopped;
};

struct process {
  int pid, parent, program, memory, is_ending;
  uint64_t clock_page;
  int64_t alarm, alarm_interval;
};

/* One that counts sleep is absolute, and of a clock that goes on while the machine sleeps. */
struct timer_file { int pid, descriptor, counts_sleep; int64_t deadline, interval; };
struct timer {
  int pid, id, clock, signal, tid, counts_sleep;
  uint64_t value;
  int64_t deadline, interval;
};
struct socket_timeout { int pid, descriptor, is_sending; char file[40]; int64_t length; };
struct program { int id, pid, is_over, threads, status; uint64_t random; };

/* An end of a connection; the port is in the order of the network. */
struct address { int family; unsigned char host[16]; uint16_t port; };
struct line { struct address a, b; int pid, descriptor; uint16_t shown; };
/* A port that the system chose, and its number as programs see it: both in the order of the
   network. The system's differ from run to run. */
struct port { uint16_t real, shown; };
/* Somebody who listens: a port, or the last part of a path. */
struct listener { uint16_t port; char path[112]; int is_own; };

struct list { void *items; int count, room; };

/* How long there has been no rest, and the work of a thread that is busy meanwhile. */
struct unrest { long turns; int tid, is_doubted; int64_t work, began; };

#define EACH(type, one, list) \
  type *one = (list).items; one < (type *)(list).items + (list).count; one++

struct warden {
  struct cwarden_settings settings;
  int is_on;
  /* The clocks of the calendar and of the time since the start have gone on while it slept. */
  int64_t now, slept;
  struct thread **threads;
  int thread_count, thread_room;
  struct process **processes;
  int process_count, process_room;
  struct list programs, timer_files, timers, socket_timeouts, lines, listeners, ports;
  int netlink, lines_known;
  int64_t wakes;
  /* Programs read the clock again and again: each reading is seen. */
  int is_spinning;
  long spin_reads;
  int64_t spin_since;
  uint64_t ticks;
  int busy;
  struct unrest unrest;
  /* The thread that waits for an answer before it connects. */
  struct thread *asking;
};

extern _Thread_local struct warden warden;

/* clock.c */
int warden_find_clock(void);
void warden_set_clock(int64_t time);
void warden_prepare_image(struct process *process);
void warden_write_clock(struct process *process);
int64_t warden_base(int clock);
int warden_counts_sleep(int clock);
uint64_t warden_random(int program);
int64_t warden_real_time(void);
void warden_advance_waits(int64_t length);
void warden_advance_timers(int64_t length);
int64_t warden_after(int64_t length);

/* tables.c */
void *warden_add(struct list *list, size_t size);
struct thread *warden_thread(int tid);
struct thread *warden_add_thread(int tid, int program);
void warden_number(struct thread *thread, int program);
void warden_drop_thread(struct thread *thread);
struct process *warden_process(int pid);
struct process *warden_add_process(int pid, int program);
void warden_drop_process(int pid);
struct program *warden_program(int id);
int warden_read(struct thread *thread, enum look look, char *text, size_t room);
int warden_get(struct thread *thread, uint64_t at, void *to, size_t count);
int warden_put(struct thread *thread, uint64_t at, const void *from, size_t count);
int64_t warden_time_at(struct thread *thread, uint64_t at);
void warden_put_time(struct thread *thread, uint64_t at, int64_t time);
int warden_link(int pid, int descriptor, char *to, size_t room);
int warden_file_text(const char *path, char *to, size_t room);
int64_t warden_work(struct thread *thread);
void warden_doubt(int program, const char *kind, const char *detail);
void warden_notify(struct cwarden_event event);
void warden_name(int pid, char *to, size_t room);

/* filter.c */
enum condition { always, if_pointer, if_positive, if_descriptor, if_waits, if_time_of_socket };
enum form { no_time, of_milliseconds, of_timespec, of_timeval, of_clock, of_calendar, of_futex };
struct rule {
  short call;
  unsigned char condition, place, form, clock_place;
  short late;
  void (*enter)(struct thread *thread, registers *r);
};
extern const struct rule warden_rules[];
extern const int warden_rule_count;
int warden_use_filter(void);

/* calls.c: what programs do with time */
void warden_go(struct thread *thread);
void warden_answer(struct thread *thread, registers *r, long value);
void warden_enter(struct thread *thread);
void warden_leave(struct thread *thread);
void warden_wait(struct thread *thread, registers *r);
void warden_read_clock(struct thread *thread, registers *r);
void warden_read_day(struct thread *thread, registers *r);
void warden_read_seconds(struct thread *thread, registers *r);
void warden_read_times(struct thread *thread, registers *r);
void warden_give_random(struct thread *thread, registers *r);
void warden_begin_end(struct thread *thread, registers *r);
void warden_refuse(struct thread *thread, registers *r);
void warden_pass_untimed(struct thread *thread, registers *r);

/* timers.c */
void warden_set_timer_file(struct thread *thread, registers *r);
void warden_get_timer_file(struct thread *thread, registers *r);
void warden_set_alarm(struct thread *thread, registers *r);
void warden_use_timer(struct thread *thread, registers *r);
void warden_note_timer(struct thread *thread, registers *call);
void warden_set_socket_timeout(struct thread *thread, registers *r);
void warden_find_socket_deadlines(void);
void warden_ring(struct timer_file *file);
void warden_make_ready(struct thread *thread);
void warden_forget_timers(int pid);
void warden_inherit(int parent, int child);

/* sockets.c */
void warden_watch(struct thread *thread, registers *r);
void warden_connect(struct thread *thread, registers *r);
void warden_bind(struct thread *thread, registers *r);
void warden_send(struct thread *thread, registers *r);
void warden_send_message(struct thread *thread, registers *r);
void warden_write(struct thread *thread, registers *r);
void warden_note_socket(struct thread *thread, registers *call, long value);
void warden_address(const struct sockaddr_storage *from, struct address *to);
int warden_is_socket(struct thread *thread, int descriptor);
uint16_t warden_port_of_connect(struct thread *thread);
void warden_fail_connect(struct thread *thread, int problem);

int warden_is_own_port(uint16_t real);
uint16_t warden_real_port(uint16_t shown);
uint16_t warden_shown_port(uint16_t real);
void warden_keep_port(uint16_t port);
void warden_number_port(uint16_t real);

/* lines.c */
void warden_add_line(const struct line *line);
struct line *warden_line_at(uint16_t port);
int warden_lines_hold_bytes(void);
const char *warden_peer(int pid, int descriptor, char *to, size_t room);

/* stops.c */
enum { lost_thread = -100000 };
long warden_inject(struct thread *thread, long call, const uint64_t arguments[5]);
void warden_continue_call(struct thread *thread);
int warden_handle_stops(void);
void warden_ended(int pid, int status);

/* start.c */
int warden_is_forking(void);

/* rest.c, idle.c */
int warden_is_at_rest(void);
void warden_pause(void);
int64_t warden_first_deadline(void);
int warden_is_output_full(void);
int warden_awaits_input(struct thread *thread);
int warden_input_is_awaited(void);
void warden_report_waits(void);

#endif
