#define _GNU_SOURCE
#include "mechanisms.h"

#include <mqueue.h>
#include <poll.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/select.h>
#include <sys/sem.h>

static const struct timespec ten = {10, 0};

static int plain_sleep(void) { return nanosleep(&ten, 0); }

static int absolute_sleep(void) {
  struct timespec until = later(CLOCK_REALTIME, 10);
  return clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, 0);
}

static int futex_of_several(void) {
  uint32_t word = 0;
  struct { uint64_t value, address; uint32_t flags, reserved; } one = {0, (uint64_t)&word, 2, 0};
  struct timespec until = later(CLOCK_MONOTONIC, 9);
  syscall(449, &one, 1, 0, &until, CLOCK_MONOTONIC);
  return errno == ETIMEDOUT ? 0 : errno;
}

static int semaphore_of_system(void) {
  int set = semget(IPC_PRIVATE, 1, 0600);
  struct sembuf take = {0, -1, 0};
  semtimedop(set, &take, 1, &ten);
  int problem = errno;
  semctl(set, 0, IPC_RMID);
  return problem == EAGAIN ? 0 : problem;
}

static int message_queue(void) {
  struct mq_attr attributes = {.mq_maxmsg = 5, .mq_msgsize = 10};
  char text[10], name[64];
  snprintf(name, sizeof name, "/time-mechanisms-%d", getpid());
  mqd_t queue = mq_open(name, O_RDWR | O_CREAT, 0600, &attributes);
  mq_unlink(name);
  struct timespec until = later(CLOCK_REALTIME, 8);
  mq_timedreceive(queue, text, sizeof text, 0, &until);
  return errno == ETIMEDOUT ? 0 : errno;
}

static int full_message_queue(void) {
  struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = 10};
  char name[64];
  snprintf(name, sizeof name, "/time-mechanisms-full-%d", getpid());
  mqd_t queue = mq_open(name, O_RDWR | O_CREAT, 0600, &attributes);
  mq_unlink(name);
  struct timespec until = later(CLOCK_REALTIME, 8);
  mq_send(queue, "x", 1, 0);
  mq_timedsend(queue, "x", 1, 0, &until);
  return errno == ETIMEDOUT ? 0 : errno;
}

static int semaphore(void) {
  sem_t one;
  sem_init(&one, 0, 0);
  struct timespec until = later(CLOCK_REALTIME, 8);
  sem_timedwait(&one, &until);
  return errno == ETIMEDOUT ? 0 : errno;
}

static int locked_mutex(void) {
  pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&one);
  struct timespec until = later(CLOCK_REALTIME, 8);
  return pthread_mutex_timedlock(&one, &until) == ETIMEDOUT ? 0 : 1;
}

static pthread_mutex_t inherited = PTHREAD_MUTEX_INITIALIZER;

static void *hold_inherited(void *unused) {
  pthread_mutex_lock(&inherited);
  sleep_for(30);
  return unused;
}

/* A mutex that gives its owner the priority of those who wait is another operation of futexes. */
static int mutex_of_priority(void) {
  pthread_mutexattr_t attributes;
  pthread_t thread;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
  pthread_mutex_init(&inherited, &attributes);
  pthread_create(&thread, 0, hold_inherited, 0);
  sleep_for(1);
  struct timespec until = later(CLOCK_REALTIME, 6);
  return pthread_mutex_timedlock(&inherited, &until) == ETIMEDOUT ? 0 : 1;
}

static int condition(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t one = PTHREAD_COND_INITIALIZER;
  pthread_mutex_lock(&mutex);
  struct timespec until = later(CLOCK_REALTIME, 8);
  return pthread_cond_timedwait(&one, &mutex, &until) == ETIMEDOUT ? 0 : 1;
}

static int poll_of_pipe(void) {
  int ends[2];
  if (pipe(ends)) return 1;
  struct pollfd one = {ends[0], POLLIN, 0};
  return poll(&one, 1, 10000);
}

static int ppoll_of_pipe(void) {
  int ends[2];
  if (pipe(ends)) return 1;
  struct pollfd one = {ends[0], POLLIN, 0};
  return ppoll(&one, 1, &ten, 0);
}

static int pselect_of_pipe(void) {
  int ends[2];
  fd_set set;
  if (pipe(ends)) return 1;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  return pselect(ends[0] + 1, &set, 0, 0, &ten, 0) + (FD_ISSET(ends[0], &set) ? 50 : 0);
}

static int select_of_pipe(void) {
  int ends[2];
  fd_set set;
  struct timeval time = {10, 0};
  if (pipe(ends)) return 1;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  return select(ends[0] + 1, &set, 0, 0, &time);
}

static int epoll_in_milliseconds(void) {
  struct epoll_event event;
  return epoll_wait(epoll_create1(0), &event, 1, 10000);
}

static int epoll_in_nanoseconds(void) {
  struct epoll_event event;
  return (int)syscall(441, epoll_create1(0), &event, 1, &ten, 0, 8);
}

static int wait_for_signal(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, 0);
  sigtimedwait(&set, 0, &ten);
  return errno == EAGAIN ? 0 : errno;
}

static void *sleep_two(void *unused) {
  sleep_for(2);
  return unused;
}

static int threads(void) {
  pthread_t all[8];
  for (int at = 0; at < 8; at++) pthread_create(&all[at], 0, sleep_two, 0);
  for (int at = 0; at < 8; at++) pthread_join(all[at], 0);
  return 0;
}

static int hang(void) {
  int ends[2];
  char letter;
  if (pipe(ends)) return 1;
  return (int)read(ends[0], &letter, 1);
}

static int hang_at_lock(void) {
  pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&one);
  return pthread_mutex_lock(&one);
}

const struct mechanism waits[] = {
    {"nanosleep", plain_sleep}, {"absolute-sleep", absolute_sleep},
    {"futex-waitv", futex_of_several}, {"semtimedop", semaphore_of_system},
    {"mq-receive", message_queue}, {"mq-send", full_message_queue},
    {"sem-timedwait", semaphore}, {"mutex-timedlock", locked_mutex},
    {"mutex-of-priority", mutex_of_priority}, {"condition", condition},
    {"poll", poll_of_pipe}, {"ppoll", ppoll_of_pipe}, {"pselect", pselect_of_pipe},
    {"select", select_of_pipe}, {"epoll-wait", epoll_in_milliseconds},
    {"epoll-pwait2", epoll_in_nanoseconds}, {"sigtimedwait", wait_for_signal},
    {"threads", threads}, {"hang", hang}, {"hang-at-lock", hang_at_lock}, {0, 0}};
