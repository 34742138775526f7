#define _GNU_SOURCE
#include "warden.h"

#ifdef WARDEN_RUNS_HERE

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What the kernel still carries on connections of this machine: two exact questions for each. */

/* The states of connections, as the kernel numbers them. */
enum state {
  established = 1, fin_sent = 4, fin_answered = 5, ended = 9, listening = 10, closing = 11
};

struct end {
  int is_found, is_known, state;
  uint64_t sent, received;
  uint32_t unsent, unread;
};

static void read_counts(struct end *end, const struct nlmsghdr *head) {
  const struct inet_diag_msg *message = NLMSG_DATA(head);
  const char *at = (const char *)(message + 1), *last = (const char *)head + head->nlmsg_len;
  while (at + sizeof(struct nlattr) <= last) {
    const struct nlattr *part = (const struct nlattr *)(const void *)at;
    if (part->nla_len < sizeof *part) return;
    if (part->nla_type == INET_DIAG_INFO) {
      struct tcp_info info;
      size_t count = part->nla_len - sizeof *part;
      memset(&info, 0, sizeof info);
      memcpy(&info, part + 1, count < sizeof info ? count : sizeof info);
      end->is_known = 1;
      end->sent = info.tcpi_bytes_sent - info.tcpi_bytes_retrans;
      end->received = info.tcpi_bytes_received;
      end->unsent = info.tcpi_notsent_bytes;
    }
    at += (part->nla_len + 3U) & ~3U;
  }
}

static struct end look(const struct address *own, const struct address *peer) {
  struct { struct nlmsghdr head; struct inet_diag_req_v2 wanted; } question;
  static _Thread_local char answer[16384] __attribute__((aligned(8)));
  struct end end = {.is_found = 0};
  memset(&question, 0, sizeof question);
  question.head = (struct nlmsghdr){
      .nlmsg_len = sizeof question, .nlmsg_type = SOCK_DIAG_BY_FAMILY,
      .nlmsg_flags = NLM_F_REQUEST};
  struct inet_diag_req_v2 *wanted = &question.wanted;
  wanted->sdiag_family = (unsigned char)own->family;
  wanted->sdiag_protocol = IPPROTO_TCP;
  wanted->idiag_ext = 1 << (INET_DIAG_INFO - 1);
  wanted->idiag_states = ~0U;
  wanted->id.idiag_sport = own->port;
  wanted->id.idiag_dport = peer->port;
  memcpy(wanted->id.idiag_src, own->host, sizeof own->host);
  memcpy(wanted->id.idiag_dst, peer->host, sizeof peer->host);
  wanted->id.idiag_cookie[0] = wanted->id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  send(warden.netlink, &question, sizeof question, 0);
  ssize_t count = recv(warden.netlink, answer, sizeof answer, 0);
  struct nlmsghdr *head = (struct nlmsghdr *)(void *)answer;
  if (count <= 0 || head->nlmsg_type != SOCK_DIAG_BY_FAMILY) return end;
  struct inet_diag_msg *message = NLMSG_DATA(head);
  /* That is who listens there. */
  if (message->idiag_state == listening) return end;
  end.is_found = 1;
  end.state = message->idiag_state;
  end.unread = message->idiag_rqueue;
  read_counts(&end, head);
  return end;
}

/* Whether bytes, or the end, are on their way. Sockets that only wait for time prove nothing. */
static int is_under_way(const struct end *from, const struct end *to) {
  int is_handshake = from->state == 2 || from->state == 3;
  if (!from->is_found) return 0;
  if (is_handshake) return 1;
  if (!to->is_found) return 0;
  int has_ended = from->state == fin_sent || from->state == ended || from->state == closing;
  int is_open = to->state == established || to->state == fin_sent || to->state == fin_answered;
  if (has_ended && is_open) return !to->unread;
  return from->is_known && to->is_known &&
         (to->received < from->sent || (from->unsent && !to->unread));
}

int warden_lines_hold_bytes(void) {
  struct list *lines = &warden.lines;
  for (int at = 0; at < lines->count; at++) {
    struct line *line = (struct line *)lines->items + at;
    struct end a = look(&line->a, &line->b), b = look(&line->b, &line->a);
    if (!a.is_known && !b.is_known) {
      *line = ((struct line *)lines->items)[--lines->count];
      at--;
    } else if (is_under_way(&a, &b) || is_under_way(&b, &a)) {
      return 1;
    }
  }
  return 0;
}

void warden_address(const struct sockaddr_storage *from, struct address *to) {
  const struct sockaddr_in *four = (const struct sockaddr_in *)(const void *)from;
  const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)(const void *)from;
  memset(to, 0, sizeof *to);
  to->family = from->ss_family;
  if (from->ss_family == AF_INET) {
    memcpy(to->host, &four->sin_addr, sizeof four->sin_addr);
    to->port = four->sin_port;
  } else if (from->ss_family == AF_INET6) {
    to->port = six->sin6_port;
    int is_mapped = IN6_IS_ADDR_V4MAPPED(&six->sin6_addr);
    if (is_mapped) to->family = AF_INET;
    memcpy(to->host, six->sin6_addr.s6_addr + (is_mapped ? 12 : 0), is_mapped ? 4 : 16);
  }
}

static int is_same_line(const struct line *a, const struct line *b) {
  return (a->a.port == b->a.port && a->b.port == b->b.port) ||
         (a->a.port == b->b.port && a->b.port == b->a.port);
}

void warden_add_line(const struct line *line) {
  static const unsigned first_number = 62001, most_numbers = 3000;
  for (EACH(struct line, one, warden.lines))
    if (is_same_line(one, line)) {
      uint16_t shown = one->shown;
      *one = *line;
      one->shown = shown;
      return;
    }
  struct line *added = warden_add(&warden.lines, sizeof *line);
  *added = *line;
  added->shown = htons((uint16_t)(first_number + (unsigned)warden.lines_known++ % most_numbers));
}

struct line *warden_line_at(uint16_t port) {
  for (EACH(struct line, one, warden.lines))
    if (one->a.port == port || one->b.port == port) return one;
  return 0;
}

const char *warden_peer(int pid, int descriptor, char *to, size_t room) {
  for (EACH(struct line, one, warden.lines))
    if (one->pid == pid && one->descriptor == descriptor) {
      char host[64] = "";
      inet_ntop(one->b.family, one->b.host, host, sizeof host);
      snprintf(to, room, "%s port %d", host, ntohs(warden_shown_port(one->b.port)));
      return to;
    }
  return 0;
}

/* The numbers that programs see of ports which the system has chosen, so that each run has the same
   ones. Ports that a program chose stay. */

/* Above the ports that systems choose. */
static const unsigned first_number = 61001;

static struct port *port_of_machine(uint16_t real) {
  for (EACH(struct port, one, warden.ports))
    if (one->real == real) return one;
  return 0;
}

void warden_keep_port(uint16_t port) {
  if (port_of_machine(port)) return;
  *(struct port *)warden_add(&warden.ports, sizeof(struct port)) = (struct port){port, port};
}

void warden_number_port(uint16_t real) {
  uint16_t shown = htons((uint16_t)(first_number + (unsigned)warden.ports.count));
  if (port_of_machine(real) || warden_line_at(real)) return;
  *(struct port *)warden_add(&warden.ports, sizeof(struct port)) = (struct port){real, shown};
}

uint16_t warden_real_port(uint16_t shown) {
  for (EACH(struct port, one, warden.ports))
    if (one->shown == shown) return one->real;
  return shown;
}

/* The end of a connection that connected has a number of the connection's. */
uint16_t warden_shown_port(uint16_t real) {
  struct port *port = port_of_machine(real);
  if (port) return port->shown;
  struct line *line = warden_line_at(real);
  return line ? line->shown : real;
}

unsigned short cwarden_own_port(unsigned short port) {
  uint16_t real = htons(port);
  *(struct listener *)warden_add(&warden.listeners, sizeof(struct listener)) =
      (struct listener){.port = real, .is_own = 1};
  warden_number_port(real);
  return ntohs(warden_shown_port(real));
}

int warden_is_own_port(uint16_t real) {
  for (EACH(struct listener, one, warden.listeners))
    if (one->port == real && one->is_own) return 1;
  return 0;
}

unsigned short cwarden_port_of_machine(unsigned short port) {
  return ntohs(warden_real_port(htons(port)));
}

#endif
