#define _GNU_SOURCE
#include "warden.h"

#ifdef WARDEN_RUNS_HERE

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/personality.h>
#include <time.h>
#include <unistd.h>

/* The clock of programs is a page. The system gives each program functions that read its own clock
   without a call (the vDSO); in the program's copy of that page, they are replaced by ours. */

extern char warden_clock[], warden_clock_end[], warden_clock_gettime[], warden_clock_day[];
extern char warden_clock_seconds[], warden_clock_data[];

/* The places in the page, the same in each program. */
static struct { uint64_t gettime, day, seconds, random, ours; } places;

/* The monotonic clock begins here, since some programs take small times for none. */
static const int64_t monotonic_base = 100000000000000LL;

struct symbols { Elf64_Sym *all; char *names; long count; };

static struct symbols find_symbols(char *start, Elf64_Ehdr *head, uint64_t *end) {
  struct symbols found = {0, 0, 0};
  Elf64_Phdr *part = (Elf64_Phdr *)(void *)(start + head->e_phoff);
  Elf64_Dyn *dynamic = 0;
  for (int at = 0; at < head->e_phnum; at++) {
    uint64_t last = part[at].p_vaddr + part[at].p_memsz;
    if (part[at].p_type == PT_DYNAMIC) dynamic = (Elf64_Dyn *)(void *)(start + part[at].p_offset);
    if (part[at].p_type == PT_LOAD && last > *end) *end = last;
  }
  for (; dynamic && dynamic->d_tag; dynamic++) {
    char *at = start + dynamic->d_un.d_ptr;
    if (dynamic->d_tag == DT_SYMTAB) found.all = (Elf64_Sym *)(void *)at;
    if (dynamic->d_tag == DT_STRTAB) found.names = at;
  }
  found.count = (found.names - (char *)found.all) / (long)sizeof *found.all;
  if (found.count <= 0 || found.count > 100) found.count = 20;
  return found;
}

int warden_find_clock(void) {
  char *start = (char *)getauxval(AT_SYSINFO_EHDR);
  if (!start) return 0;
  Elf64_Ehdr *head = (Elf64_Ehdr *)(void *)start;
  uint64_t end = head->e_shoff + (uint64_t)head->e_shnum * head->e_shentsize;
  struct symbols found = find_symbols(start, head, &end);
  if (!found.all || !found.names) return 0;
  for (long at = 0; at < found.count; at++) {
    const char *name = found.names + found.all[at].st_name;
    uint64_t place = found.all[at].st_value;
    if (!strcmp(name, "__vdso_clock_gettime")) places.gettime = place;
    if (!strcmp(name, "__vdso_gettimeofday")) places.day = place;
    if (!strcmp(name, "__vdso_time")) places.seconds = place;
    if (!strcmp(name, "__vdso_getrandom")) places.random = place;
  }
  uint64_t size = ((uint64_t)(warden_clock_end - warden_clock) + 63) & ~63ULL;
  places.ours = ((end + 4095) & ~4095ULL) - size;
  return places.gettime && places.day && places.seconds && places.ours >= end;
}

static int is_calendar(int clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI ||
         clock == CLOCK_REALTIME_ALARM;
}

int warden_counts_sleep(int clock) {
  return is_calendar(clock) || clock == CLOCK_BOOTTIME || clock == CLOCK_BOOTTIME_ALARM;
}

int64_t warden_base(int clock) {
  int64_t base = is_calendar(clock) ? warden.settings.calendar : monotonic_base;
  return warden_counts_sleep(clock) ? base + warden.slept : base;
}

int64_t warden_after(int64_t length) {
  return length >= never - warden.now ? never : warden.now + length;
}

int64_t warden_real_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * second + time.tv_nsec;
}

static int write_page(struct process *p, uint64_t place, const void *from, size_t count) {
  return pwrite(p->memory, from, count, (off_t)(p->clock_page + place)) == (ssize_t)count;
}

void warden_write_clock(struct process *p) {
  if (!p->clock_page) return;
  int64_t c = warden.now + warden_base(CLOCK_REALTIME), m = warden.now + monotonic_base;
  int64_t data[6] = {c / second, c % second,  c % second / 1000,
                     m / second, m % second, warden.is_spinning};
  write_page(p, places.ours + (uint64_t)(warden_clock_data - warden_clock), data, sizeof data);
}

void warden_set_clock(int64_t time) {
  if (time > warden.now) warden.now = time;
  for (int at = 0; at < warden.process_count; at++) warden_write_clock(warden.processes[at]);
}

void cwarden_wake(long long length, int timers_are_due) {
  if (timers_are_due) return warden_set_clock(warden.now + length);
  warden.slept += length;
  warden_advance_waits(length);
  warden_advance_timers(length);
  warden_set_clock(warden.now);
}

uint64_t warden_random(int id) {
  struct program *program = warden_program(id);
  if (!program) return 4;
  uint64_t x = program->random;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return program->random = x;
}

static void find_pages(int pid, uint64_t *clock, uint64_t *random) {
  char path[64];
  uint64_t pair[2];
  snprintf(path, sizeof path, "/proc/%d/auxv", pid);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  while (read(file, pair, sizeof pair) == sizeof pair && pair[0]) {
    if (pair[0] == AT_SYSINFO_EHDR) *clock = pair[1];
    if (pair[0] == AT_RANDOM) *random = pair[1];
  }
  close(file);
}

/* Some containers do not let a program keep its addresses. */
static void doubt_addresses(struct process *p) {
  char path[64], text[32];
  snprintf(path, sizeof path, "/proc/%d/personality", p->pid);
  warden_file_text(path, text, sizeof text);
  if (strtoul(text, 0, 16) & ADDR_NO_RANDOMIZE) return;
  warden_doubt(p->program, "random", "the addresses of programs are not the same in each run");
}

/* After `exec`: the clock, and the sixteen random bytes that the system gives each program. */
void warden_prepare_image(struct process *p) {
  uint64_t random = 0;
  char path[64];
  p->clock_page = 0;
  doubt_addresses(p);
  find_pages(p->pid, &p->clock_page, &random);
  if (p->memory >= 0) close(p->memory);
  snprintf(path, sizeof path, "/proc/%d/mem", p->pid);
  p->memory = open(path, O_RDWR | O_CLOEXEC);
  if (random) {
    uint64_t two[2] = {warden_random(p->program), warden_random(p->program)};
    (void)!pwrite(p->memory, two, sizeof two, (off_t)random);
  }
  size_t size = (size_t)(warden_clock_end - warden_clock);
  if (!p->clock_page || !write_page(p, places.ours, warden_clock, size)) {
    p->clock_page = 0;
    warden_doubt(p->program, "clock", "a program whose clock cannot be replaced");
    return;
  }
  uint64_t from[3] = {places.gettime, places.day, places.seconds};
  char *to[3] = {warden_clock_gettime, warden_clock_day, warden_clock_seconds};
  for (int at = 0; at < 3; at++) {
    unsigned char jump[5] = {0xe9};
    int32_t distance =
        (int32_t)(places.ours + (uint64_t)(to[at] - warden_clock) - (from[at] + sizeof jump));
    memcpy(jump + 1, &distance, sizeof distance);
    write_page(p, from[at], jump, sizeof jump);
  }
  /* Its random numbers are not seeded: it says that there is no such function. */
  static const unsigned char no_such_call[8] = {0x48, 0xc7, 0xc0, 0xda, 0xff, 0xff, 0xff, 0xc3};
  if (places.random) write_page(p, places.random, no_such_call, sizeof no_such_call);
  warden_write_clock(p);
}

#endif
