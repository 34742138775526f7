#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <ftw.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <malloc.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

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

int clinux_unsent(int descriptor) {
  int count = 0;
  return ioctl(descriptor, SIOCOUTQNSD, &count) == 0 ? count : -1;
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

/* The two ends of a connection over TCP, as the one at the other side has them. */
static int name_ends(int descriptor, struct inet_diag_req_v2 *request) {
  struct sockaddr_in6 here = {0}, there = {0};
  socklen_t length = sizeof here, other = sizeof there;
  if (getsockname(descriptor, (struct sockaddr *)&here, &length) != 0) return 0;
  if (getpeername(descriptor, (struct sockaddr *)&there, &other) != 0) return 0;
  request->sdiag_family = here.sin6_family;
  request->sdiag_protocol = IPPROTO_TCP;
  request->idiag_states = ~0u;
  request->id.idiag_cookie[0] = request->id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  /* The ports of both families are at one place. */
  request->id.idiag_sport = there.sin6_port;
  request->id.idiag_dport = here.sin6_port;
  if (here.sin6_family == AF_INET) {
    memcpy(request->id.idiag_src, &((struct sockaddr_in *)&there)->sin_addr, 4);
    memcpy(request->id.idiag_dst, &((struct sockaddr_in *)&here)->sin_addr, 4);
  } else {
    memcpy(request->id.idiag_src, &there.sin6_addr, 16);
    memcpy(request->id.idiag_dst, &here.sin6_addr, 16);
  }
  return here.sin6_family == AF_INET || here.sin6_family == AF_INET6;
}

/* A socket that its process has closed has no file any more. */
int clinux_is_held(int descriptor) {
  struct {
    struct nlmsghdr head;
    struct inet_diag_req_v2 body;
  } request = {.head = {
                   .nlmsg_len = sizeof request,
                   .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                   .nlmsg_flags = NLM_F_REQUEST}};
  union {
    struct nlmsghdr head;
    char bytes[1024];
  } answer;
  if (!name_ends(descriptor, &request.body)) return 0;
  int link = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  if (link < 0) return 0;
  ssize_t count = -1;
  if (send(link, &request, sizeof request, 0) == sizeof request)
    count = recv(link, &answer, sizeof answer, MSG_DONTWAIT);
  close(link);
  if (count < (ssize_t)NLMSG_LENGTH(sizeof(struct inet_diag_msg))) return 0;
  if (answer.head.nlmsg_type != SOCK_DIAG_BY_FAMILY) return 0;
  return ((struct inet_diag_msg *)NLMSG_DATA(&answer.head))->idiag_inode != 0;
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

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)status;
  (void)kind;
  (void)place;
  return remove(path);
}

int clinux_remove_tree(const char *path) {
  int most_open = 16;
  if (nftw(path, remove_entry, most_open, FTW_DEPTH | FTW_PHYS) == 0 || errno == ENOENT) return 0;
  return errno;
}
