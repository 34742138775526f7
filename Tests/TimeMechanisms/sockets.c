#define _GNU_SOURCE
#include "mechanisms.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/time.h>
#include <sys/un.h>

static void make_pair(int ends[2]) { socketpair(AF_UNIX, SOCK_STREAM, 0, ends); }

/* A connection of this machine with itself. */
static void make_line(int *client, int *server) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(0x7f000001)}};
  socklen_t length = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  bind(listener, (struct sockaddr *)&address, length);
  listen(listener, 5);
  getsockname(listener, (struct sockaddr *)&address, &length);
  *client = socket(AF_INET, SOCK_STREAM, 0);
  connect(*client, (struct sockaddr *)&address, length);
  *server = accept(listener, 0, 0);
  close(listener);
}

static void set_time(int socket, int which, int seconds) {
  struct timeval time = {seconds, 0};
  setsockopt(socket, SOL_SOCKET, which, &time, sizeof time);
}

static int receive_time(void) {
  int ends[2];
  char text[9];
  make_pair(ends);
  set_time(ends[0], SO_RCVTIMEO, 7);
  int result = recv(ends[0], text, sizeof text, 0) == -1 && errno == EAGAIN ? 0 : 1;
  return result + (read(ends[0], text, sizeof text) == -1 ? 0 : 10);
}

static int receive_time_of_line(void) {
  int client, server;
  char text[9];
  double began = milliseconds();
  make_line(&client, &server);
  set_time(client, SO_RCVTIMEO, 7);
  if (!fork()) {
    sleep_for(2);
    send(server, "x", 1, 0);
    sleep_for(10);
    _exit(0);
  }
  int result = recv(client, text, sizeof text, 0) == 1 && milliseconds() - began < 2001 ? 0 : 1;
  return result + (recv(client, text, sizeof text, 0) == -1 && errno == EAGAIN ? 0 : 10);
}

static int send_time(void) {
  static char much[1 << 20];
  int ends[2];
  make_pair(ends);
  set_time(ends[0], SO_SNDTIMEO, 4);
  return send(ends[0], much, sizeof much, 0) > 0 ? 0 : 1;
}

static int accept_time(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(0x7f000001)}};
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  bind(listener, (struct sockaddr *)&address, sizeof address);
  listen(listener, 5);
  set_time(listener, SO_RCVTIMEO, 6);
  return accept(listener, 0, 0) == -1 && errno == EAGAIN ? 0 : 1;
}

static int messages_with_time(void) {
  int ends[2];
  char text[9];
  struct iovec part = {text, sizeof text};
  struct mmsghdr message = {.msg_hdr = {.msg_iov = &part, .msg_iovlen = 1}};
  struct timespec ten = {10, 0};
  make_pair(ends);
  if (write(ends[1], "x", 1) != 1) return 2;
  return recvmmsg(ends[0], &message, 1, 0, &ten) == 1 ? 0 : 1;
}

/* Four small writes for each request: the last ones must not be late for the reader's time-out. */
static int small_writes(void) {
  int client, server, result = 0;
  char text[16];
  make_line(&client, &server);
  if (!fork()) {
    close(client);
    for (int turn = 0; turn < 50; turn++) {
      for (int got = 0; got < 8;) {
        ssize_t count = recv(server, text, sizeof text, 0);
        if (count <= 0) _exit(0);
        got += (int)count;
      }
      send(server, "ok", 2, 0);
    }
    _exit(0);
  }
  close(server);
  set_time(client, SO_RCVTIMEO, 5);
  for (int turn = 0; turn < 50; turn++) {
    for (int part = 0; part < 4; part++) send(client, "ab", 2, 0);
    result += recv(client, text, sizeof text, 0) != 2;
    sleep_for(1);
  }
  return result;
}

/* The end of a connection must reach the peer before its time-out. */
static int end_of_line(void) {
  int result = 0;
  for (int turn = 0; turn < 50; turn++) {
    int client, server;
    char letter;
    make_line(&client, &server);
    if (!fork()) {
      close(client);
      sleep_for(1);
      close(server);
      _exit(0);
    }
    close(server);
    set_time(client, SO_RCVTIMEO, 5);
    result += recv(client, &letter, 1, 0) != 0;
    close(client);
    wait(0);
  }
  return result;
}

static int other_machine(void) {
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons(80), .sin_addr = {htonl(0xC0000201)}};
  int one = socket(AF_INET, SOCK_STREAM, 0);
  connect(one, (struct sockaddr *)&address, sizeof address);
  return errno == ENETUNREACH ? 0 : errno;
}

static int datagram_to_other_machine(void) {
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons(53), .sin_addr = {htonl(0xC0000201)}};
  int one = socket(AF_INET, SOCK_DGRAM, 0);
  sendto(one, "x", 1, 0, (struct sockaddr *)&address, sizeof address);
  return errno == ENETUNREACH ? 0 : errno;
}

static int nobody_there(void) {
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons(1), .sin_addr = {htonl(0x7f000001)}};
  int one = socket(AF_INET, SOCK_STREAM, 0);
  connect(one, (struct sockaddr *)&address, sizeof address);
  return errno == ECONNREFUSED ? 0 : errno;
}

static int local_socket(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "time-mechanisms-%d", getpid());
  int listener = socket(AF_UNIX, SOCK_STREAM, 0), one = socket(AF_UNIX, SOCK_STREAM, 0);
  int result = bind(listener, (struct sockaddr *)&address, sizeof address);
  result += listen(listener, 5);
  return result + connect(one, (struct sockaddr *)&address, sizeof address);
}

static pthread_barrier_t start;

static void *send_with_others(void *socket) {
  pthread_barrier_wait(&start);
  return (void *)(send(*(int *)socket, "x", 1, 0) - 1);
}

/* Threads that send at one instant. */
static int crowd(void) {
  enum { count = 4 };
  pthread_t threads[count];
  int clients[count], servers[count], result = 0;
  pthread_barrier_init(&start, 0, count);
  for (int at = 0; at < count; at++) {
    make_line(&clients[at], &servers[at]);
    pthread_create(&threads[at], 0, send_with_others, &clients[at]);
  }
  for (int at = 0; at < count; at++) {
    void *problem;
    pthread_join(threads[at], &problem);
    result += problem != 0;
  }
  return result;
}

const struct mechanism sockets[] = {
    {"receive-time", receive_time}, {"receive-time-of-line", receive_time_of_line},
    {"send-time", send_time}, {"accept-time", accept_time}, {"recvmmsg", messages_with_time},
    {"small-writes", small_writes}, {"end-of-line", end_of_line},
    {"other-machine", other_machine}, {"datagram", datagram_to_other_machine},
    {"nobody-there", nobody_there}, {"crowd", crowd}, {"local-socket", local_socket}, {0, 0}};
