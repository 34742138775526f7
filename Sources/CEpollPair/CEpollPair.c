#define _GNU_SOURCE
#include "CEpollPair.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { room = 1 << 17 };

struct pair {
  int epoll, client, server;
  unsigned char *from_client, *from_server;
  size_t client_bytes, server_bytes;
};

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int watch(int epoll, int socket) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.fd = socket};
  int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event);
}

static int open_pair(struct pair *pair) {
  struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof place;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  if (listener < 0 || bind(listener, (struct sockaddr *)&place, length) != 0) return -1;
  if (listen(listener, 1) != 0) return -1;
  if (getsockname(listener, (struct sockaddr *)&place, &length) != 0) return -1;
  pair->client = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(pair->client, (struct sockaddr *)&place, length) != 0) return -1;
  pair->server = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
  close(listener);
  pair->epoll = epoll_create1(0);
  pair->from_client = malloc(room);
  pair->from_server = malloc(room);
  pair->client_bytes = pair->server_bytes = 0;
  if (pair->server < 0 || pair->epoll < 0) return -1;
  return watch(pair->epoll, pair->client) | watch(pair->epoll, pair->server);
}

static void close_pair(struct pair *pair) {
  close(pair->client);
  close(pair->server);
  close(pair->epoll);
  free(pair->from_client);
  free(pair->from_server);
}

static size_t take(int socket, unsigned char *bytes, size_t known) {
  ssize_t count;
  while ((count = recv(socket, bytes + known, room - known, MSG_DONTWAIT)) > 0) {
    known += (size_t)count;
  }
  return known;
}

/* Answers what the server has got; returns whether a whole answer has reached the client. */
typedef int (*turn)(struct pair *pair, int socket, const void *what);

static double run(int count, turn begin, turn move, const void *what) {
  struct pair pair;
  struct epoll_event events[8];
  if (open_pair(&pair) != 0) return -1;
  double start = seconds();
  begin(&pair, pair.client, what);
  while (count > 0) {
    int ready = epoll_wait(pair.epoll, events, 8, -1);
    for (int place = 0; place < ready && count > 0; place++) {
      if (!move(&pair, events[place].data.fd, what)) continue;
      if (--count > 0) begin(&pair, pair.client, what);
    }
  }
  double taken = seconds() - start;
  close_pair(&pair);
  return taken;
}

static const char request[] = "GET /fact HTTP/1.1\r\nHost: localhost\r\n\r\n";
static const char body[] = "{\"fact\":\"Cats sleep for 70% of their lives\"}";
static const char head[] =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 44\r\n\r\n";

static int ask(struct pair *pair, int socket, const void *what) {
  (void)pair, (void)what;
  return send(socket, request, sizeof request - 1, MSG_NOSIGNAL) > 0;
}

static int answer(struct pair *pair, int socket, const void *what) {
  (void)what;
  if (socket == pair->server) {
    char text[sizeof head + sizeof body];
    pair->server_bytes = take(socket, pair->from_client, pair->server_bytes);
    if (!memmem(pair->from_client, pair->server_bytes, "\r\n\r\n", 4)) return 0;
    pair->server_bytes = 0;
    memcpy(text, head, sizeof head - 1);
    memcpy(text + sizeof head - 1, body, sizeof body - 1);
    send(socket, text, sizeof head + sizeof body - 2, MSG_NOSIGNAL);
    return 0;
  }
  pair->client_bytes = take(socket, pair->from_server, pair->client_bytes);
  if (pair->client_bytes < sizeof head + sizeof body - 2) return 0;
  pair->client_bytes = 0;
  return 1;
}

double cepollpair_gets(int count) { return run(count, ask, answer, NULL); }

struct message {
  size_t size;
};

/* A frame's head for a payload of up to 64 KiB, masked or not. */
static size_t put_head(unsigned char *frame, size_t size, int is_masked) {
  size_t length = 2;
  frame[0] = 0x82;
  if (size < 126) {
    frame[1] = (unsigned char)(size | (is_masked ? 0x80 : 0));
  } else {
    frame[1] = (unsigned char)(126 | (is_masked ? 0x80 : 0));
    frame[2] = (unsigned char)(size >> 8);
    frame[3] = (unsigned char)size;
    length = 4;
  }
  if (!is_masked) return length;
  memcpy(frame + length, "\x37\xfa\x21\x3d", 4);
  return length + 4;
}

static void mask(unsigned char *bytes, size_t size, const unsigned char *key) {
  for (size_t place = 0; place < size; place++) bytes[place] ^= key[place & 3];
}

static int say(struct pair *pair, int socket, const void *what) {
  (void)pair;
  const struct message *message = what;
  unsigned char frame[room];
  size_t length = put_head(frame, message->size, 1);
  memset(frame + length, 'a', message->size);
  mask(frame + length, message->size, frame + length - 4);
  return send(socket, frame, length + message->size, MSG_NOSIGNAL) > 0;
}

static int echo(struct pair *pair, int socket, const void *what) {
  const struct message *message = what;
  size_t plain = message->size < 126 ? 2 : 4;
  if (socket == pair->server) {
    unsigned char frame[room];
    size_t length = plain + 4;
    pair->server_bytes = take(socket, pair->from_client, pair->server_bytes);
    if (pair->server_bytes < length + message->size) return 0;
    pair->server_bytes = 0;
    mask(pair->from_client + length, message->size, pair->from_client + length - 4);
    put_head(frame, message->size, 0);
    memcpy(frame + plain, pair->from_client + length, message->size);
    send(socket, frame, plain + message->size, MSG_NOSIGNAL);
    return 0;
  }
  pair->client_bytes = take(socket, pair->from_server, pair->client_bytes);
  if (pair->client_bytes < plain + message->size) return 0;
  pair->client_bytes = 0;
  return 1;
}

double cepollpair_echoes(int count, int size) {
  struct message message = {.size = (size_t)size};
  return run(count, say, echo, &message);
}
