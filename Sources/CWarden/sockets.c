#define _GNU_SOURCE
#include "warden.h"

#ifdef WARDEN_RUNS_HERE

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/un.h>

/* Sockets of programs: whom they reach, and who goes first at one instant. */

/* The end of this call is seen. */
void warden_watch(struct thread *t, registers *r) {
  (void)r;
  t->wait.is_watched = 1;
  warden_go(t);
}

/* What others see waits until all else is at rest: then the first thread goes on. */
static void hold(struct thread *t) { t->hold = at_gate; }

static void read_address(
    struct thread *t, uint64_t at, uint64_t length, struct sockaddr_storage *to) {
  memset(to, 0, sizeof *to);
  warden_get(t, at, to, length < sizeof *to ? length : sizeof *to);
}

static int is_of_machine(const struct sockaddr_storage *s) {
  const struct sockaddr_in *four = (const struct sockaddr_in *)(const void *)s;
  const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)(const void *)s;
  if (s->ss_family == AF_INET) {
    uint32_t host = ntohl(four->sin_addr.s_addr);
    return host >> 24 == 127 || host == 0;
  }
  if (s->ss_family != AF_INET6) return 1;
  const struct in6_addr *host = &six->sin6_addr;
  return IN6_IS_ADDR_LOOPBACK(host) || IN6_IS_ADDR_UNSPECIFIED(host) ||
         (IN6_IS_ADDR_V4MAPPED(host) && host->s6_addr[12] == 127);
}

static void name_address(const struct address *address, char *to, size_t room) {
  char host[64] = "";
  inet_ntop(address->family, address->host, host, sizeof host);
  snprintf(to, room, "%s port %d", host, ntohs(address->port));
}

/* Whether an address is that of another machine, which there is no way to then. */
static int leaves_machine(struct thread *t, uint64_t at, uint64_t length) {
  struct sockaddr_storage s;
  struct address address;
  char text[100];
  read_address(t, at, length, &s);
  if (is_of_machine(&s)) return 0;
  warden_address(&s, &address);
  name_address(&address, text, sizeof text);
  warden_doubt(t->program, "leaves", text);
  return 1;
}

/* Writes the port of an address in memory, if it has one, as the machine or as programs have it. */
static void write_port(struct thread *t, uint64_t at, uint16_t (*number)(uint16_t)) {
  struct { uint16_t family, port; } head = {0, 0};
  if (!at || !warden_get(t, at, &head, sizeof head)) return;
  if (head.family != AF_INET && head.family != AF_INET6) return;
  uint16_t port = head.port ? number(head.port) : 0;
  if (port != head.port) warden_put(t, at + sizeof head.family, &port, sizeof port);
}

/* Until the end of the call, the port is the one of the machine. */
void warden_bind(struct thread *t, registers *r) {
  struct sockaddr_storage s;
  struct address address;
  read_address(t, *argument(r, 1), *argument(r, 2), &s);
  warden_address(&s, &address);
  if (address.port && warden_real_port(address.port) == address.port) warden_keep_port(address.port);
  write_port(t, *argument(r, 1), warden_real_port);
  warden_watch(t, r);
}

void warden_connect(struct thread *t, registers *r) {
  if (leaves_machine(t, *argument(r, 1), *argument(r, 2)))
    return warden_answer(t, r, -ENETUNREACH);
  write_port(t, *argument(r, 1), warden_real_port);
  t->wait.is_watched = 1;
  hold(t);
}

/* The port to which a thread at a gate connects; zero if it does something else. */
uint16_t warden_port_of_connect(struct thread *t) {
  struct { uint16_t family, port; } to = {0, 0};
  if (call_of(&t->wait.call) != SYS_connect) return 0;
  warden_get(t, *argument(&t->wait.call, 1), &to, sizeof to);
  return to.family == AF_INET || to.family == AF_INET6 ? to.port : 0;
}

void warden_fail_connect(struct thread *t, int problem) {
  registers r;
  ptrace(PTRACE_GETREGS, t->tid, 0, &r);
  write_port(t, *argument(&r, 1), warden_shown_port);
  t->wait.is_watched = 0;
  warden_answer(t, &r, -problem);
}

void warden_send(struct thread *t, registers *r) {
  int has_address = call_of(r) == SYS_sendto && *argument(r, 4);
  if (has_address && leaves_machine(t, *argument(r, 4), *argument(r, 5)))
    return warden_answer(t, r, -ENETUNREACH);
  hold(t);
}

void warden_send_message(struct thread *t, registers *r) {
  struct { uint64_t address; uint32_t length; } head = {0, 0};
  warden_get(t, *argument(r, 1), &head, sizeof head);
  if (head.address && leaves_machine(t, head.address, head.length))
    return warden_answer(t, r, -ENETUNREACH);
  hold(t);
}

int warden_is_socket(struct thread *t, int descriptor) {
  char file[40];
  return warden_link(t->pid, descriptor, file, sizeof file) && !strncmp(file, "socket:", 7);
}

void warden_write(struct thread *t, registers *r) {
  if (!warden_is_socket(t, (int)*argument(r, 0))) return warden_go(t);
  hold(t);
}

/* Asks for an address of a socket of the thread, which is at the end of a call. */
static int ask_address(struct thread *t, long call, int descriptor, struct sockaddr_storage *to) {
  registers r;
  ptrace(PTRACE_GETREGS, t->tid, 0, &r);
  uint64_t length_at = stack_of(&r) - 512, at = length_at + 8;
  uint32_t length = sizeof *to;
  warden_put(t, length_at, &length, sizeof length);
  uint64_t arguments[5] = {(uint64_t)descriptor, at, length_at, 0, 0};
  if (warden_inject(t, call, arguments) != 0) return 0;
  memset(to, 0, sizeof *to);
  return warden_get(t, at, to, sizeof *to);
}

/* Small writes must not wait for a late answer of the kernel: Nagle's rule would hold them. */
static void send_at_once(struct thread *t, int descriptor) {
  registers r;
  int on = 1;
  ptrace(PTRACE_GETREGS, t->tid, 0, &r);
  uint64_t at = stack_of(&r) - 512;
  warden_put(t, at, &on, sizeof on);
  uint64_t arguments[5] = {(uint64_t)descriptor, IPPROTO_TCP, TCP_NODELAY, at, sizeof on};
  warden_inject(t, SYS_setsockopt, arguments);
}

static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* The path of a local socket; one without a name in files begins with an at sign. */
static void local_path(const struct sockaddr_storage *s, char *to, size_t room) {
  const struct sockaddr_un *local = (const struct sockaddr_un *)(const void *)s;
  int is_abstract = !local->sun_path[0];
  snprintf(to, room, "%s%.*s", is_abstract ? "@" : "", (int)sizeof local->sun_path - 1,
           local->sun_path + is_abstract);
}

static int is_internet(const struct sockaddr_storage *s) {
  return s->ss_family == AF_INET || s->ss_family == AF_INET6;
}

static void note_listener(struct thread *t, int descriptor) {
  struct sockaddr_storage s;
  struct listener listener = {.port = 0};
  if (!ask_address(t, SYS_getsockname, descriptor, &s)) return;
  char path[sizeof listener.path];
  struct address address;
  warden_address(&s, &address);
  if (is_internet(&s)) {
    listener.port = address.port;
    warden_number_port(address.port);
  }
  if (s.ss_family == AF_UNIX) {
    local_path(&s, path, sizeof path);
    snprintf(listener.path, sizeof listener.path, "%s", last_part(path));
  }
  *(struct listener *)warden_add(&warden.listeners, sizeof listener) = listener;
}

/* Says so if a program reaches somebody whose time is not ours. */
static void doubt_foreign(struct thread *t, const struct sockaddr_storage *s) {
  char text[120];
  struct address address;
  warden_address(s, &address);
  if (is_internet(s))
    name_address(&address, text, sizeof text);
  else
    local_path(s, text, sizeof text);
  for (EACH(struct listener, one, warden.listeners))
    if (is_internet(s) ? one->port == address.port : !strcmp(one->path, last_part(text))) return;
  warden_doubt(t->program, "foreign", text);
}

static void note_line(struct thread *t, int descriptor, const struct sockaddr_storage *peer) {
  struct sockaddr_storage own, other;
  struct line line = {.pid = t->pid, .descriptor = descriptor};
  if (!ask_address(t, SYS_getsockname, descriptor, &own) || !is_internet(&own)) return;
  if (!peer) {
    if (!ask_address(t, SYS_getpeername, descriptor, &other)) return;
    peer = &other;
  }
  warden_address(&own, &line.a);
  warden_address(peer, &line.b);
  if (!line.a.port || !line.b.port) return;
  send_at_once(t, descriptor);
  warden_add_line(&line);
}

static void number_own_port(struct thread *t, uint64_t at) {
  struct sockaddr_storage s;
  struct address address;
  read_address(t, at, sizeof s, &s);
  warden_address(&s, &address);
  if (address.port) warden_number_port(address.port);
}

static void note_connection(struct thread *t, int descriptor, const struct sockaddr_storage *peer) {
  if (peer->ss_family != AF_UNIX && !is_internet(peer)) return;
  doubt_foreign(t, peer);
  if (is_internet(peer)) note_line(t, descriptor, peer);
}

/* The end of a call about a socket. */
void warden_note_socket(struct thread *t, registers *call, long value) {
  struct sockaddr_storage peer;
  int descriptor = (int)*argument(call, 0);
  switch (call_of(call)) {
    case SYS_listen:
      if (value == 0) note_listener(t, descriptor);
      break;
    case SYS_accept:
    case SYS_accept4:
      if (value < 0) break;
      note_line(t, (int)value, 0);
      write_port(t, *argument(call, 1), warden_shown_port);
      break;
    case SYS_getsockname:
      if (value == 0) number_own_port(t, *argument(call, 1));
      /* fall through */
    case SYS_getpeername:
      if (value == 0) write_port(t, *argument(call, 1), warden_shown_port);
      break;
    case SYS_bind: write_port(t, *argument(call, 1), warden_shown_port); break;
    case SYS_connect:
      read_address(t, *argument(call, 1), *argument(call, 2), &peer);
      if (value == 0 || value == -EINPROGRESS) note_connection(t, descriptor, &peer);
      write_port(t, *argument(call, 1), warden_shown_port);
      break;
    default: break;
  }
}

#endif
