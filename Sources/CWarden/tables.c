#define _GNU_SOURCE
#include "warden.h"

#ifdef WARDEN_RUNS_HERE

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* What is known of programs, their processes and threads, and how it is read. */

_Thread_local struct warden warden;

static void *without_end(void *items) {
  /* A warden without memory cannot let go of what it holds: its programs end with it. */
  if (!items) abort();
  return items;
}

void *warden_add(struct list *list, size_t size) {
  if (list->count == list->room) {
    list->room = list->room ? 2 * list->room : 16;
    list->items = without_end(realloc(list->items, size * (size_t)list->room));
  }
  void *item = (char *)list->items + size * (size_t)list->count++;
  memset(item, 0, size);
  return item;
}

/* Threads and processes stay where they are in memory. */
static void make_room(void ***items, int count, int *room) {
  if (count < *room) return;
  *room = *room ? 2 * *room : 64;
  *items = without_end(realloc(*items, sizeof **items * (size_t)*room));
}

struct process *warden_process(int pid) {
  for (int at = 0; at < warden.process_count; at++)
    if (warden.processes[at]->pid == pid) return warden.processes[at];
  return 0;
}

struct process *warden_add_process(int pid, int program) {
  struct process *p = warden_process(pid);
  if (p) return p;
  make_room((void ***)&warden.processes, warden.process_count, &warden.process_room);
  p = without_end(calloc(1, sizeof *p));
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/mem", pid);
  int memory = open(path, O_RDWR | O_CLOEXEC);
  *p = (struct process){.pid = pid, .program = program, .memory = memory, .alarm = never};
  return warden.processes[warden.process_count++] = p;
}

void warden_drop_process(int pid) {
  for (int at = 0; at < warden.process_count; at++) {
    struct process *p = warden.processes[at];
    if (p->pid != pid) continue;
    if (p->memory >= 0) close(p->memory);
    free(p);
    warden.processes[at] = warden.processes[--warden.process_count];
    return;
  }
}

struct program *warden_program(int id) {
  for (EACH(struct program, one, warden.programs))
    if (one->id == id) return one;
  return 0;
}

struct thread *warden_thread(int tid) {
  for (int at = 0; at < warden.thread_count; at++)
    if (warden.threads[at]->tid == tid) return warden.threads[at];
  return 0;
}

static void path_of(int tid, const char *file, char *to, size_t room) {
  snprintf(to, room, "/proc/%d/task/%d/%s", tid, tid, file);
}

int warden_file_text(const char *path, char *to, size_t room) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t count = file < 0 ? -1 : read(file, to, room - 1);
  to[count > 0 ? count : 0] = 0;
  if (file >= 0) close(file);
  return count > 0;
}

static const char *const look_files[look_count] = {"syscall", "schedstat", "stat"};

struct thread *warden_add_thread(int tid, int program) {
  struct thread *t = warden_thread(tid);
  if (t) return t;
  make_room((void ***)&warden.threads, warden.thread_count, &warden.thread_room);
  t = without_end(calloc(1, sizeof *t));
  *t = (struct thread){.tid = tid, .program = program, .pid = tid, .socket_deadline = never};
  t->wait.cut_deadline = -1;
  char path[80], text[2048];
  for (int at = 0; at < look_count; at++) {
    path_of(tid, look_files[at], path, sizeof path);
    t->files[at] = open(path, O_RDONLY | O_CLOEXEC);
  }
  path_of(tid, "status", path, sizeof path);
  warden_file_text(path, text, sizeof text);
  const char *group = strstr(text, "Tgid:");
  if (group) t->pid = atoi(group + 5);
  return warden.threads[warden.thread_count++] = t;
}

void warden_number(struct thread *t, int id) {
  struct program *program = warden_program(id);
  t->program = id;
  if (program) t->order = id * 1000000L + program->threads++;
}

void warden_drop_thread(struct thread *t) {
  for (int at = 0; at < look_count; at++)
    if (t->files[at] >= 0) close(t->files[at]);
  for (int at = 0; at < warden.thread_count; at++)
    if (warden.threads[at] == t) warden.threads[at] = warden.threads[--warden.thread_count];
  if (warden.asking == t) warden.asking = 0;
  free(t);
}

/* A thread of many, for which there was no descriptor left, has its files opened each time. */
int warden_read(struct thread *t, enum look look, char *text, size_t room) {
  char path[80];
  ssize_t count;
  if (t->files[look] < 0) {
    path_of(t->tid, look_files[look], path, sizeof path);
    return warden_file_text(path, text, room);
  }
  count = pread(t->files[look], text, room - 1, 0);
  text[count > 0 ? count : 0] = 0;
  return count > 0;
}

int64_t warden_work(struct thread *t) {
  char text[96];
  return warden_read(t, look_at_runs, text, sizeof text) ? strtoll(text, 0, 10) : 0;
}

int warden_get(struct thread *t, uint64_t at, void *to, size_t count) {
  struct iovec ours = {to, count}, theirs = {(void *)at, count};
  return process_vm_readv(t->tid, &ours, 1, &theirs, 1, 0) == (ssize_t)count;
}

int warden_put(struct thread *t, uint64_t at, const void *from, size_t count) {
  struct iovec ours = {(void *)from, count}, theirs = {(void *)at, count};
  return process_vm_writev(t->tid, &ours, 1, &theirs, 1, 0) == (ssize_t)count;
}

int64_t warden_time_at(struct thread *t, uint64_t at) {
  int64_t parts[2] = {0, 0};
  warden_get(t, at, parts, sizeof parts);
  return parts[0] >= never / second ? never : parts[0] * second + parts[1];
}

void warden_put_time(struct thread *t, uint64_t at, int64_t time) {
  int64_t parts[2] = {time / second, time % second};
  warden_put(t, at, parts, sizeof parts);
}

int warden_link(int pid, int descriptor, char *to, size_t room) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, descriptor);
  ssize_t count = readlink(path, to, room - 1);
  to[count > 0 ? count : 0] = 0;
  return count > 0;
}

void warden_name(int pid, char *to, size_t room) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/comm", pid);
  warden_file_text(path, to, room);
  to[strcspn(to, "\n")] = 0;
}

void warden_notify(struct cwarden_event event) {
  event.now = warden.now;
  if (warden.settings.notify) warden.settings.notify(warden.settings.context, &event);
}

void warden_doubt(int program, const char *kind, const char *detail) {
  warden_notify((struct cwarden_event){
      .kind = cwarden_doubt, .program = program, .name = kind, .detail = detail});
}

#endif
