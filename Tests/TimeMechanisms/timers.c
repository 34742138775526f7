#define _GNU_SOURCE
#include "mechanisms.h"

#include <poll.h>
#include <sys/time.h>
#include <sys/timerfd.h>

static int alarm_clock(void) {
  signal(SIGALRM, hit);
  alarm(5);
  pause();
  return hits - 1;
}

static int interval_timer(void) {
  struct itimerval every = {{1, 500000}, {1, 500000}};
  signal(SIGALRM, hit);
  setitimer(ITIMER_REAL, &every, 0);
  while (hits < 4) pause();
  return 0;
}

static int rest_of_interval(void) {
  struct itimerval every = {{0, 0}, {9, 0}}, rest;
  signal(SIGALRM, hit);
  setitimer(ITIMER_REAL, &every, 0);
  sleep_for(4);
  getitimer(ITIMER_REAL, &rest);
  return rest.it_value.tv_sec == 4 || rest.it_value.tv_sec == 5 ? 0 : 1;
}

static int alarm_during_read(void) {
  int ends[2];
  char letter;
  struct sigaction action = {.sa_handler = hit};
  sigaction(SIGALRM, &action, 0);
  if (pipe(ends)) return 1;
  alarm(5);
  return read(ends[0], &letter, 1) == -1 && errno == EINTR ? 0 : 1;
}

static int timer_with_signal(void) {
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
  struct itimerspec every = {{2, 0}, {2, 0}};
  signal(SIGRTMIN, hit);
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  timer_settime(timer, 0, &every, 0);
  while (hits < 3) pause();
  return 0;
}

static int absolute_timer(void) {
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
  struct itimerspec at = {{0, 0}, later(CLOCK_REALTIME, 4)}, rest;
  signal(SIGRTMIN, hit);
  timer_create(CLOCK_REALTIME, &event, &timer);
  timer_settime(timer, TIMER_ABSTIME, &at, 0);
  timer_gettime(timer, &rest);
  while (!hits) pause();
  return timer_delete(timer) + (rest.it_value.tv_sec == 4 ? 0 : 1);
}

static void hit_by_thread(union sigval value) {
  (void)value;
  hits++;
}

static int timer_with_thread(void) {
  timer_t timer;
  struct sigevent event = {
      .sigev_notify = SIGEV_THREAD, .sigev_notify_function = hit_by_thread};
  struct itimerspec once = {{0, 0}, {6, 0}};
  timer_create(CLOCK_REALTIME, &event, &timer);
  timer_settime(timer, 0, &once, 0);
  while (!hits) sleep_for(2);
  return 0;
}

static int absolute_timer_file(void) {
  uint64_t times;
  int file = timerfd_create(CLOCK_REALTIME, 0), result = 0;
  struct itimerspec every = {{3, 0}, later(CLOCK_REALTIME, 5)}, rest;
  timerfd_settime(file, TFD_TIMER_ABSTIME, &every, 0);
  timerfd_gettime(file, &rest);
  for (int turn = 0; turn < 3; turn++)
    result += read(file, &times, sizeof times) != sizeof times || times != 1;
  return result + (rest.it_value.tv_sec == 5 ? 0 : 10);
}

static int closed_timer_file(void) {
  uint64_t times;
  int file = timerfd_create(CLOCK_MONOTONIC, 0);
  struct itimerspec every = {{1, 0}, {1, 0}};
  timerfd_settime(file, 0, &every, 0);
  int result = read(file, &times, sizeof times) != sizeof times;
  close(file);
  sleep_for(10);
  return result;
}

static int set_again(void) {
  uint64_t times;
  int file = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  struct itimerspec first = {{0, 0}, {1, 0}}, second = {{0, 0}, {9, 0}};
  timerfd_settime(file, 0, &first, 0);
  sleep_for(3);
  /* What it was ready with is forgotten. */
  timerfd_settime(file, 0, &second, 0);
  return read(file, &times, sizeof times) == -1 && errno == EAGAIN ? 0 : 1;
}

/* A loop of events waits for its files with a time-out of its own. */
static int timer_file_in_poll(void) {
  struct pollfd one = {timerfd_create(CLOCK_MONOTONIC, 0), POLLIN, 0};
  struct itimerspec every = {{5, 0}, {5, 0}};
  uint64_t times;
  timerfd_settime(one.fd, 0, &every, 0);
  int result = poll(&one, 1, 60000) != 1 || read(one.fd, &times, sizeof times) != sizeof times;
  return result + (poll(&one, 1, 2000) != 0);
}

static int inherited_timer_file(void) {
  uint64_t times;
  int status, file = timerfd_create(CLOCK_MONOTONIC, 0);
  struct itimerspec once = {{0, 0}, {5, 0}};
  timerfd_settime(file, 0, &once, 0);
  if (!fork()) _exit(read(file, &times, sizeof times) != sizeof times);
  wait(&status);
  return status;
}

/* The parent has ended when the time of its file comes. */
static int orphaned_timer_file(void) {
  uint64_t times;
  int ends[2], file = timerfd_create(CLOCK_MONOTONIC, 0);
  char letter;
  struct itimerspec once = {{0, 0}, {5, 0}};
  if (pipe(ends)) return 1;
  if (!fork()) {
    timerfd_settime(file, 0, &once, 0);
    if (!fork()) {
      int is_read = read(file, &times, sizeof times) == sizeof times;
      _exit(write(ends[1], is_read ? "y" : "n", 1) != 1);
    }
    sleep_for(1);
    _exit(0);
  }
  return read(ends[0], &letter, 1) == 1 && letter == 'y' ? 0 : 1;
}

static void sleep_three(int signal) {
  hit(signal);
  sleep_for(3);
}

static int handler_that_sleeps(void) {
  struct timespec ten = {10, 0}, rest = {0, 0};
  struct sigaction action = {.sa_handler = sleep_three};
  sigaction(SIGALRM, &action, 0);
  alarm(5);
  int result = nanosleep(&ten, &rest);
  return result == -1 && errno == EINTR && rest.tv_sec == 4 && rest.tv_nsec == 999999999 ? 0 : 1;
}

static int handler_that_restarts(void) {
  int ends[2];
  char letter;
  struct sigaction action = {.sa_handler = hit, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &action, 0);
  if (pipe(ends)) return 1;
  alarm(3);
  if (!fork()) {
    sleep_for(10);
    _exit(write(ends[1], "x", 1) != 1);
  }
  return read(ends[0], &letter, 1) == 1 ? 0 : 1;
}

const struct mechanism timers[] = {
    {"alarm", alarm_clock}, {"setitimer", interval_timer}, {"getitimer", rest_of_interval},
    {"alarm-in-read", alarm_during_read}, {"timer-create", timer_with_signal},
    {"timer-absolute", absolute_timer}, {"timer-thread", timer_with_thread},
    {"timerfd-absolute", absolute_timer_file}, {"timerfd-closed", closed_timer_file},
    {"timerfd-again", set_again},
    {"timerfd-poll", timer_file_in_poll}, {"timerfd-fork", inherited_timer_file},
    {"timerfd-orphan", orphaned_timer_file}, {"handler", handler_that_sleeps},
    {"handler-restart", handler_that_restarts}, {0, 0}};
