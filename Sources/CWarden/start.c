#define _GNU_SOURCE
#include "warden.h"

#ifdef WARDEN_RUNS_HERE

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The beginning and the end of programs, and whether they can be in virtual time here. */

static const unsigned long trace_options =
    PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
    PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD;

static struct rlimit own_limit;

/* Each thread of a program takes three descriptors. */
static void raise_limit(void) {
  if (getrlimit(RLIMIT_NOFILE, &own_limit)) return;
  struct rlimit limit = own_limit;
  limit.rlim_cur = limit.rlim_max < 65536 ? limit.rlim_max : 65536;
  if (limit.rlim_cur > own_limit.rlim_cur) setrlimit(RLIMIT_NOFILE, &limit);
}

static void give_files(const int files[3]) {
  int copies[3];
  for (int at = 0; at < 3; at++) copies[at] = fcntl(files[at], F_DUPFD_CLOEXEC, 3);
  for (int at = 0; at < 3; at++) dup2(copies[at], at);
  syscall(SYS_close_range, 3, ~0U, 0);
}

/* A new child has the descriptors of all threads until it closes them: what one of them closes
   meanwhile is not yet seen by its peer, so that nobody is at rest. */
static _Atomic int forks_open;

int warden_is_forking(void) { return forks_open != 0; }

struct start {
  const char *path, *folder;
  char *const *arguments, *const *environment;
  const int *files;
  int warden;
};

static void fail(const char *name, const char *what) {
  dprintf(2, "rehearse: %s: %s\n", name, what);
  _exit(errno == ENOENT ? 127 : 126);
}

static void become_program(const struct start *start) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != start->warden) _exit(127);
  if (!warden.settings.has_outside) setpgid(0, 0);
  give_files(start->files);
  setrlimit(RLIMIT_NOFILE, &own_limit);
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, 0);
  if (start->folder && chdir(start->folder) != 0) fail(start->folder, strerror(errno));
  raise(SIGSTOP);
  if (!(warden.settings.without & cwarden_fixes_addresses)) personality(ADDR_NO_RANDOMIZE);
  prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
  if (warden_use_filter() != 0) fail("seccomp", strerror(errno));
  if (start->path) execve(start->path, start->arguments, start->environment);
  else execvpe(start->arguments[0], start->arguments, start->environment);
  fail(start->arguments[0], strerror(errno));
}

/* Waits until the child has stopped itself, and traces it. Returns 0 or an error number. */
static int trace(int pid) {
  int status;
  while (waitpid(pid, &status, WUNTRACED) < 0 && errno == EINTR) {}
  if (!WIFSTOPPED(status)) return ECHILD;
  if (ptrace(PTRACE_SEIZE, pid, 0, trace_options) == 0) return 0;
  int problem = errno;
  kill(pid, SIGKILL);
  waitpid(pid, &status, 0);
  return problem;
}

int cwarden_start(
    int id, const char *path, const char *folder, char *const arguments[],
    char *const environment[], const int files[3]) {
  struct start start = {path, folder, arguments, environment, files, getpid()};
  forks_open++;
  int pid = fork();
  if (pid == 0) become_program(&start);
  int problem = pid < 0 ? errno : trace(pid);
  forks_open--;
  if (problem) return problem;
  struct program *program = warden_add(&warden.programs, sizeof *program);
  uint64_t seed = warden.settings.seed * 2654435761ULL + 0x9E3779B97F4A7C15ULL * (unsigned)(id + 1);
  *program = (struct program){.id = id, .pid = pid, .random = seed | 1};
  warden_number(warden_add_thread(pid, id), id);
  warden_add_process(pid, id);
  kill(pid, SIGCONT);
  return 0;
}

static int is_traced(void) {
  char text[2048];
  warden_file_text("/proc/self/status", text, sizeof text);
  const char *at = strstr(text, "TracerPid:");
  return at && atoi(at + 10) != 0;
}

/* Tries the looks and the clock page with a child that only waits. */
static enum cwarden_obstacle try_child(int pid) {
  char text[256];
  struct thread *t = warden_add_thread(pid, 0);
  struct process *p = warden_add_process(pid, 0);
  uint64_t word = 0;
  enum cwarden_obstacle found = cwarden_possible;
  if (!warden_read(t, look_at_runs, text, sizeof text)) found = cwarden_no_counts;
  else if (!warden_read(t, look_at_call, text, sizeof text)) found = cwarden_no_calls;
  else if (!warden_get(t, (uint64_t)&pid, &word, sizeof pid)) found = cwarden_no_memory;
  else if (pwrite(p->memory, &word, sizeof pid, (off_t)(uint64_t)&pid) != sizeof pid)
    found = cwarden_no_memory;
  warden_drop_thread(t);
  warden_drop_process(pid);
  return found;
}

static enum cwarden_obstacle probe(void) {
  int status, parent = getpid();
  unsigned trace_action = 0x7ff00000;
  if (is_traced()) return cwarden_traced_already;
  if (!warden_find_clock()) return cwarden_no_clock_page;
  if (syscall(SYS_seccomp, 2 /* GET_ACTION_AVAIL */, 0, &trace_action)) return cwarden_no_filter;
  forks_open++;
  int pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    syscall(SYS_close_range, 0, ~0U, 0);
    if (getppid() == parent) raise(SIGSTOP);
    _exit(0);
  }
  int problem = pid < 0 ? errno : trace(pid);
  forks_open--;
  if (problem) return cwarden_no_trace;
  enum cwarden_obstacle found = try_child(pid);
  kill(pid, SIGKILL);
  while (waitpid(pid, &status, __WALL) == pid && WIFSTOPPED(status)) {}
  return found;
}

enum cwarden_obstacle cwarden_begin(const struct cwarden_settings *settings) {
  memset(&warden, 0, sizeof warden);
  warden.settings = *settings;
  warden.busy = -1;
  warden.netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  enum cwarden_obstacle found = warden.netlink < 0 ? cwarden_no_socket_states : probe();
  if (found != cwarden_possible) {
    if (warden.netlink >= 0) close(warden.netlink);
    return found;
  }
  raise_limit();
  /* Beside a run, this process has other children, whose orphans nobody here would wait for. */
  if (settings->has_outside) prctl(PR_SET_CHILD_SUBREAPER, 1);
  warden.is_on = 1;
  return found;
}

long long cwarden_now(void) { return warden.now; }

long long cwarden_instant(void) {
  static const int64_t millisecond = 1000000, most_added = 100000;
  int64_t added = warden.now % millisecond;
  return added <= warden.wakes && added < most_added ? warden.now - added : warden.now;
}

void cwarden_signal(int id, int number, int to_all) {
  for (int at = 0; at < warden.process_count; at++) {
    struct process *p = warden.processes[at];
    struct program *program = warden_program(p->program);
    int is_first = program && program->pid == p->pid;
    if (p->program != id || (!to_all && !is_first)) continue;
    /* Without a terminal, a program leads a group of its own. */
    kill(to_all || warden.settings.has_outside ? p->pid : -p->pid, number);
  }
}

void cwarden_end(void) {
  int status;
  if (!warden.is_on) return;
  while (warden.process_count > 0 || warden.thread_count > 0) {
    for (int at = 0; at < warden.process_count; at++) kill(warden.processes[at]->pid, SIGKILL);
    int tid = waitpid(-1, &status, __WALL | __WNOTHREAD);
    if (tid < 0 && errno == EINTR) continue;
    if (tid < 0) break;
    if (WIFSTOPPED(status)) {
      kill(tid, SIGKILL);
      ptrace(PTRACE_CONT, tid, 0, 0);
      continue;
    }
    struct thread *t = warden_thread(tid);
    if (t) warden_drop_thread(t);
    warden_drop_process(tid);
  }
  while (warden.thread_count > 0) warden_drop_thread(warden.threads[0]);
  while (warden.process_count > 0) warden_drop_process(warden.processes[0]->pid);
  struct list *lists[] = {&warden.programs, &warden.timer_files, &warden.timers,
                          &warden.socket_timeouts, &warden.lines, &warden.listeners,
                          &warden.ports};
  for (int at = 0; at < COUNT(lists); at++) free(lists[at]->items);
  free(warden.threads);
  free(warden.processes);
  close(warden.netlink);
  memset(&warden, 0, sizeof warden);
}

#else

/* Another machine: nothing is started. */

enum cwarden_obstacle cwarden_begin(const struct cwarden_settings *settings) {
  (void)settings;
  return cwarden_wrong_machine;
}

int cwarden_start(
    int program, const char *path, const char *folder, char *const arguments[],
    char *const environment[], const int files[3]) {
  (void)program, (void)path, (void)folder, (void)arguments, (void)environment, (void)files;
  return -1;
}

unsigned short cwarden_own_port(unsigned short port) { return port; }
unsigned short cwarden_port_of_machine(unsigned short port) { return port; }
unsigned short cwarden_asked_port(void) { return 0; }
void cwarden_answer(int problem) { (void)problem; }

enum cwarden_pause cwarden_idle(long long until, int is_limit, int descriptor, int program) {
  (void)until, (void)is_limit, (void)descriptor, (void)program;
  return cwarden_stuck;
}

long long cwarden_now(void) { return 0; }
long long cwarden_instant(void) { return 0; }
int cwarden_deadlines(long long *to, int most) { return (void)to, (void)most, 0; }
void cwarden_signal(int program, int number, int to_all) {
  (void)program, (void)number, (void)to_all;
}
void cwarden_pass_signals(int program) { (void)program; }
void cwarden_end(void) {}

#endif
