#define _GNU_SOURCE
#include "warden.h"

#ifdef WARDEN_RUNS_HERE

#include <arpa/inet.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The next step: a thread at a gate goes on, then the earliest deadline is due. */

struct next {
  int64_t at;
  struct thread *thread;
  struct timer_file *file;
  struct timer *timer;
  struct process *alarm;
};

static int64_t deadline_of(const struct thread *t) {
  return t->wait.is_timed && !t->wait.is_over ? t->wait.deadline : t->socket_deadline;
}

static struct next find_next(void) {
  struct next n = {.at = never};
  warden_find_socket_deadlines();
  for (int at = 0; at < warden.thread_count; at++) {
    struct thread *t = warden.threads[at];
    int64_t time = deadline_of(t);
    if (time < n.at || (time < never && time == n.at && t->order < n.thread->order))
      n = (struct next){.at = time, .thread = t};
  }
  for (EACH(struct timer_file, one, warden.timer_files))
    if (one->deadline < n.at) n = (struct next){.at = one->deadline, .file = one};
  for (EACH(struct timer, one, warden.timers))
    if (one->deadline < n.at) n = (struct next){.at = one->deadline, .timer = one};
  for (int at = 0; at < warden.process_count; at++) {
    struct process *p = warden.processes[at];
    if (p->alarm < n.at) n = (struct next){.at = p->alarm, .alarm = p};
  }
  return n;
}

int64_t warden_first_deadline(void) { return find_next().at; }

static int in_order(const void *one, const void *other) {
  long long a = *(const long long *)one, b = *(const long long *)other;
  return (a > b) - (a < b);
}

int cwarden_deadlines(long long *to, int most) {
  int count = 0;
#define TELL(time) if ((time) < never && count < most) to[count++] = (time)
  warden_find_socket_deadlines();
  for (int at = 0; at < warden.thread_count; at++) TELL(deadline_of(warden.threads[at]));
  for (EACH(struct timer_file, one, warden.timer_files)) TELL(one->deadline);
  for (EACH(struct timer, one, warden.timers)) TELL(one->deadline);
  for (int at = 0; at < warden.process_count; at++) TELL(warden.processes[at]->alarm);
#undef TELL
  qsort(to, (size_t)count, sizeof *to, in_order);
  return count;
}

static void signal_timer(struct timer *timer) {
  timer->deadline = timer->interval ? timer->deadline + timer->interval : never;
  if (!timer->signal) return;
  siginfo_t info;
  memset(&info, 0, sizeof info);
  info.si_signo = timer->signal;
  info.si_code = SI_TIMER;
  info.si_timerid = timer->id;
  info.si_value.sival_ptr = (void *)timer->value;
  if (timer->tid)
    syscall(SYS_rt_tgsigqueueinfo, timer->pid, timer->tid, timer->signal, &info);
  else
    syscall(SYS_rt_sigqueueinfo, timer->pid, timer->signal, &info);
}

/* One thread is woken, a nanosecond late: some programs ask whether it is later than their time. */
static void fire(struct next n) {
  warden.wakes++;
  warden_set_clock(n.at + 1);
  if (n.file) return warden_ring(n.file);
  if (n.timer) return signal_timer(n.timer);
  if (n.alarm) {
    struct process *p = n.alarm;
    p->alarm = p->alarm_interval ? p->alarm + p->alarm_interval : never;
    kill(p->pid, SIGALRM);
    return;
  }
  if (warden_awaits_input(n.thread))
    warden_doubt(n.thread->program, "foreign", "the standard input of the command");
  if (n.thread->wait.is_timed) {
    n.thread->wait.is_over = 1;
  } else {
    n.thread->is_socket_late = 1;
    n.thread->socket_deadline = never;
    n.thread->slept_runs = 0;
  }
  ptrace(PTRACE_INTERRUPT, n.thread->tid, 0, 0);
}

static void set_spinning(int is_on) {
  warden.is_spinning = is_on;
  warden.spin_reads = 0;
  warden.spin_since = warden.now;
  warden_set_clock(warden.now);
}

/* What others see of a thread at a gate, for comparisons of runs. Which thread it is does not
   matter to them: some languages let any thread go on with a piece of work. */
static void report_wire(struct thread *t) {
  char text[100];
  registers *call = &t->wait.call;
  if (call_of(call) == SYS_connect) {
    uint16_t port = warden_port_of_connect(t);
    int number = 0, is_known = 0;
    for (EACH(struct listener, one, warden.listeners)) {
      number++;
      if (one->port == port) { is_known = 1; break; }
    }
    snprintf(text, sizeof text, "connects to %s %d",
             is_known ? "listener" : "port", is_known ? number : ntohs(port));
  } else {
    snprintf(text, sizeof text, "sends %ld bytes", (long)*argument(call, 2));
  }
  warden_notify((struct cwarden_event){
      .kind = cwarden_wire, .program = t->program, .detail = text});
}

static void let_pass(struct thread *t) {
  report_wire(t);
  t->hold = goes_on;
  warden_go(t);
}

unsigned short cwarden_asked_port(void) {
  struct thread *t = warden.asking;
  return t ? ntohs(warden_shown_port(warden_port_of_connect(t))) : 0;
}

void cwarden_answer(int problem) {
  struct thread *t = warden.asking;
  warden.asking = 0;
  if (!t) return;
  if (!problem) return let_pass(t);
  t->hold = goes_on;
  warden_fail_connect(t, problem);
}

/* Lets the first thread that waits at a gate go on, or asks whether it may connect. */
static int open_gate(void) {
  struct thread *first = 0;
  int is_race = 0;
  for (int at = 0; at < warden.thread_count; at++) {
    struct thread *t = warden.threads[at];
    if (t->hold != at_gate) continue;
    if (first && first->pid == t->pid) is_race = 1;
    if (!first || t->order < first->order) first = t;
  }
  if (!first) return 0;
  if (is_race) warden_doubt(first->program, "race", "threads that send at one instant");
  if (warden_is_own_port(warden_port_of_connect(first)))
    warden.asking = first;
  else
    let_pass(first);
  return 1;
}

static volatile sig_atomic_t signal_for_later, program_of_signal;

static void keep_signal(int number, siginfo_t *info, void *context) {
  (void)context;
  if (info->si_code != SI_KERNEL) signal_for_later = number;
}

void cwarden_pass_signals(int program) {
  static const int passed[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
  struct sigaction action = {.sa_sigaction = keep_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
  program_of_signal = program;
  for (int at = 0; at < COUNT(passed); at++) sigaction(passed[at], &action, 0);
}

static void send_signal_for_later(void) {
  int number = signal_for_later;
  if (!number) return;
  signal_for_later = 0;
  cwarden_signal(program_of_signal, number, 0);
}

/* After so much work the clock passes with it. */
static const int64_t longest_work = 10 * second, a_day = 86400 * second;

/* Lets time pass as a thread computes that never rests, as in real time, if somebody waits for it.
   Returns whether it is the time that was asked for. */
static int pass_time(struct thread *t, int64_t length, int64_t until) {
  struct unrest *unrest = &warden.unrest;
  struct next n = find_next();
  int is_asked = until >= 0 && until <= n.at;
  int64_t due = is_asked ? until : n.at;
  if (due > warden.now + a_day) return 0;
  if (!unrest->is_doubted) {
    char name[40] = "";
    warden_name(t->pid, name, sizeof name);
    unrest->is_doubted = 1;
    warden_doubt(t->program, "busy", name);
  }
  if (due > warden.now + length) {
    warden_set_clock(warden.now + length);
    return 0;
  }
  if (is_asked) warden_set_clock(until);
  else fire(n);
  return is_asked;
}

/* After so much work without a rest, a program may be waiting for its clock to move, or for a
   thread that waits at a gate. Time of the wall says nothing: the machine may be busy. */
static int look_closer(int64_t until) {
  struct unrest *unrest = &warden.unrest;
  static const int64_t longest = 200000000;
  if (warden.busy < 0 || warden.busy >= warden.thread_count) return 0;
  struct thread *t = warden.threads[warden.busy];
  int of_wall = (warden.settings.without & cwarden_counts_own_work) != 0;
  int64_t work = of_wall ? warden_real_time() : warden_work(t);
  if (unrest->tid != t->tid) {
    unrest->tid = t->tid;
    unrest->work = unrest->began = work;
  }
  if (work - unrest->work <= longest) return 0;
  int64_t length = work - unrest->work;
  unrest->work = work;
  if (!warden.is_spinning) set_spinning(1);
  if (!warden.asking) open_gate();
  return work - unrest->began > longest_work && pass_time(t, length, until);
}

/* Returns whether it is the time that was asked for, although there is no rest. */
static int be_patient(int64_t until) {
  int is_due = 0;
  long turns = ++warden.unrest.turns;
  if (turns % 64 == 0) {
    is_due = look_closer(until);
    send_signal_for_later();
  }
  if (turns > 20000) usleep(500);
  else if (turns > 2000) usleep(50);
  else if (turns > 20) sched_yield();
  return is_due;
}

static int is_ready(int descriptor) {
  struct pollfd one = {descriptor, POLLIN, 0};
  return descriptor >= 0 && poll(&one, 1, 0) > 0;
}

static int has_ended(int id) {
  struct program *program = warden_program(id);
  return program && program->is_over;
}

/* Whether somebody outside is what programs wait for, who is waited for in real time then. */
static int waits_outside(int is_over) {
  struct pollfd input = {0, POLLIN, 0};
  if (warden_is_output_full()) {
    usleep(1000);
    return 1;
  }
  if (!is_over || !warden.settings.has_outside || !warden_input_is_awaited()) return 0;
  poll(&input, 1, 20);
  return 1;
}

enum cwarden_pause cwarden_idle(long long until, int is_limit, int descriptor, int program) {
  enum { turns_between_answers = 512 };
  for (;;) {
    if (has_ended(program)) return cwarden_ended;
    if (!warden_is_at_rest()) {
      if (be_patient(until)) return cwarden_due;
      if (warden.unrest.turns % turns_between_answers == 0) return cwarden_busy;
      continue;
    }
    warden.unrest = (struct unrest){0, 0, 0, 0, 0};
    if (warden.is_spinning) set_spinning(0);
    send_signal_for_later();
    if (has_ended(program)) return cwarden_ended;
    if (is_ready(descriptor)) return cwarden_woke;
    int opens = !warden.asking && open_gate();
    if (warden.asking && descriptor >= 0) return cwarden_asks;
    if (opens) continue;
    struct next n = find_next();
    int is_over = n.at >= never && (until < 0 || is_limit);
    if (waits_outside(is_over)) continue;
    if (is_over) {
      warden_report_waits();
      return cwarden_stuck;
    }
    if (until >= 0 && until <= n.at) {
      warden_set_clock(until);
      return cwarden_due;
    }
    fire(n);
  }
}

#endif
