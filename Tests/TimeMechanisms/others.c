#define _GNU_SOURCE
#include "mechanisms.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/times.h>
#include <sys/time.h>
#include <x86intrin.h>

static int ring_of_kernel(void) {
  char parameters[256] = {0};
  return syscall(425, 4, parameters) == -1 && errno == ENOSYS ? 0 : 1;
}

static int spin(void) {
  double end = milliseconds() + 50;
  while (milliseconds() < end) hits++;
  return 0;
}

static int spin_and_yield(void) {
  double end = milliseconds() + 50;
  while (milliseconds() < end) sched_yield();
  return 0;
}

static int long_spin(void) {
  time_t end = time(0) + 60;
  while (time(0) < end) hits++;
  return 0;
}

static int compute(void) {
  volatile double x = 1;
  for (long turn = 0; turn < 100000000; turn++) x *= 1.0000001;
  sleep_for(10);
  return 0;
}

static void send_soon(int signal, int again) {
  int parent = getpid();
  if (fork()) return;
  sleep_for(2);
  kill(parent, signal);
  if (again) {
    sleep_for(2);
    kill(parent, again);
  }
  _exit(0);
}

static int ignored_signal(void) {
  struct timespec ten = {10, 0};
  send_soon(SIGWINCH, 0);
  return nanosleep(&ten, 0);
}

static int ignored_during_poll(void) {
  send_soon(SIGWINCH, 0);
  return poll(0, 0, 10000);
}

static int stopped(void) {
  struct timespec ten = {10, 0};
  send_soon(SIGSTOP, SIGCONT);
  return nanosleep(&ten, 0);
}

static int lent_memory(void) {
  if (!vfork()) {
    execl("/bin/sleep", "sleep", "4", (char *)0);
    _exit(1);
  }
  wait(0);
  return 0;
}

static int shell(void) { return system("sleep 3; sleep 4"); }

static int daemon_of_program(void) {
  int ends[2];
  char letter;
  if (pipe(ends)) return 1;
  if (!fork()) {
    setsid();
    if (!fork()) {
      sleep_for(10);
      _exit(write(ends[1], "x", 1) != 1);
    }
    _exit(0);
  }
  wait(0);
  return read(ends[0], &letter, 1) == 1 ? 0 : 1;
}

static int counter(void) {
  unsigned unused;
  unsigned long long before = __rdtsc();
  sleep_for(10);
  unsigned long long passed = __rdtscp(&unused) - before;
  return passed / 1000000 == 10000 ? 0 : 1;
}

static int clock_ticks(void) {
  struct tms unused;
  clock_t before = times(&unused);
  sleep_for(10);
  return (int)(times(&unused) - before) - 1000;
}

static int processor_timer(void) {
  struct itimerval every = {{0, 0}, {100, 0}};
  return setitimer(ITIMER_PROF, &every, 0);
}

static int lock_of_file(void) {
  char path[] = "/tmp/time-mechanisms-XXXXXX";
  int one = mkstemp(path), other = open(path, O_RDWR);
  struct flock lock = {.l_type = F_WRLCK};
  unlink(path);
  if (!fork()) {
    fcntl(one, F_SETLKW, &lock);
    sleep_for(2);
    _exit(0);
  }
  sleep_for(1);
  return fcntl(other, F_SETLKW, &lock);
}

/* Many threads that end together sleep in their old calls for a moment. */
static void *wait_long(void *unused) {
  sleep_for(1000);
  return unused;
}

static int end_of_many(void) {
  int result = 0;
  for (int turn = 0; turn < 20; turn++) {
    int status;
    if (!fork()) {
      pthread_t thread;
      for (int at = 0; at < 50; at++) pthread_create(&thread, 0, wait_long, 0);
      sleep_for(1);
      exit(0);
    }
    wait(&status);
    result += status;
  }
  return result;
}

static int many_children(void) {
  for (int turn = 0; turn < 300; turn++)
    if (!fork()) {
      sleep_for(1);
      _exit(0);
    }
  while (wait(0) > 0) {}
  return 0;
}

/* The random bytes that a child gets are those of its program's seed. */
static int random_of_child(void) {
  uint64_t numbers[2] = {0, 0};
  if (fork()) return wait(0) < 0;
  syscall(SYS_getrandom, numbers, sizeof numbers, 0);
  printf("random %016lx%016lx\n", (unsigned long)numbers[0], (unsigned long)numbers[1]);
  fflush(stdout);
  _exit(0);
}

static void use_one_processor(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(0, &set);
  sched_setaffinity(0, sizeof set, &set);
}

/* A machine that is busy: two of these beside a case. */
static int busy(void) {
  use_one_processor();
  for (;;) hits++;
  return 0;
}

/* Computes for a while, which takes long on a busy processor, and then reads the clock often. */
static int starved(void) {
  volatile double x = 1;
  use_one_processor();
  setpriority(PRIO_PROCESS, 0, 5);
  for (long turn = 0; turn < 20000000; turn++) x *= 1.0000001;
  for (int turn = 0; turn < 20000; turn++) milliseconds();
  return 0;
}

/* Runs a program in which tracing is forbidden. */
int without_trace(char **words) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {4, code};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
  return execvp(words[0], words);
}

/* A program that stops itself. */
static int stop_itself(void) { return raise(SIGSTOP); }

const struct mechanism others[] = {
    {"io-uring", ring_of_kernel}, {"spin", spin}, {"spin-yield", spin_and_yield},
    {"spin-long", long_spin}, {"compute", compute}, {"ignored-signal", ignored_signal},
    {"ignored-poll", ignored_during_poll}, {"stopped", stopped}, {"vfork", lent_memory},
    {"system", shell}, {"daemon", daemon_of_program}, {"tsc", counter}, {"times", clock_ticks},
    {"processor-time", processor_timer}, {"flock", lock_of_file}, {"end-of-many", end_of_many},
    {"many-children", many_children}, {"random-of-child", random_of_child}, {"busy", busy},
    {"starved", starved}, {"stop-itself", stop_itself}, {0, 0}};
