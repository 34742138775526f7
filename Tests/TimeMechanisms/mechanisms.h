#pragma once

/* What a program may do with time, a case each. A case returns 0 if all was as it should be. */

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct mechanism {
  const char *name;
  int (*run)(void);
};

extern const struct mechanism waits[], timers[], sockets[], others[];

static inline double milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static inline void sleep_for(int seconds) {
  struct timespec time = {seconds, 0};
  nanosleep(&time, 0);
}

static inline struct timespec later(clockid_t clock, int seconds) {
  struct timespec time;
  clock_gettime(clock, &time);
  time.tv_sec += seconds;
  return time;
}

extern volatile int hits;
void hit(int signal);
int without_trace(char **words);
