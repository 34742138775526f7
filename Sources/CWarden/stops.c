#define _GNU_SOURCE
#include "warden.h"

#ifdef WARDEN_RUNS_HERE

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What threads stop for: calls, signals, children, and their end. */

enum { begin_again = -514 };

static int is_restart(long value) { return value <= -512 && value >= -516; }

/* Calls that a thread makes for the warden. The warden has no descriptors of programs: one that is
   kept would keep a `close` of the program from its peer, and many systems refuse to give any. */

/* Waits until the thread has entered or left a call; zero if it is gone. */
static int await_call(struct thread *t) {
  int status;
  for (;;) {
    ptrace(PTRACE_SYSCALL, t->tid, 0, 0);
    do
      if (waitpid(t->tid, &status, __WALL) == t->tid) break;
    while (errno == EINTR);
    if (!WIFSTOPPED(status)) return 0;
    if (WSTOPSIG(status) == (SIGTRAP | 0x80)) return 1;
  }
}

/* Makes a call in a thread that has stopped at the end of one, or was interrupted in one. Its
   registers are as before then. Returns the result, or that the thread is lost. */
long warden_inject(struct thread *t, long call, const uint64_t arguments[5]) {
  registers before, r;
  unsigned long mask = 0, all = ~0UL;
  ptrace(PTRACE_GETREGS, t->tid, 0, &before);
  ptrace(PTRACE_GETSIGMASK, t->tid, sizeof mask, &mask);
  ptrace(PTRACE_SETSIGMASK, t->tid, sizeof all, &all);
  r = before;
  call_again(&r, call);
  for (int at = 0; at < 5; at++) *argument(&r, at) = arguments[at];
  ptrace(PTRACE_SETREGS, t->tid, 0, &r);
  /* Its beginning and its end. A thread that was killed is reaped with its process. */
  if (!await_call(t) || !await_call(t)) return lost_thread;
  ptrace(PTRACE_GETREGS, t->tid, 0, &r);
  ptrace(PTRACE_SETREGS, t->tid, 0, &before);
  ptrace(PTRACE_SETSIGMASK, t->tid, sizeof mask, &mask);
  return result_of(&r);
}

/* Has a thread that was interrupted go on in its call, as if it had not been. */
void warden_continue_call(struct thread *t) {
  registers r;
  ptrace(PTRACE_GETREGS, t->tid, 0, &r);
  long value = result_of(&r);
  if (call_of(&r) < 0 || (value != -EINTR && (value > -512 || value < -516))) return;
  call_again(&r, call_of(&r));
  ptrace(PTRACE_SETREGS, t->tid, 0, &r);
}

/* Reading the processor's counter faults, and is answered with the clock. */
static int answer_counter(struct thread *t) {
  registers r;
  unsigned char code[3] = {0};
  ptrace(PTRACE_GETREGS, t->tid, 0, &r);
  warden_get(t, r.rip, code, sizeof code);
  int is_short = code[0] == 0x0f && code[1] == 0x31;
  int is_long = code[0] == 0x0f && code[1] == 0x01 && code[2] == 0xf9;
  if (!is_short && !is_long) return 0;
  uint64_t value = (uint64_t)(warden.now + warden_base(CLOCK_MONOTONIC)) + ++warden.ticks;
  r.rax = (uint32_t)value;
  r.rdx = value >> 32;
  if (is_long) r.rcx = 0;
  r.rip += is_short ? 2 : 3;
  ptrace(PTRACE_SETREGS, t->tid, 0, &r);
  return 1;
}

void warden_ended(int pid, int status) {
  for (EACH(struct program, one, warden.programs)) {
    if (one->pid != pid || one->is_over) continue;
    one->is_over = 1;
    one->status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    warden_notify((struct cwarden_event){
        .kind = cwarden_exited, .program = one->id, .value = one->status});
  }
  if (!warden_process(pid)) return;
  warden_forget_timers(pid);
  warden_drop_process(pid);
}

static void let_go(struct thread *t) {
  if (t->hold != before_parent) return;
  t->hold = goes_on;
  warden_go(t);
}

/* The event of a parent, by which its child gets its number. */
static void born(struct thread *parent, int tid) {
  struct process *p = warden_process(parent->pid);
  int pid = parent->pid, program = parent->program;
  struct thread *t = warden_add_thread(tid, program);
  warden_number(t, program);
  if (t->pid == tid) {
    struct process *child = warden_add_process(tid, program);
    child->program = program;
    child->parent = pid;
    child->clock_page = p ? p->clock_page : 0;
    warden_write_clock(child);
    warden_inherit(pid, tid);
  }
  let_go(t);
}

static void executed(int pid) {
  struct thread *t = warden_thread(pid);
  for (int at = warden.thread_count - 1; at >= 0; at--) {
    struct thread *other = warden.threads[at];
    if (other->pid == pid && other != t) warden_drop_thread(other);
  }
  long order = t ? t->order : 0;
  int program = t ? t->program : -1;
  if (t) warden_drop_thread(t);
  t = warden_add_thread(pid, program);
  t->order = order;
  warden_prepare_image(warden_add_process(pid, program));
  ptrace(PTRACE_CONT, pid, 0, 0);
}

/* The time of a socket is up, if the call has not ended by itself. */
static void end_late_call(struct thread *t) {
  registers r;
  t->is_socket_late = 0;
  ptrace(PTRACE_GETREGS, t->tid, 0, &r);
  if (!is_restart(result_of(&r))) return;
  set_result(&r, call_of(&r) == SYS_connect ? -EINPROGRESS : -EAGAIN);
  set_call(&r, -1);
  ptrace(PTRACE_SETREGS, t->tid, 0, &r);
}

/* What the warden has interrupted the thread for. It stops at the end of its call, if that is seen,
   and not for the interruption then. */
static void after_interruption(struct thread *t) {
  if (t->is_socket_late) end_late_call(t);
  if (t->rings) warden_make_ready(t);
}

static void paused(struct thread *t, int signal) {
  if (signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU) {
    t->is_stopped = 1;
    ptrace(PTRACE_LISTEN, t->tid, 0, 0);
    return;
  }
  after_interruption(t);
  warden_go(t);
}

/* A signal that is traced also ends waits of programs which do not handle it. */
static void deliver(struct thread *t, int signal) {
  registers r;
  ptrace(PTRACE_GETREGS, t->tid, 0, &r);
  int is_epoll = call_of(&r) == SYS_epoll_wait || call_of(&r) == SYS_epoll_pwait;
  if (is_epoll && result_of(&r) == -EINTR) {
    set_result(&r, begin_again);
    ptrace(PTRACE_SETREGS, t->tid, 0, &r);
  }
  int is_seen = t->wait.is_timed || t->wait.is_watched;
  ptrace(is_seen ? PTRACE_SYSCALL : PTRACE_CONT, t->tid, 0, signal);
}

/* A child that stops before the event of its parent has no number yet: it waits for that. */
static void came_early(int tid) {
  struct thread *t = warden_add_thread(tid, -1);
  if (warden.settings.without & cwarden_holds_children)
    warden_go(t);
  else
    t->hold = before_parent;
}

static void stopped(struct thread *t, int status);

/* For tests: what a child does before the event of its parent is handled. */
static void let_child_go_first(struct thread *parent) {
  unsigned long child = 0;
  int status;
  ptrace(PTRACE_GETEVENTMSG, parent->tid, 0, &child);
  for (int turn = 0; turn < 20; turn++) {
    usleep(500);
    if (waitpid((int)child, &status, WNOHANG | __WALL) <= 0 || !WIFSTOPPED(status)) continue;
    struct thread *t = warden_thread((int)child);
    if (t)
      stopped(t, status);
    else
      came_early((int)child);
  }
}

static void stopped(struct thread *t, int status) {
  int signal = WSTOPSIG(status), event = status >> 16, tid = t->tid;
  unsigned long child = 0;
  t->is_stopped = 0;
  switch (event) {
    case PTRACE_EVENT_SECCOMP: warden_enter(t); return;
    case PTRACE_EVENT_EXEC: executed(tid); return;
    case PTRACE_EVENT_FORK:
    case PTRACE_EVENT_VFORK:
    case PTRACE_EVENT_CLONE:
      if (warden.settings.pauses) let_child_go_first(t);
      ptrace(PTRACE_GETEVENTMSG, tid, 0, &child);
      born(t, (int)child);
      warden_go(t);
      return;
    case PTRACE_EVENT_STOP: paused(t, signal); return;
    default: break;
  }
  if (signal == (SIGTRAP | 0x80)) {
    if (t->wait.is_timed || t->wait.is_watched) warden_leave(t);
    after_interruption(t);
    ptrace(PTRACE_CONT, tid, 0, 0);
  } else if (signal == SIGSEGV && answer_counter(t)) {
    warden_go(t);
  } else {
    deliver(t, signal);
  }
}

int warden_handle_stops(void) {
  int status, tid, count = 0;
  while ((tid = waitpid(-1, &status, WNOHANG | __WALL | __WNOTHREAD)) > 0) {
    struct thread *t = warden_thread(tid);
    count++;
    warden_pause();
    if (WIFEXITED(status) || WIFSIGNALED(status)) {
      if (t) warden_drop_thread(t);
      warden_ended(tid, status);
    } else if (!t) {
      came_early(tid);
    } else {
      stopped(t, status);
    }
  }
  return count;
}

#endif
