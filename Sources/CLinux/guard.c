#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Starting a program so that nothing of it is left behind.

   The program is a child of a guard, which is a child of this process. The guard adopts whatever
   the program leaves behind, and ends all of it once this process closes its end of the control
   socket, which the kernel does for a process that was killed. If the guard is killed, the kernel
   kills the program.

   Between fork and exec only functions that are safe in signal handlers are called, because this
   process has threads. */

enum { control_descriptor = 3 };

static void close_from(unsigned first) {
  if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
  for (int descriptor = (int)first; descriptor < 4096; descriptor++) close(descriptor);
}

static void report(int kind, int value) {
  struct clinux_program_report report = {kind, value};
  (void)!send(control_descriptor, &report, sizeof report, MSG_NOSIGNAL);
}

static void report_status(int status) {
  if (WIFSIGNALED(status))
    report(clinux_program_signalled, WTERMSIG(status));
  else
    report(clinux_program_exited, WEXITSTATUS(status));
}

/* Sends SIGKILL to each child of this process; those of a child that ends become ours. */
static void kill_children(void) {
  char text[4096];
  int file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  pid_t child = 0;
  ssize_t count;
  while ((count = read(file, text, sizeof text)) > 0)
    for (ssize_t at = 0; at < count; at++) {
      if (text[at] >= '0' && text[at] <= '9') {
        child = child * 10 + (text[at] - '0');
      } else if (child > 0) {
        kill(child, SIGKILL);
        child = 0;
      }
    }
  if (child > 0) kill(child, SIGKILL);
  close(file);
}

/* Reaps what has ended; false if nothing is left. The program itself is reported and forgotten. */
static int reap(pid_t *program) {
  int status;
  pid_t ended;
  while ((ended = waitpid(-1, &status, WNOHANG)) > 0)
    if (ended == *program) {
      report_status(status);
      *program = 0;
    }
  return ended == 0;
}

static void wait_for_child(int signals, int milliseconds) {
  struct pollfd one = {signals, POLLIN, 0};
  struct signalfd_siginfo info;
  if (poll(&one, 1, milliseconds) > 0) (void)!read(signals, &info, sizeof info);
}

/* Ends all descendants. Something the kernel cannot end is waited for, but not for ever. */
static void kill_all(pid_t *program, int signals) {
  for (int turn = 0; turn < 1000; turn++) {
    if (*program > 0) kill(-*program, SIGKILL);
    kill_children();
    if (!reap(program)) return;
    wait_for_child(signals, 5);
  }
}

static void guard(pid_t program, int signals) {
  struct pollfd both[2] = {{control_descriptor, POLLIN, 0}, {signals, POLLIN, 0}};
  for (;;) {
    poll(both, 2, -1);
    if (both[1].revents) wait_for_child(signals, 0);
    reap(&program);
    if (!both[0].revents) continue;
    unsigned char command;
    if (recv(control_descriptor, &command, 1, 0) != 1) break;
    if (command == clinux_program_kill_all)
      kill_all(&program, signals);
    else if (program > 0)
      kill(-program, command);
  }
  kill_all(&program, signals);
  _exit(0);
}

/* What the parts of a start share. */
struct start {
  const char *path;
  char *const *arguments;
  char *const *environment;
  const char *folder;
  int input, output, errors, status, control;
};

static void fail_start(int status, int kind) {
  struct clinux_program_report failure = {kind, errno};
  (void)!write(status, &failure, sizeof failure);
  _exit(127);
}

static void become_program(const struct start *start, pid_t guard) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != guard) _exit(127);
  /* The descriptors may have the numbers of those that they become. */
  int status = fcntl(start->status, F_DUPFD_CLOEXEC, 3);
  int input = fcntl(start->input, F_DUPFD_CLOEXEC, 3);
  int output = fcntl(start->output, F_DUPFD_CLOEXEC, 3);
  int errors = fcntl(start->errors, F_DUPFD_CLOEXEC, 3);
  dup2(input, 0);
  dup2(output, 1);
  dup2(errors, 2);
  syscall(SYS_close_range, 3, ~0U, 4 /* CLOSE_RANGE_CLOEXEC */);
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, 0);
  if (chdir(start->folder) != 0) fail_start(status, clinux_program_no_folder);
  execve(start->path, start->arguments, start->environment);
  fail_start(status, clinux_program_not_executed);
}

static void become_guard(const struct start *start) {
  setsid();
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_NAME, "rehearse-guard");
  signal(SIGCHLD, SIG_DFL);
  pid_t self = getpid();
  pid_t program = fork();
  if (program == 0) become_program(start, self);
  if (program < 0) fail_start(start->status, clinux_program_not_executed);
  setpgid(program, program);
  dup2(start->control, control_descriptor);
  close_from(control_descriptor + 1);
  int null = open("/dev/null", O_RDWR);
  for (int descriptor = 0; descriptor < 3; descriptor++) dup2(null, descriptor);
  if (null > control_descriptor) close(null);
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGCHLD);
  guard(program, signalfd(-1, &ends, SFD_NONBLOCK | SFD_CLOEXEC));
}

static void close_both(const int pair[2]) {
  if (pair[0] >= 0) close(pair[0]);
  if (pair[1] >= 0) close(pair[1]);
}

static int finish_start(struct start *start, int status, struct clinux_program *program) {
  close(start->status);
  struct clinux_program_report failure = {clinux_program_started, 0};
  ssize_t count;
  do count = read(status, &failure, sizeof failure);
  while (count < 0 && errno == EINTR);
  program->failure = failure;
  return 0;
}

/* Forks with all signals blocked, so that no handler of this process runs in the guard. */
static pid_t fork_guard(const struct start *start) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t guard = fork();
  if (guard == 0) become_guard(start);
  int problem = errno;
  pthread_sigmask(SIG_SETMASK, &before, 0);
  errno = problem;
  return guard;
}

int clinux_open_pipes(struct clinux_program *program, int theirs[4]) {
  int pairs[4][2] = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
  int failed = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pairs[3]);
  for (int at = 0; at < 3 && !failed; at++) failed = pipe2(pairs[at], O_CLOEXEC);
  if (failed) {
    int problem = errno;
    for (int at = 0; at < 4; at++) close_both(pairs[at]);
    return problem;
  }
  *program = (struct clinux_program){
      0, pairs[3][0], pairs[0][1], pairs[1][0], pairs[2][0], {clinux_program_started, 0}};
  int ours[4] = {program->control, program->input, program->output, program->errors};
  for (int at = 0; at < 4; at++) {
    fcntl(ours[at], F_SETFL, fcntl(ours[at], F_GETFL) | O_NONBLOCK);
    theirs[at] = pairs[at][at > 0];
  }
  return 0;
}

void clinux_close_pipes(const struct clinux_program *program) {
  int ours[4] = {program->control, program->input, program->output, program->errors};
  for (int at = 0; at < 4; at++) close(ours[at]);
}

int clinux_start_program(
    const char *path, char *const arguments[], char *const environment[], const char *folder,
    struct clinux_program *program) {
  int theirs[4], status[2] = {-1, -1};
  int problem = clinux_open_pipes(program, theirs);
  if (problem) return problem;
  if (pipe2(status, O_CLOEXEC)) problem = errno;
  struct start start = {
      path, arguments, environment, folder, theirs[0], theirs[1], theirs[2], status[1], theirs[3]};
  if (!problem && (program->guard = fork_guard(&start)) < 0) problem = errno;
  for (int at = 0; at < 4; at++) close(theirs[at]);
  if (problem) {
    close_both(status);
    clinux_close_pipes(program);
    return problem;
  }
  int result = finish_start(&start, status[0], program);
  close(status[0]);
  return result;
}

long clinux_write_quietly(int descriptor, const void *bytes, unsigned long count) {
  sigset_t pipe, before;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, &before);
  ssize_t written = write(descriptor, bytes, count);
  int problem = errno;
  if (written < 0 && problem == EPIPE && !sigismember(&before, SIGPIPE)) {
    struct timespec now = {0, 0};
    while (sigtimedwait(&pipe, 0, &now) < 0 && errno == EINTR) {}
  }
  pthread_sigmask(SIG_SETMASK, &before, 0);
  errno = problem;
  return written;
}
