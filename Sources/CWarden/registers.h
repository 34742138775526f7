#pragma once

/* What differs between processors. Another one needs these accessors, `clock.S`, and the calls that
   it has not in `filter.c`. */

#if defined(__linux__) && defined(__x86_64__)
#define WARDEN_RUNS_HERE 1

#include <linux/audit.h>
#include <sys/user.h>

typedef struct user_regs_struct registers;

enum { own_architecture = AUDIT_ARCH_X86_64, length_of_call = 2 };

static inline long call_of(const registers *r) { return (long)r->orig_rax; }
static inline void set_call(registers *r, long call) { r->orig_rax = (unsigned long long)call; }
static inline long result_of(const registers *r) { return (long)r->rax; }
static inline void set_result(registers *r, long value) { r->rax = (unsigned long long)value; }
static inline unsigned long long stack_of(const registers *r) { return r->rsp; }
static inline unsigned long long place_of(const registers *r) { return r->rip; }

static inline unsigned long long *argument(registers *r, int number) {
  unsigned long long *all[6] = {&r->rdi, &r->rsi, &r->rdx, &r->r10, &r->r8, &r->r9};
  return all[number];
}

/* Has the thread make a call, instead of the end of the one that it is in. */
static inline void call_again(registers *r, long call) {
  r->rip -= length_of_call;
  r->rax = (unsigned long long)call;
  r->orig_rax = ~0ULL;
}

#endif
