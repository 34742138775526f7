#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <linux/tcp.h>
#include <malloc.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>

const unsigned clinux_readable = EPOLLIN | EPOLLRDHUP;
const unsigned clinux_writable = EPOLLOUT;
const unsigned clinux_broken = EPOLLERR | EPOLLHUP;

int clinux_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int clinux_epoll_add(int epoll, int descriptor, unsigned events) {
  struct epoll_event event = {.events = events | EPOLLET, .data = {.fd = descriptor}};
  return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

int clinux_epoll_remove(int epoll, int descriptor) {
  struct epoll_event unused;
  return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &unused);
}

/* Kernels before 5.11 only know milliseconds, and are then asked for no less than was meant. */
static int wait_for(int epoll, struct epoll_event *events, int most, long long nanoseconds) {
  struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  int count = epoll_pwait2(epoll, events, most, nanoseconds < 0 ? 0 : &time, 0);
  if (count >= 0 || errno != ENOSYS) return count;
  long long milliseconds = nanoseconds < 0 ? -1 : (nanoseconds + 999999) / 1000000;
  return epoll_wait(epoll, events, most, milliseconds > 60000 ? 60000 : (int)milliseconds);
}

int clinux_epoll_wait(int epoll, struct clinux_ready *ready, int most, long long nanoseconds) {
  struct epoll_event events[64];
  int count = wait_for(epoll, events, most > 64 ? 64 : most, nanoseconds);
  for (int at = 0; at < count; at++) {
    ready[at].descriptor = events[at].data.fd;
    ready[at].events = events[at].events;
  }
  return count;
}

int clinux_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

int clinux_accept(int listener, struct sockaddr *address, unsigned *length) {
  return accept4(listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int clinux_unacknowledged(int descriptor) {
  int count = 0;
  return ioctl(descriptor, TIOCOUTQ, &count) == 0 ? count : -1;
}

/* The system's number for a connection that is over; its header has it for itself only. */
enum { closed_state = 7 };

long long clinux_confirmed(int descriptor) {
  struct tcp_info info = {0};
  socklen_t length = sizeof info;
  if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return -1;
  /* The system counts the beginning of the connection as a byte. */
  return (long long)info.tcpi_bytes_acked - 1;
}

int clinux_was_reset(int descriptor) {
  struct tcp_info info = {0};
  socklen_t length = sizeof info;
  if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return 0;
  return info.tcpi_state == closed_state;
}

unsigned long clinux_processors(void) {
  cpu_set_t set;
  unsigned long processors = 0;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 0;
  for (int number = 0; number < 64; number++)
    if (CPU_ISSET(number, &set)) processors |= 1UL << number;
  return processors;
}

void clinux_use_processors(unsigned long processors) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int number = 0; number < 64; number++)
    if (processors >> number & 1) CPU_SET(number, &set);
  sched_setaffinity(0, sizeof set, &set);
}

void clinux_keep_freed_memory(void) {
  /* The largest blocks that the allocator takes from its heap; glibc refuses more. */
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  mallopt(M_TOP_PAD, 1 << 20);
}
