#define _GNU_SOURCE
#include "warden.h"

#ifdef WARDEN_RUNS_HERE

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The calls that stop, since they have something to do with time, and the filter of the system. */

/* Numbers that older headers lack. */
enum { call_epoll_pwait2 = 441, call_futex_waitv = 449, call_futex_wait = 455 };
enum { call_io_pgetevents = 333, call_io_uring_setup = 425 };

/* The calls that stop, with the argument that is a time and how it is written. */
const struct rule warden_rules[] = {
    {SYS_futex, if_waits, 3, of_futex, 0, -ETIMEDOUT, warden_wait},
    {SYS_poll, if_positive, 2, of_milliseconds, 0, 0, warden_wait},
    {SYS_epoll_wait, if_positive, 3, of_milliseconds, 0, 0, warden_wait},
    {SYS_epoll_pwait, if_positive, 3, of_milliseconds, 0, 0, warden_wait},
    {SYS_ppoll, if_pointer, 2, of_timespec, 0, 0, warden_wait},
    {SYS_pselect6, if_pointer, 4, of_timespec, 0, 0, warden_wait},
    {SYS_select, if_pointer, 4, of_timeval, 0, 0, warden_wait},
    {call_epoll_pwait2, if_pointer, 3, of_timespec, 0, 0, warden_wait},
    {SYS_rt_sigtimedwait, if_pointer, 2, of_timespec, 0, -EAGAIN, warden_wait},
    {SYS_semtimedop, if_pointer, 3, of_timespec, 0, -EAGAIN, warden_wait},
    {SYS_mq_timedsend, if_pointer, 4, of_calendar, 0, -ETIMEDOUT, warden_wait},
    {SYS_mq_timedreceive, if_pointer, 4, of_calendar, 0, -ETIMEDOUT, warden_wait},
    {call_futex_waitv, if_pointer, 3, of_clock, 4, -ETIMEDOUT, warden_wait},
    {call_futex_wait, if_pointer, 4, of_clock, 5, -ETIMEDOUT, warden_wait},
    {SYS_nanosleep, always, 0, of_timespec, 0, 0, warden_wait},
    {SYS_clock_nanosleep, always, 2, of_timespec, 0, 0, warden_wait},
    {SYS_recvmmsg, if_pointer, 4, no_time, 0, 0, warden_pass_untimed},
    {SYS_io_getevents, if_pointer, 4, no_time, 0, 0, warden_pass_untimed},
    {call_io_pgetevents, if_pointer, 4, no_time, 0, 0, warden_pass_untimed},
    {SYS_clock_gettime, always, 0, no_time, 0, 0, warden_read_clock},
    {SYS_gettimeofday, always, 0, no_time, 0, 0, warden_read_day},
    {SYS_time, always, 0, no_time, 0, 0, warden_read_seconds},
    {SYS_times, always, 0, no_time, 0, 0, warden_read_times},
    {SYS_getrandom, always, 0, no_time, 0, 0, warden_give_random},
    {SYS_exit_group, always, 0, no_time, 0, 0, warden_begin_end},
    {call_io_uring_setup, always, 0, no_time, 0, 0, warden_refuse},
    {SYS_io_setup, always, 0, no_time, 0, 0, warden_refuse},
    {SYS_timerfd_settime, always, 0, no_time, 0, 0, warden_set_timer_file},
    {SYS_timerfd_gettime, always, 0, no_time, 0, 0, warden_get_timer_file},
    {SYS_alarm, always, 0, no_time, 0, 0, warden_set_alarm},
    {SYS_setitimer, always, 0, no_time, 0, 0, warden_set_alarm},
    {SYS_getitimer, always, 0, no_time, 0, 0, warden_set_alarm},
    {SYS_timer_create, always, 0, no_time, 0, 0, warden_watch},
    {SYS_timer_settime, always, 0, no_time, 0, 0, warden_use_timer},
    {SYS_timer_gettime, always, 0, no_time, 0, 0, warden_use_timer},
    {SYS_timer_delete, always, 0, no_time, 0, 0, warden_use_timer},
    {SYS_setsockopt, if_time_of_socket, 0, no_time, 0, 0, warden_set_socket_timeout},
    {SYS_accept, always, 0, no_time, 0, 0, warden_watch},
    {SYS_accept4, always, 0, no_time, 0, 0, warden_watch},
    {SYS_listen, always, 0, no_time, 0, 0, warden_watch},
    {SYS_connect, always, 0, no_time, 0, 0, warden_connect},
    {SYS_bind, always, 0, no_time, 0, 0, warden_bind},
    {SYS_getsockname, always, 0, no_time, 0, 0, warden_watch},
    {SYS_getpeername, always, 0, no_time, 0, 0, warden_watch},
    {SYS_sendto, always, 0, no_time, 0, 0, warden_send},
    {SYS_sendmsg, always, 0, no_time, 0, 0, warden_send_message},
    {SYS_sendmmsg, always, 0, no_time, 0, 0, warden_send},
    {SYS_write, if_descriptor, 0, no_time, 0, 0, warden_write},
    {SYS_writev, if_descriptor, 0, no_time, 0, 0, warden_write},
};

const int warden_rule_count = COUNT(warden_rules);

enum { foreign_calls = 0x40000000, low_bits = 0x7f };

struct filter {
  struct sock_filter code[512];
  int length;
};

static void add(struct filter *f, unsigned what, unsigned char yes, unsigned char no, unsigned k) {
  f->code[f->length++] = (struct sock_filter){(unsigned short)what, yes, no, k};
}

static void load(struct filter *f, unsigned long at) {
  add(f, BPF_LD | BPF_W | BPF_ABS, 0, 0, (unsigned)at);
}

static unsigned long argument_at(int number) {
  return offsetof(struct seccomp_data, args) + 8UL * (unsigned)number;
}

static void equal(struct filter *f, unsigned k, unsigned char yes, unsigned char no) {
  add(f, BPF_JMP | BPF_JEQ | BPF_K, yes, no, k);
}

static void at_least(struct filter *f, unsigned k, unsigned char yes, unsigned char no) {
  add(f, BPF_JMP | BPF_JGE | BPF_K, yes, no, k);
}

static void give(struct filter *f, unsigned value) { add(f, BPF_RET | BPF_K, 0, 0, value); }

static void stop(struct filter *f) { give(f, SECCOMP_RET_TRACE); }

static void allow(struct filter *f) { give(f, SECCOMP_RET_ALLOW); }

static void stop_if_pointer(struct filter *f, int number) {
  load(f, argument_at(number));
  equal(f, 0, 0, 2);
  load(f, argument_at(number) + 4);
  equal(f, 0, 1, 0);
  stop(f);
  allow(f);
}

/* FUTEX_WAIT, FUTEX_WAIT_BITSET, FUTEX_LOCK_PI and FUTEX_LOCK_PI2, if they have a time. */
static void stop_if_waits(struct filter *f) {
  load(f, argument_at(1));
  add(f, BPF_ALU | BPF_AND | BPF_K, 0, 0, low_bits);
  equal(f, 0, 4, 0);
  equal(f, 9, 3, 0);
  equal(f, 6, 2, 0);
  equal(f, 13, 1, 0);
  allow(f);
  stop_if_pointer(f, 3);
}

/* SO_RCVTIMEO and SO_SNDTIMEO of SOL_SOCKET, old and new. */
static void stop_if_time_of_socket(struct filter *f) {
  load(f, argument_at(1));
  equal(f, 1, 0, 6);
  load(f, argument_at(2));
  equal(f, 20, 3, 0);
  equal(f, 21, 2, 0);
  equal(f, 66, 1, 0);
  equal(f, 67, 0, 1);
  stop(f);
  allow(f);
}

static void stop_if_positive(struct filter *f, int number) {
  load(f, argument_at(number));
  at_least(f, 0x80000000U, 2, 0);
  equal(f, 0, 1, 0);
  stop(f);
  allow(f);
}

/* The first three descriptors are those that the program was given. */
static void stop_if_descriptor(struct filter *f, int number) {
  load(f, argument_at(number));
  at_least(f, 3, 0, 1);
  stop(f);
  allow(f);
}

static void add_condition(struct filter *f, const struct rule *rule) {
  switch ((enum condition)rule->condition) {
    case always: stop(f); break;
    case if_pointer: stop_if_pointer(f, rule->place); break;
    case if_positive: stop_if_positive(f, rule->place); break;
    case if_descriptor: stop_if_descriptor(f, rule->place); break;
    case if_waits: stop_if_waits(f); break;
    case if_time_of_socket: stop_if_time_of_socket(f); break;
  }
}

static void make(struct filter *f) {
  load(f, offsetof(struct seccomp_data, arch));
  equal(f, own_architecture, 1, 0);
  give(f, SECCOMP_RET_TRACE | 1);
  load(f, offsetof(struct seccomp_data, nr));
  at_least(f, foreign_calls, 0, 1);
  give(f, SECCOMP_RET_ERRNO | ENOSYS);
  for (int at = 0; at < warden_rule_count; at++) {
    int place = f->length;
    equal(f, (unsigned)warden_rules[at].call, 0, 0);
    add_condition(f, &warden_rules[at]);
    f->code[place].jf = (unsigned char)(f->length - place - 1);
  }
  allow(f);
}

int warden_use_filter(void) {
  struct filter filter = {.length = 0};
  make(&filter);
  struct sock_fprog program = {(unsigned short)filter.length, filter.code};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

#endif
