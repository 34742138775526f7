#define _GNU_SOURCE
#include "warden.h"

/* Whether all threads are at rest: three looks, since each alone is wrong at times. */

int cwarden_are_at_rest(const struct cwarden_eyes *eyes, unsigned without, int *busy) {
  enum { most_known = 64 };
  unsigned long few[most_known], *runs = few;
  int count = eyes->thread_count(), is_at_rest = 0, counts_late = 0;
  counts_late = (without & cwarden_counts_around_looks) != 0;
  if (!(without & cwarden_knows_ends) && eyes->is_one_ending()) return 0;
  if (count > most_known) runs = __builtin_alloca(sizeof *runs * (unsigned)count);
  for (int at = 0; at < count; at++) {
    *busy = at;
    /* Before the look, so that a run between the two shows. */
    if (!counts_late) runs[at] = eyes->runs(at);
    /* This waits until the thread is off its processor, but does not see that another one is just
       about to wake it. */
    if (!(without & cwarden_looks_at_processors) && !eyes->is_off(at)) return 0;
    if (counts_late) runs[at] = eyes->runs(at);
  }
  if (!(without & cwarden_looks_at_lines) && eyes->has_bytes_under_way()) {
    *busy = -1;
    return 0;
  }
  for (int at = 0; at < count; at++) {
    *busy = at;
    /* This sees that, but calls one asleep that is only about to be. */
    if (counts_late && eyes->runs(at) != runs[at]) return 0;
    if (!(without & cwarden_looks_at_states) && !eyes->is_asleep(at)) return 0;
    /* After the look. */
    if (!counts_late && eyes->runs(at) != runs[at]) return 0;
  }
  *busy = -1;
  is_at_rest = !eyes->handle_stops() && count == eyes->thread_count();
  return is_at_rest;
}

#ifdef WARDEN_RUNS_HERE

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* For tests: a pause at random, which must change nothing. */
void warden_pause(void) {
  unsigned *seed = &warden.settings.pauses;
  if (!*seed) return;
  *seed ^= *seed << 13;
  *seed ^= *seed >> 17;
  *seed ^= *seed << 5;
  if (*seed % 16 == 0) usleep(*seed % 1500);
  else if (*seed % 4 == 0) sched_yield();
}

static int thread_count(void) { return warden.thread_count; }

static unsigned long runs(int number) {
  char text[96];
  if (!warden_read(warden.threads[number], look_at_runs, text, sizeof text)) return 0;
  const char *last = strrchr(text, ' ');
  return warden.threads[number]->runs = last ? strtoul(last, 0, 10) : 0;
}

static int is_off(int number) {
  struct thread *t = warden.threads[number];
  char text[256], *rest;
  warden_pause();
  if (t->hold == at_gate) return 1;
  if (t->hold == before_parent) return 0;
  if (!warden_read(t, look_at_call, text, sizeof text) || text[0] == 'r') return 0;
  t->call = strtol(text, &rest, 10);
  for (int at = 0; at < COUNT(t->arguments); at++) t->arguments[at] = strtoul(rest, &rest, 16);
  return 1;
}

static int has_others(struct thread *t) {
  for (int at = 0; at < warden.thread_count; at++)
    if (warden.threads[at]->pid == t->pid && warden.threads[at] != t) return 1;
  return 0;
}

static int has_child(int pid) {
  for (int at = 0; at < warden.process_count; at++)
    if (warden.processes[at]->parent == pid) return 1;
  return 0;
}

/* Disks and page faults end by themselves. A thread that lent its memory to a child waits for the
   child. On a busy machine, any other call that makes a child waits for a moment, too:
   for memory, and before the child is there. */
static int waits_for_child(struct thread *t) {
  enum { call_clone3 = 435, lends_memory = 0x4000 };
  uint64_t flags = 0;
  if (t->call == SYS_vfork) flags = lends_memory;
  if (t->call == SYS_clone) flags = t->arguments[0];
  if (t->call == call_clone3) warden_get(t, t->arguments[0], &flags, sizeof flags);
  return (flags & lends_memory) && has_child(t->pid);
}

static int is_asleep(int number) {
  struct thread *t = warden.threads[number];
  char text[512];
  warden_pause();
  if (t->hold == at_gate) return 1;
  if (!warden_read(t, look_at_state, text, sizeof text)) return 0;
  const char *name = strrchr(text, ')');
  char state = name ? name[2] : 'R';
  return state == 'S' || state == 'T' || state == 't' || (state == 'Z' && has_others(t)) ||
         (state == 'D' && waits_for_child(t));
}

static int is_one_ending(void) {
  for (int at = 0; at < warden.process_count; at++)
    if (warden.processes[at]->is_ending) return 1;
  return 0;
}

static const struct cwarden_eyes own_eyes = {
    thread_count,        runs,          is_off, is_asleep,
    warden_handle_stops, is_one_ending, warden_lines_hold_bytes};

int warden_is_at_rest(void) {
  unsigned without = warden.settings.without;
  if (warden_is_forking() || warden_handle_stops()) return 0;
  /* The one that was busy the last time probably still is. */
  if (warden.busy >= 0 && warden.busy < warden.thread_count && !is_off(warden.busy)) return 0;
  return cwarden_are_at_rest(&own_eyes, without, &warden.busy);
}

#endif
