#pragma once

/* What the Glibc module leaves out: waiting for many file descriptors at once, and what a socket
   still owes. */

struct clinux_ready {
  int descriptor;
  unsigned events;
};

extern const unsigned clinux_readable, clinux_writable, clinux_broken;

int clinux_epoll_create(void);
/* Tells of a descriptor whenever more of these has become true of it. */
int clinux_epoll_add(int epoll, int descriptor, unsigned events);
int clinux_epoll_remove(int epoll, int descriptor);
/* Waits for at most so many nanoseconds, without end below zero. */
int clinux_epoll_wait(int epoll, struct clinux_ready *ready, int most, long long nanoseconds);

int clinux_eventfd(void);

struct sockaddr;
/* The new descriptor does not block, and is closed in programs that are started. */
int clinux_accept(int listener, struct sockaddr *address, unsigned *length);

/* How many bytes the other side has not confirmed yet; below zero where nobody can say. */
int clinux_unacknowledged(int descriptor);
