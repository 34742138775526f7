#define _GNU_SOURCE
#include "warden.h"

#ifdef WARDEN_RUNS_HERE

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Input and output of this process that programs share with others, whose time is not ours; and
   what threads wait for. */

/* Whether somebody outside has yet to read what a program has written. */
int warden_is_output_full(void) {
  if (!warden.settings.has_outside) return 0;
  struct pollfd both[2] = {{1, POLLOUT, 0}, {2, POLLOUT, 0}};
  poll(both, 2, 0);
  return !both[0].revents || !both[1].revents;
}

static int is_own_input(int pid, int descriptor, const char *input) {
  char link[64];
  return warden_link(pid, descriptor, link, sizeof link) && !strcmp(link, input);
}

static int polls_input(struct thread *t, const char *input) {
  struct pollfd files[64];
  unsigned long count = t->arguments[1] < 64 ? t->arguments[1] : 64;
  if (!warden_get(t, t->arguments[0], files, count * sizeof *files)) return 0;
  for (unsigned long at = 0; at < count; at++)
    if ((files[at].events & POLLIN) && is_own_input(t->pid, files[at].fd, input)) return 1;
  return 0;
}

static int selects_input(struct thread *t, const char *input) {
  fd_set files;
  FD_ZERO(&files);
  int count = t->arguments[0] < FD_SETSIZE ? (int)t->arguments[0] : FD_SETSIZE;
  if (!warden_get(t, t->arguments[1], &files, (size_t)(count + 63) / 64 * 8)) return 0;
  for (int at = 0; at < count; at++)
    if (FD_ISSET(at, &files) && is_own_input(t->pid, at, input)) return 1;
  return 0;
}

static int epolls_input(struct thread *t, const char *input) {
  char path[64], text[8192];
  snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", t->pid, (int)t->arguments[0]);
  warden_file_text(path, text, sizeof text);
  for (const char *at = text; (at = strstr(at, "tfd:")); at += 4)
    if (is_own_input(t->pid, atoi(at + 4), input)) return 1;
  return 0;
}

int warden_awaits_input(struct thread *t) {
  char input[64];
  if (!warden.settings.has_outside || !warden_link(getpid(), 0, input, sizeof input)) return 0;
  switch (t->call) {
    case SYS_read:
    case SYS_readv:
    case SYS_recvfrom:
    case SYS_recvmsg: return is_own_input(t->pid, (int)t->arguments[0], input);
    case SYS_poll:
    case SYS_ppoll: return polls_input(t, input);
    case SYS_select:
    case SYS_pselect6: return selects_input(t, input);
    case SYS_epoll_wait:
    case SYS_epoll_pwait: return epolls_input(t, input);
    default: return 0;
  }
}

int warden_input_is_awaited(void) {
  for (int at = 0; at < warden.thread_count; at++)
    if (warden_awaits_input(warden.threads[at])) return 1;
  return 0;
}

static const char *name_of_call(long call) {
  switch (call) {
    case SYS_read:
    case SYS_readv: return "reads from";
    case SYS_recvfrom:
    case SYS_recvmsg: return "receives from";
    case SYS_write:
    case SYS_writev: return "writes to";
    case SYS_sendto:
    case SYS_sendmsg: return "sends to";
    case SYS_accept:
    case SYS_accept4: return "waits for a connection at";
    case SYS_connect: return "connects";
    case SYS_epoll_wait:
    case SYS_epoll_pwait:
    case SYS_poll:
    case SYS_ppoll:
    case SYS_select:
    case SYS_pselect6: return "waits for any of its files";
    case SYS_futex: return "waits for another thread";
    case SYS_wait4:
    case SYS_waitid: return "waits for a child";
    case SYS_pause:
    case SYS_rt_sigsuspend:
    case SYS_rt_sigtimedwait: return "waits for a signal";
    case SYS_flock:
    case SYS_fcntl: return "waits for the lock of a file";
    default: return 0;
  }
}

static int has_file(long call) {
  switch (call) {
    case SYS_read:
    case SYS_readv:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_write:
    case SYS_writev:
    case SYS_sendto:
    case SYS_sendmsg:
    case SYS_accept:
    case SYS_accept4: return 1;
    default: return 0;
  }
}

/* The system's numbers of pipes and sockets are others in each run. */
static const char *name_of_file(int descriptor, const char *file) {
  int is_pipe = !strncmp(file, "pipe:", 5);
  if (is_pipe && descriptor == 0) return "its standard input";
  return is_pipe ? "a pipe" : !strncmp(file, "socket:", 7) ? "a socket" : file;
}

static void describe(struct thread *t, char *to, size_t room) {
  char file[80], peer[100];
  const char *name = name_of_call(t->call), *on = "";
  if (t->is_stopped) {
    snprintf(to, room, "is stopped by a signal");
    return;
  }
  if (has_file(t->call) && warden_link(t->pid, (int)t->arguments[0], file, sizeof file)) {
    on = warden_peer(t->pid, (int)t->arguments[0], peer, sizeof peer);
    if (!on) on = name_of_file((int)t->arguments[0], file);
  }
  if (name)
    snprintf(to, room, "%s%s%s", name, *on ? " " : "", on);
  else
    snprintf(to, room, "is in the system call %ld", t->call);
}

/* Names the threads that wait. Those that wait for children are of interest if there are no other
   ones. */
void warden_report_waits(void) {
  char name[64], detail[200];
  int is_any_other = 0;
  for (int at = 0; at < warden.thread_count; at++)
    if (warden.threads[at]->call != SYS_wait4 && warden.threads[at]->call != SYS_waitid)
      is_any_other = 1;
  for (int at = 0; at < warden.thread_count; at++) {
    struct thread *t = warden.threads[at];
    if (is_any_other && (t->call == SYS_wait4 || t->call == SYS_waitid)) continue;
    warden_name(t->pid, name, sizeof name);
    describe(t, detail, sizeof detail);
    warden_notify((struct cwarden_event){
        .kind = cwarden_waits, .program = t->program, .value = (int)(t->order % 1000000),
        .name = name, .detail = detail});
  }
}

#endif
