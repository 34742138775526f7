#define _GNU_SOURCE
#include "warden.h"

#ifdef WARDEN_RUNS_HERE

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

/* Calls of programs: those that wait lose their time, and those that ask for it are answered. */

/* What a call returns that begins again, unless a signal has a handler. */
enum { no_call = -1, begin_again = -514, first_restart = -512, last_restart = -516 };

void warden_go(struct thread *t) {
  int is_seen = t->wait.is_timed || t->wait.is_watched;
  ptrace(is_seen ? PTRACE_SYSCALL : PTRACE_CONT, t->tid, 0, 0);
}

void warden_answer(struct thread *t, registers *r, long value) {
  set_call(r, no_call);
  set_result(r, value);
  ptrace(PTRACE_SETREGS, t->tid, 0, r);
  warden_go(t);
}

void warden_refuse(struct thread *t, registers *r) {
  int is_ring = call_of(r) != SYS_io_setup;
  warden_doubt(t->program, "refused", is_ring ? "io_uring_setup" : "io_setup");
  warden_answer(t, r, -ENOSYS);
}

void warden_pass_untimed(struct thread *t, registers *r) {
  int is_receive = call_of(r) == SYS_recvmmsg;
  warden_doubt(
      t->program, "untimed", is_receive ? "recvmmsg with a time-out" : "io_getevents");
  if (is_receive) *argument(r, 4) = 0;
  ptrace(PTRACE_SETREGS, t->tid, 0, r);
  warden_go(t);
}

/* A loop that waits for the clock: each reading takes time, more and more up to a millisecond, since
   a program that only measures its work must not be years ahead. Readings follow each
   other if hardly any of the processor's time has passed; time of the wall would take a program on
   a busy machine for one that spins. */
static void let_clock_pass(struct thread *t) {
  if (!warden.is_spinning) return;
  int64_t work = warden_work(t), done = work - t->work;
  t->work = work;
  warden.spin_reads += done < 15000 ? 1 : warden.spin_reads > 5 ? -5 : 0;
  if (warden.spin_reads <= 4000) return;
  if (warden.spin_reads == 4001)
    warden_doubt(t->program, "spins", "it reads the clock again and again");
  int64_t step = (warden.now - warden.spin_since) / 64 + 1000;
  int64_t next = warden.now + (step < 1000000 ? step : 1000000);
  warden_set_clock(next < warden_first_deadline() ? next : warden.now + 1000);
}

static int is_of_machine(int clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC ||
         (clock >= CLOCK_MONOTONIC_RAW && clock <= CLOCK_BOOTTIME) || clock == CLOCK_TAI;
}

void warden_read_clock(struct thread *t, registers *r) {
  int clock = (int)*argument(r, 0);
  if (!is_of_machine(clock)) return warden_go(t);
  let_clock_pass(t);
  warden_put_time(t, *argument(r, 1), warden.now + warden_base(clock));
  warden_answer(t, r, 0);
}

void warden_read_day(struct thread *t, registers *r) {
  let_clock_pass(t);
  int64_t time = warden.now + warden_base(CLOCK_REALTIME);
  int64_t parts[2] = {time / second, time % second / 1000};
  if (*argument(r, 0)) warden_put(t, *argument(r, 0), parts, sizeof parts);
  warden_answer(t, r, 0);
}

void warden_read_seconds(struct thread *t, registers *r) {
  let_clock_pass(t);
  int64_t time = (warden.now + warden_base(CLOCK_REALTIME)) / second;
  if (*argument(r, 0)) warden_put(t, *argument(r, 0), &time, sizeof time);
  warden_answer(t, r, time);
}

void warden_read_times(struct thread *t, registers *r) {
  int64_t parts[4] = {1, 1, 0, 0};
  if (*argument(r, 0)) warden_put(t, *argument(r, 0), parts, sizeof parts);
  warden_answer(t, r, (warden.now + warden_base(CLOCK_MONOTONIC)) / (second / 100));
}

void warden_give_random(struct thread *t, registers *r) {
  uint64_t at = *argument(r, 0), count = *argument(r, 1), most = 1 << 25;
  if (count > most) count = most;
  for (uint64_t done = 0; done < count; done += 8) {
    uint64_t number = warden_random(t->program);
    size_t left = count - done;
    if (!warden_put(t, at + done, &number, left < 8 ? left : 8))
      return warden_answer(t, r, -EFAULT);
  }
  warden_answer(t, r, (long)count);
}

/* From now on, that its threads sleep means nothing. */
void warden_begin_end(struct thread *t, registers *r) {
  (void)r;
  struct process *p = warden_process(t->pid);
  if (p) p->is_ending = 1;
  warden_go(t);
}

static const struct rule *rule_of(long call) {
  for (int at = 0; at < warden_rule_count; at++)
    if (warden_rules[at].call == call) return &warden_rules[at];
  return 0;
}

enum { futex_operations = 0x7f, of_calendar_clock = 256, futex_wait = 0, futex_lock = 6 };

static int clock_of_futex(registers *r) {
  int is_lock = (*argument(r, 1) & futex_operations) == futex_lock;
  return is_lock || (*argument(r, 1) & of_calendar_clock) ? CLOCK_REALTIME : CLOCK_MONOTONIC;
}

static int is_relative_futex(registers *r) {
  return (*argument(r, 1) & futex_operations) == futex_wait;
}

static int64_t futex_deadline(struct thread *t, registers *r) {
  int64_t time = warden_time_at(t, *argument(r, 3));
  return is_relative_futex(r) ? warden_after(time) : time - warden_base(clock_of_futex(r));
}

static int64_t timeval_at(struct thread *t, uint64_t at) {
  struct timeval time = {0, 0};
  warden_get(t, at, &time, sizeof time);
  return time.tv_sec >= never / second ? never : time.tv_sec * second + time.tv_usec * 1000;
}

/* The time at which a wait is over; now or before for one that need not wait at all. */
static int64_t deadline_of(struct thread *t, registers *r, const struct rule *rule) {
  uint64_t at = *argument(r, rule->place);
  switch ((enum form)rule->form) {
    case no_time: return never;
    case of_milliseconds: return warden_after((int)at * 1000000LL);
    case of_timespec: return warden_after(warden_time_at(t, at));
    case of_timeval: return warden_after(timeval_at(t, at));
    case of_clock: return warden_time_at(t, at) - warden_base((int)*argument(r, rule->clock_place));
    case of_calendar: return warden_time_at(t, at) - warden_base(CLOCK_REALTIME);
    case of_futex: return futex_deadline(t, r);
  }
  return never;
}

static int is_sleep(long call) { return call == SYS_nanosleep || call == SYS_clock_nanosleep; }

static int is_absolute_sleep(registers *r) {
  return call_of(r) == SYS_clock_nanosleep && (*argument(r, 1) & TIMER_ABSTIME);
}

static int counts_sleep(registers *r, const struct rule *rule) {
  switch ((enum form)rule->form) {
    case of_calendar: return 1;
    case of_clock: return warden_counts_sleep((int)*argument(r, rule->clock_place));
    case of_futex: return !is_relative_futex(r) && warden_counts_sleep(clock_of_futex(r));
    default: return is_absolute_sleep(r) && warden_counts_sleep((int)*argument(r, 0));
  }
}

/* The sleep of the machine counts for waits that are over at a time of the calendar. */
void warden_advance_waits(int64_t length) {
  for (int at = 0; at < warden.thread_count; at++) {
    struct wait *wait = &warden.threads[at]->wait;
    if (!wait->is_timed || wait->deadline >= never) continue;
    if (counts_sleep(&wait->call, rule_of(call_of(&wait->call)))) wait->deadline -= length;
  }
}

/* Takes the time out of a call. */
static void forget_time(registers *r, const struct rule *rule) {
  if (is_sleep(call_of(r))) return set_call(r, SYS_pause);
  *argument(r, rule->place) = rule->form == of_milliseconds ? ~0ULL : 0;
}

static int is_same_call(registers *a, registers *b) {
  return place_of(a) == place_of(b) && stack_of(a) == stack_of(b) &&
         *argument(a, 0) == *argument(b, 0) && *argument(a, 1) == *argument(b, 1);
}

void warden_wait(struct thread *t, registers *r) {
  struct wait *wait = &t->wait;
  const struct rule *rule = rule_of(call_of(r));
  int64_t until = deadline_of(t, r, rule);
  if (is_absolute_sleep(r)) {
    until = warden_time_at(t, *argument(r, 2)) - warden_base((int)*argument(r, 0));
    if (until <= warden.now) return warden_answer(t, r, 0);
  }
  int is_over = until <= warden.now && !is_sleep(call_of(r));
  if (is_over && rule->form == of_futex) return warden_answer(t, r, -ETIMEDOUT);
  /* One that only looks is for the system. */
  if (is_over && rule->form != of_clock && rule->form != of_calendar) return warden_go(t);
  wait->late = rule->late;
  if (wait->cut_deadline >= 0 && is_same_call(&wait->cut_call, r)) until = wait->cut_deadline;
  wait->cut_deadline = -1;
  forget_time(r, rule);
  wait->deadline = until;
  wait->is_timed = 1;
  wait->is_over = 0;
  ptrace(PTRACE_SETREGS, t->tid, 0, r);
  warden_go(t);
}

/* Calls of the other architecture of this processor, whose numbers mean something else. */
static int is_foreign(struct thread *t) {
  unsigned long message = 0;
  ptrace(PTRACE_GETEVENTMSG, t->tid, 0, &message);
  if (message != 1) return 0;
  warden_doubt(t->program, "refused", "a program for another architecture, which was killed");
  kill(t->pid, SIGKILL);
  return 1;
}

void warden_enter(struct thread *t) {
  registers r;
  ptrace(PTRACE_GETREGS, t->tid, 0, &r);
  if (is_foreign(t)) return warden_go(t);
  t->wait.call = r;
  t->wait.late = 0;
  const struct rule *rule = rule_of(call_of(&r));
  if (rule) return rule->enter(t, &r);
  warden_go(t);
}

/* The sets of `select` when its time is up. */
static void clear_sets(struct thread *t, registers *call) {
  static const char none[128];
  uint64_t size = (*argument(call, 0) + 63) / 64 * 8;
  for (int at = 1; at <= 3; at++) {
    uint64_t set = *argument(call, at);
    if (set) warden_put(t, set, none, size < sizeof none ? size : sizeof none);
  }
}

/* The rest of the time, where the system writes it. */
static void put_rest(struct thread *t, registers *call, int is_cut) {
  int64_t rest = t->wait.deadline > warden.now ? t->wait.deadline - warden.now : 0;
  int64_t parts[2] = {rest / second, rest % second / 1000};
  switch (call_of(call)) {
    case SYS_nanosleep:
      if (is_cut && *argument(call, 1)) warden_put_time(t, *argument(call, 1), rest);
      break;
    case SYS_clock_nanosleep:
      if (is_cut && !is_absolute_sleep(call) && *argument(call, 3))
        warden_put_time(t, *argument(call, 3), rest);
      break;
    case SYS_ppoll: warden_put_time(t, *argument(call, 2), rest); break;
    case SYS_pselect6: warden_put_time(t, *argument(call, 4), rest); break;
    case SYS_select: warden_put(t, *argument(call, 4), parts, sizeof parts); break;
    default: break;
  }
}

static void leave_wait(struct thread *t, registers *r) {
  struct wait *wait = &t->wait;
  registers *call = &wait->call;
  long value = result_of(r);
  int is_cut = value == -EINTR || (value <= first_restart && value >= last_restart);
  for (int at = 0; at < 6; at++) *argument(r, at) = *argument(call, at);
  set_call(r, call_of(call));
  if (wait->is_over && is_cut) {
    set_result(r, wait->late);
    set_call(r, no_call);
    if (call_of(call) == SYS_pselect6 || call_of(call) == SYS_select) clear_sets(t, call);
  } else if (is_cut) {
    /* A signal: its handler sees EINTR, and without a handler the wait goes on. */
    set_result(r, begin_again);
    wait->cut_deadline = wait->deadline;
    wait->cut_call = *call;
  }
  put_rest(t, call, is_cut && !wait->is_over);
  ptrace(PTRACE_SETREGS, t->tid, 0, r);
  wait->is_timed = wait->is_over = 0;
}

/* The end of a call that is timed or watched. */
void warden_leave(struct thread *t) {
  registers r;
  ptrace(PTRACE_GETREGS, t->tid, 0, &r);
  if (!t->wait.is_watched) return leave_wait(t, &r);
  t->wait.is_watched = 0;
  if (call_of(&t->wait.call) == SYS_timerfd_settime) {
    for (int at = 0; at < 6; at++) *argument(&r, at) = *argument(&t->wait.call, at);
    ptrace(PTRACE_SETREGS, t->tid, 0, &r);
  } else if (call_of(&t->wait.call) == SYS_timer_create) {
    if (result_of(&r) == 0) warden_note_timer(t, &t->wait.call);
  } else {
    warden_note_socket(t, &t->wait.call, result_of(&r));
  }
}

#endif
