#define _GNU_SOURCE
#include "warden.h"

#ifdef WARDEN_RUNS_HERE

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

/* Timers of programs. The kernel never has their times: it has timers that are not armed. */

/* An inherited file is its parent's, as long as nobody has another one of that number. */
static struct timer_file *timer_file_of(int pid, int descriptor) {
  for (int of = pid; of;) {
    for (EACH(struct timer_file, one, warden.timer_files))
      if (one->pid == of && one->descriptor == descriptor) return one;
    struct process *p = warden_process(of);
    of = p ? p->parent : 0;
  }
  return 0;
}

static int clock_of_file(int pid, int descriptor) {
  char path[64], text[512];
  snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", pid, descriptor);
  warden_file_text(path, text, sizeof text);
  const char *at = strstr(text, "clockid:");
  return at ? atoi(at + 8) : CLOCK_MONOTONIC;
}

static void put_timer(struct thread *t, uint64_t at, int64_t deadline, int64_t interval) {
  if (!at) return;
  int64_t left = deadline >= never ? 0 : deadline > warden.now ? deadline - warden.now : 1;
  warden_put_time(t, at, interval);
  warden_put_time(t, at + 16, left);
}

/* The kernel disarms the file, and forgets what it was ready with. */
void warden_set_timer_file(struct thread *t, registers *r) {
  int descriptor = (int)*argument(r, 0);
  uint64_t value = *argument(r, 2), below_stack = stack_of(r) - 512;
  char link[40];
  if (!warden_link(t->pid, descriptor, link, sizeof link) ||
      strcmp(link, "anon_inode:[timerfd]"))
    return warden_go(t);
  struct timer_file *f = timer_file_of(t->pid, descriptor);
  if (!f) {
    f = warden_add(&warden.timer_files, sizeof *f);
    *f = (struct timer_file){.pid = t->pid, .descriptor = descriptor, .deadline = never};
  }
  int64_t first = warden_time_at(t, value + 16);
  put_timer(t, *argument(r, 3), f->deadline, f->interval);
  f->interval = warden_time_at(t, value);
  int is_absolute = (int)*argument(r, 1) & TFD_TIMER_ABSTIME;
  int clock = clock_of_file(t->pid, descriptor);
  int64_t time = first - warden_base(clock);
  f->counts_sleep = clock == CLOCK_BOOTTIME || (is_absolute && warden_counts_sleep(clock));
  f->deadline = !first ? never : is_absolute ? time : warden_after(first);
  struct itimerspec off = {{0, 0}, {0, 0}};
  warden_put(t, below_stack, &off, sizeof off);
  *argument(r, 2) = below_stack;
  *argument(r, 3) = 0;
  t->wait.is_watched = 1;
  ptrace(PTRACE_SETREGS, t->tid, 0, r);
  warden_go(t);
}

void warden_get_timer_file(struct thread *t, registers *r) {
  struct timer_file *f = timer_file_of(t->pid, (int)*argument(r, 0));
  if (!f) return warden_go(t);
  put_timer(t, *argument(r, 1), f->deadline, f->interval);
  warden_answer(t, r, 0);
}

/* The time of a timer file has come: a thread of its process makes it ready, once it has stopped. */
void warden_ring(struct timer_file *f) {
  char link[40];
  int is_there = warden_link(f->pid, f->descriptor, link, sizeof link) &&
                 !strcmp(link, "anon_inode:[timerfd]");
  f->deadline = is_there && f->interval ? f->deadline + f->interval : never;
  for (int at = 0; is_there && at < warden.thread_count; at++) {
    struct thread *t = warden.threads[at];
    if (t->pid != f->pid || t->hold != goes_on || t->rings) continue;
    t->rings = f->descriptor + 1;
    ptrace(PTRACE_INTERRUPT, t->tid, 0, 0);
    return;
  }
}

/* Arms the file with a time that has been, and waits until the kernel has seen that. */
void warden_make_ready(struct thread *t) {
  registers r;
  ptrace(PTRACE_GETREGS, t->tid, 0, &r);
  uint64_t below_stack = stack_of(&r) - 512, file = (uint64_t)(t->rings - 1);
  struct itimerspec soon = {{0, 0}, {0, 1}};
  uint64_t set[5] = {file, TFD_TIMER_ABSTIME, below_stack, 0, 0}, get[5] = {file, below_stack};
  warden_put(t, below_stack, &soon, sizeof soon);
  t->rings = 0;
  if (warden_inject(t, SYS_timerfd_settime, set) != 0) return;
  for (int turn = 0; turn < 10000; turn++) {
    if (warden_inject(t, SYS_timerfd_gettime, get) != 0) return;
    warden_get(t, below_stack, &soon, sizeof soon);
    if (!soon.it_value.tv_sec && !soon.it_value.tv_nsec) break;
  }
  warden_continue_call(t);
}

static struct timer *timer_of(int pid, int id) {
  for (EACH(struct timer, one, warden.timers))
    if (one->pid == pid && one->id == id) return one;
  return 0;
}

void warden_use_timer(struct thread *t, registers *r) {
  struct timer *timer = timer_of(t->pid, (int)*argument(r, 0));
  if (!timer) return warden_go(t);
  if (call_of(r) == SYS_timer_gettime) {
    put_timer(t, *argument(r, 1), timer->deadline, timer->interval);
    return warden_answer(t, r, 0);
  }
  if (call_of(r) == SYS_timer_delete) {
    *timer = ((struct timer *)warden.timers.items)[--warden.timers.count];
    return warden_go(t);
  }
  uint64_t value = *argument(r, 2);
  int64_t first = warden_time_at(t, value + 16);
  put_timer(t, *argument(r, 3), timer->deadline, timer->interval);
  timer->interval = warden_time_at(t, value);
  int is_absolute = (int)*argument(r, 1) & TIMER_ABSTIME;
  int64_t time = first - warden_base(timer->clock);
  timer->counts_sleep =
      timer->clock == CLOCK_BOOTTIME || (is_absolute && warden_counts_sleep(timer->clock));
  timer->deadline = !first ? never : is_absolute ? time : warden_after(first);
  warden_answer(t, r, 0);
}

void warden_note_timer(struct thread *t, registers *call) {
  struct { uint64_t value; int signal, notify, tid; } wanted = {0, SIGALRM, 0, 0};
  struct timer timer = {
      .pid = t->pid, .clock = (int)*argument(call, 0), .deadline = never};
  uint64_t event = *argument(call, 1);
  warden_get(t, *argument(call, 2), &timer.id, sizeof timer.id);
  if (event) warden_get(t, event, &wanted, 20);
  timer.signal = wanted.notify == SIGEV_NONE ? 0 : wanted.signal;
  timer.tid = wanted.notify == SIGEV_THREAD_ID ? wanted.tid : 0;
  timer.value = event ? wanted.value : (uint64_t)timer.id;
  *(struct timer *)warden_add(&warden.timers, sizeof timer) = timer;
}

static void put_interval(struct thread *t, uint64_t at, struct process *p, int64_t left) {
  int64_t parts[4] = {p->alarm_interval / second, p->alarm_interval % second / 1000,
                      left / second, left % second / 1000};
  if (at) warden_put(t, at, parts, sizeof parts);
}

void warden_set_alarm(struct thread *t, registers *r) {
  struct process *p = warden_process(t->pid);
  int64_t left = p->alarm >= never ? 0 : p->alarm - warden.now;
  if (call_of(r) == SYS_alarm) {
    int64_t seconds = (int64_t)*argument(r, 0);
    p->alarm = seconds ? warden_after(seconds * second) : never;
    p->alarm_interval = 0;
    return warden_answer(t, r, (left + second - 1) / second);
  }
  if (*argument(r, 0) != ITIMER_REAL) {
    warden_doubt(t->program, "processor-time", "a timer of the processor's time");
    return warden_go(t);
  }
  int is_get = call_of(r) == SYS_getitimer;
  int64_t parts[4];
  int is_set = !is_get && warden_get(t, *argument(r, 1), parts, sizeof parts);
  put_interval(t, *argument(r, is_get ? 1 : 2), p, left);
  if (is_set) {
    int64_t first = parts[2] * second + parts[3] * 1000;
    p->alarm = first ? warden_after(first) : never;
    p->alarm_interval = parts[0] * second + parts[1] * 1000;
  }
  warden_answer(t, r, 0);
}

/* The kernel gets no time for a socket: whoever sleeps in it is found when all are at rest. */
void warden_set_socket_timeout(struct thread *t, registers *r) {
  enum { old_sending = 21, new_sending = 67 };
  int64_t time[2];
  int option = (int)*argument(r, 2);
  struct socket_timeout new = {
      .pid = t->pid, .descriptor = (int)*argument(r, 0),
      .is_sending = option == old_sending || option == new_sending};
  if (!warden_get(t, *argument(r, 3), time, sizeof time) ||
      !warden_link(t->pid, new.descriptor, new.file, sizeof new.file))
    return warden_go(t);
  new.length = time[0] * second + time[1] * 1000;
  struct socket_timeout *found = 0;
  for (EACH(struct socket_timeout, one, warden.socket_timeouts))
    if (one->pid == new.pid && one->descriptor == new.descriptor &&
        one->is_sending == new.is_sending)
      found = one;
  if (!found) found = warden_add(&warden.socket_timeouts, sizeof new);
  *found = new;
  warden_answer(t, r, 0);
}

void warden_advance_timers(int64_t length) {
  for (EACH(struct timer_file, one, warden.timer_files))
    if (one->counts_sleep && one->deadline < never) one->deadline -= length;
  for (EACH(struct timer, one, warden.timers))
    if (one->counts_sleep && one->deadline < never) one->deadline -= length;
}

static int is_receive(long call) {
  return call == SYS_recvfrom || call == SYS_recvmsg || call == SYS_read || call == SYS_readv ||
         call == SYS_accept || call == SYS_accept4;
}

static int is_send(long call) {
  return call == SYS_sendto || call == SYS_sendmsg || call == SYS_write || call == SYS_writev ||
         call == SYS_connect;
}

void warden_find_socket_deadlines(void) {
  if (!warden.socket_timeouts.count) return;
  for (int at = 0; at < warden.thread_count; at++) {
    struct thread *t = warden.threads[at];
    int is_sending = is_send(t->call);
    t->socket_deadline = never;
    if (t->wait.is_timed || t->hold != goes_on) continue;
    if (!is_sending && !is_receive(t->call)) continue;
    /* Time stands still between two instants of rest. */
    if (t->slept_runs != t->runs) {
      t->slept_runs = t->runs;
      t->slept_since = warden.now;
    }
    for (EACH(struct socket_timeout, one, warden.socket_timeouts)) {
      char file[40];
      if (one->pid == t->pid && one->descriptor == (int)t->arguments[0] && one->length &&
          one->is_sending == is_sending &&
          warden_link(t->pid, one->descriptor, file, sizeof file) && !strcmp(file, one->file))
        t->socket_deadline = t->slept_since + one->length;
    }
  }
}

/* Of a process that has ended, a child that has its timer files goes on with them. */
static void hand_over(struct timer_file *f) {
  char link[40];
  for (int at = 0; at < warden.process_count; at++) {
    struct process *p = warden.processes[at];
    if (p->parent != f->pid || !warden_link(p->pid, f->descriptor, link, sizeof link)) continue;
    if (strcmp(link, "anon_inode:[timerfd]")) continue;
    f->pid = p->pid;
    return;
  }
  f->pid = 0;
}

#define DROP(type, list, is_dropped)                                 \
  for (int at = (list).count - 1; at >= 0; at--) {                   \
    type *one = (type *)(list).items + at;                           \
    if (is_dropped) *one = ((type *)(list).items)[--(list).count];   \
  }

void warden_forget_timers(int pid) {
  for (EACH(struct timer_file, one, warden.timer_files))
    if (one->pid == pid) hand_over(one);
  DROP(struct timer_file, warden.timer_files, one->pid == 0)
  DROP(struct timer, warden.timers, one->pid == pid)
  DROP(struct socket_timeout, warden.socket_timeouts, one->pid == pid)
}

void warden_inherit(int parent, int child) {
  for (int at = warden.socket_timeouts.count - 1; at >= 0; at--) {
    struct socket_timeout copy = ((struct socket_timeout *)warden.socket_timeouts.items)[at];
    if (copy.pid != parent) continue;
    copy.pid = child;
    *(struct socket_timeout *)warden_add(&warden.socket_timeouts, sizeof copy) = copy;
  }
}

#endif
