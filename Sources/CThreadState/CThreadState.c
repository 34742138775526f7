#define _GNU_SOURCE
#include "CThreadState.h"

_Thread_local void *thread_state_of_this_thread;

static pthread_key_t state_key;
static pthread_once_t state_key_once = PTHREAD_ONCE_INIT;
static void (*release_state)(void *);

static void make_state_key(void) { pthread_key_create(&state_key, release_state); }

void thread_state_keep(void *state, void (*release)(void *)) {
  release_state = release;
  pthread_once(&state_key_once, make_state_key);
  thread_state_set(state);
  pthread_setspecific(state_key, state);
}

struct call {
  void (*body)(void *);
  void *context;
};

static void *perform(void *argument) {
  struct call *call = argument;
  call->body(call->context);
  return NULL;
}

bool thread_run(size_t stack_bytes, void *context, void (*body)(void *)) {
  struct call call = {body, context};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  pthread_t thread;
  bool started = pthread_create(&thread, &attributes, perform, &call) == 0;
  pthread_attr_destroy(&attributes);
  if (started) pthread_join(thread, NULL);
  return started;
}

uintptr_t thread_lowest_frame(void) {
#ifdef __APPLE__
  pthread_t thread = pthread_self();
  return (uintptr_t)pthread_get_stackaddr_np(thread) - pthread_get_stacksize_np(thread);
#else
  pthread_attr_t attributes;
  void *address = NULL;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  if (pthread_attr_getstack(&attributes, &address, &size) != 0) address = NULL;
  pthread_attr_destroy(&attributes);
  return (uintptr_t)address;
#endif
}
