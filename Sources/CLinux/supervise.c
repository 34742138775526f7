#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A process that does the work, and a small parent that survives its crashes.

   Both share a piece of memory, in which the worker notes what each of its threads does. So the
   parent knows what a crash has struck, whatever ended the worker, and the next worker knows what
   to leave out. The parent allocates nothing and starts no thread. */

enum { most_slots = 256, most_levels = 4, most_done = 1 << 20, stack_size = 64 << 10 };

struct level {
  _Atomic long long since;
  struct clinux_place place;
  char name[clinux_longest_name], detail[clinux_longest_name];
};

/* What a thread does: each level is inside of the one before. */
struct slot {
  atomic_int is_taken, depth;
  struct level levels[most_levels];
};

static struct shared {
  atomic_int crashes, ends_with_crash, signalled;
  /* How many signals the parent has passed on, and how many of them a worker has handled. */
  atomic_int passed, handled;
  /* The slot of the thread that crashed; below zero while it is not known. */
  atomic_int crashed_slot;
  struct clinux_crash crash[clinux_most_workers];
  atomic_int is_kept[clinux_kept_numbers];
  _Atomic long long kept[clinux_kept_numbers];
  _Atomic unsigned long long progress;
  atomic_uint done_count;
  struct slot slots[most_slots];
  _Atomic unsigned long long done[most_done];
} *shared;

enum { not_known = -1, no_slot = -2 };

static int results_file = -1, inputs_file = -1;

/* MARK: the parent */

static volatile pid_t worker;

static void pass_on(int number) {
  int problem = errno;
  shared->signalled = number;
  shared->passed++;
  if (worker > 0) kill(worker, number);
  errno = problem;
}

static const int passed_signals[] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction actions_before[3];

static void listen_for_signals(void) {
  for (int at = 0; at < 3; at++) {
    struct sigaction action = {.sa_handler = pass_on, .sa_flags = SA_RESTART};
    sigaction(passed_signals[at], 0, &actions_before[at]);
    /* `nohup` has asked for the run to survive its terminal. */
    if (passed_signals[at] == SIGHUP && actions_before[at].sa_handler == SIG_IGN) continue;
    sigaction(passed_signals[at], &action, 0);
  }
}

static int is_crash(int number) {
  switch (number) {
  case SIGILL: case SIGSEGV: case SIGBUS: case SIGFPE: case SIGABRT: case SIGTRAP: case SIGSYS:
  case SIGKILL: return 1;
  default: return 0;
  }
}

static struct level *top(struct slot *slot) {
  int depth = slot->depth;
  return depth == 0 ? 0 : &slot->levels[depth > most_levels ? most_levels - 1 : depth - 1];
}

/* Returns what was under way the longest, and how much else was. */
static struct level *find_oldest(int *others) {
  struct level *oldest = 0;
  int count = 0;
  for (int at = 0; at < most_slots; at++) {
    struct level *level = top(&shared->slots[at]);
    if (!level || level->since == 0) continue;
    count++;
    if (!oldest || level->since < oldest->since) oldest = level;
  }
  *others = count > 1 ? count - 1 : 0;
  return oldest;
}

static void note_crash(int number) {
  struct clinux_crash *crash = &shared->crash[shared->crashes];
  *crash = (struct clinux_crash){.signal = number};
  int slot = shared->crashed_slot;
  struct level *level =
      slot >= 0 ? top(&shared->slots[slot]) : slot == no_slot ? 0 : find_oldest(&crash->others);
  if (level) {
    crash->place = level->place;
    memcpy(crash->name, level->name, clinux_longest_name);
    memcpy(crash->detail, level->detail, clinux_longest_name);
  }
  shared->crashed_slot = not_known;
  for (int at = 0; at < most_slots; at++)
    shared->slots[at].depth = shared->slots[at].is_taken = 0;
  shared->crashes++;
}

static void complain(void) {
  struct clinux_crash *crash = &shared->crash[shared->crashes - 1];
  const char *name = sigabbrev_np(crash->signal);
  char text[3 * clinux_longest_name];
  int count = snprintf(
      text, sizeof text, "error[crashed]: the program crashed with SIG%s%s%s%s%s\n",
      name ? name : "?", *crash->name ? " in " : "", crash->name, *crash->detail ? ": " : "",
      crash->detail);
  (void)!write(2, text, count < (int)sizeof text ? (size_t)count : sizeof text - 1);
}

/* Ends this process as the worker has ended. */
static void end_as(int status) {
  if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
  int number = WTERMSIG(status);
  prctl(PR_SET_DUMPABLE, 0);
  signal(number, SIG_DFL);
  sigset_t all;
  sigemptyset(&all);
  sigprocmask(SIG_SETMASK, &all, 0);
  raise(number);
  _exit(128 + number);
}

static void wait_for_worker(void) {
  int status;
  while (waitpid(worker, &status, 0) < 0)
    if (errno != EINTR) _exit(3);
  worker = 0;
  if (!WIFSIGNALED(status) || !is_crash(WTERMSIG(status))) end_as(status);
  note_crash(WTERMSIG(status));
  if (!shared->ends_with_crash && shared->crashes < clinux_most_workers) return;
  complain();
  _exit(3);
}

/* MARK: the worker */

static _Thread_local int own_slot = no_slot;
static char *stacks;
static struct sigaction crash_actions_before[NSIG];

static void crashed(int number, siginfo_t *info, void *context) {
  (void)context;
  /* A signal of another process says nothing about the thread that receives it. */
  int is_own = info->si_code > 0 || info->si_pid == getpid();
  int unknown = not_known;
  if (is_own) atomic_compare_exchange_strong(&shared->crashed_slot, &unknown, own_slot);
  /* A faulty instruction is executed again, and ends the process. Before that, the runtime may show
     where it was. */
  if (is_own) sigaction(number, &crash_actions_before[number], 0);
  if (info->si_code > 0) return;
  if (is_own) raise(number);
  signal(number, SIG_DFL);
  raise(number);
}

static void watch_for_crashes(void) {
  const int numbers[] = {SIGILL, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
  struct sigaction action = {
      .sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  for (unsigned at = 0; at < sizeof numbers / sizeof *numbers; at++)
    sigaction(numbers[at], &action, &crash_actions_before[numbers[at]]);
}

static void become_worker(pid_t supervisor, const sigset_t *mask) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != supervisor) _exit(128 + SIGKILL);
  for (int at = 0; at < 3; at++) sigaction(passed_signals[at], &actions_before[at], 0);
  sigprocmask(SIG_SETMASK, mask, 0);
  watch_for_crashes();
}

static void free_slot(void *slot) {
  stack_t none = {.ss_flags = SS_DISABLE};
  sigaltstack(&none, 0);
  ((struct slot *)slot)->depth = 0;
  ((struct slot *)slot)->is_taken = 0;
}

static pthread_key_t slot_of_thread;

/* Takes a slot for this thread, with a stack for the handler: its own may be what is full. */
static void take_slot(void) {
  for (int at = 0; at < most_slots; at++) {
    int is_free = 0;
    if (!atomic_compare_exchange_strong(&shared->slots[at].is_taken, &is_free, 1)) continue;
    own_slot = at;
    pthread_setspecific(slot_of_thread, &shared->slots[at]);
    stack_t stack = {.ss_sp = stacks + (size_t)at * stack_size, .ss_size = stack_size};
    if (stacks) sigaltstack(&stack, 0);
    return;
  }
}

/* A test runner asks for this, since what kills it lets it end nothing. */
static void end_with_parent(void) {
  if (getenv("REHEARSE_ENDS_WITH_PARENT")) prctl(PR_SET_PDEATHSIG, SIGTERM);
  unsetenv("REHEARSE_ENDS_WITH_PARENT");
}

void clinux_supervise(void) {
  end_with_parent();
  void *memory = mmap(
      0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  shared = memory;
  shared->crashed_slot = not_known;
  results_file = memfd_create("rehearse-results", MFD_CLOEXEC);
  inputs_file = memfd_create("rehearse-inputs", MFD_CLOEXEC);
  pid_t self = getpid();
  sigset_t passed, before;
  sigemptyset(&passed);
  for (int at = 0; at < 3; at++) sigaddset(&passed, passed_signals[at]);
  for (int turn = 0;; turn++) {
    sigprocmask(SIG_BLOCK, &passed, &before);
    if (turn == 0) listen_for_signals();
    pid_t child = fork();
    if (child == 0) {
      become_worker(self, &before);
      break;
    }
    if (child < 0 && turn > 0) {
      complain();
      _exit(3);
    }
    if (child < 0) {
      for (int at = 0; at < 3; at++) sigaction(passed_signals[at], &actions_before[at], 0);
      sigprocmask(SIG_SETMASK, &before, 0);
      munmap(shared, sizeof *shared);
      shared = 0;
      return;
    }
    worker = child;
    sigprocmask(SIG_SETMASK, &before, 0);
    wait_for_worker();
  }
  pthread_key_create(&slot_of_thread, free_slot);
  memory = mmap(
      0, (size_t)most_slots * stack_size, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  stacks = memory == MAP_FAILED ? 0 : memory;
}

int clinux_crashes(void) { return shared ? shared->crashes : 0; }

const struct clinux_crash *clinux_crash_at(int number) { return &shared->crash[number]; }

const char *clinux_signal_name(int number) { return sigabbrev_np(number); }

int clinux_only_concludes(void) {
  if (!shared || shared->crashes == 0) return 0;
  return shared->crashes >= clinux_most_crashes || shared->signalled;
}

void clinux_begin_run(int is_another) {
  if (!shared) return;
  shared->done_count = 0;
  shared->progress = 0;
  if (results_file >= 0) (void)!ftruncate(results_file, 0);
  if (!is_another) return;
  shared->crashes = 0;
  for (int at = 0; at < clinux_kept_numbers; at++) shared->is_kept[at] = 0;
}

int clinux_is_supervised(void) { return shared != 0; }

void clinux_crash_ends(void) {
  if (shared) shared->ends_with_crash = 1;
}

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void copy(char *to, const char *from) {
  size_t count = strnlen(from, clinux_longest_name - 1);
  memcpy(to, from, count);
  to[count] = 0;
}

void clinux_begin(
    const char *name, const char *detail, struct clinux_place place, int is_suspect) {
  if (!shared) return;
  if (own_slot == no_slot) take_slot();
  if (own_slot == no_slot) return;
  struct slot *slot = &shared->slots[own_slot];
  int depth = slot->depth;
  if (depth < most_levels) {
    struct level *level = &slot->levels[depth];
    copy(level->name, name);
    copy(level->detail, detail);
    level->place = place;
    level->since = is_suspect ? now() : 0;
  }
  slot->depth = depth + 1;
}

void clinux_note(const char *detail) {
  if (!shared || own_slot == no_slot) return;
  struct level *level = top(&shared->slots[own_slot]);
  if (level) copy(level->detail, detail);
}

void clinux_end(void) {
  if (shared && own_slot != no_slot) shared->slots[own_slot].depth--;
}

void clinux_add_done(unsigned long long hash) {
  if (!shared) return;
  unsigned number = shared->done_count++;
  if (number < most_done) shared->done[number] = hash;
}

unsigned clinux_done_count(void) {
  if (!shared) return 0;
  return shared->done_count < most_done ? shared->done_count : most_done;
}

unsigned long long clinux_done_at(unsigned number) { return shared->done[number]; }

long long clinux_keep_number(int which, long long number) {
  if (!shared) return number;
  if (shared->is_kept[which]) return shared->kept[which];
  shared->kept[which] = number;
  shared->is_kept[which] = 1;
  return number;
}

void clinux_set_progress(unsigned long long progress) {
  if (shared) shared->progress = progress;
}

unsigned long long clinux_progress(void) { return shared ? shared->progress : 0; }

int clinux_results_file(void) { return shared ? results_file : -1; }
int clinux_inputs_file(void) { return shared ? inputs_file : -1; }

static void (*handlers[NSIG])(int);

static void handle(int number, siginfo_t *info, void *context) {
  (void)context;
  int problem = errno;
  (void)info;
  /* A terminal sends a signal to both processes. Two of a kind that wait become one, so that it does
     not matter who has sent the one that comes: the parent says how many it has passed on. */
  int handled = shared ? shared->handled : 0;
  if (!shared || (shared->passed > handled &&
                  atomic_compare_exchange_strong(&shared->handled, &handled, handled + 1)))
    handlers[number](number);
  errno = problem;
}

int clinux_handle(int number, void (*handler)(int)) {
  struct sigaction before, action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_RESTART};
  handlers[number] = handler;
  sigaction(number, &action, &before);
  return !(before.sa_flags & SA_SIGINFO) && before.sa_handler == SIG_IGN;
}
