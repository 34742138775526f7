#pragma once

// The room below also uses functions of these, on every system that has them.
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

extern _Thread_local void *_Nullable thread_state_of_this_thread;

/// Returns the pointer that this thread keeps; null until it is set.
static inline void *_Nullable thread_state(void) { return thread_state_of_this_thread; }

/// Sets the pointer that this thread keeps.
static inline void thread_state_set(void *_Nullable state) {
  thread_state_of_this_thread = state;
}

/// Sets the pointer that this thread keeps, and releases it when the thread ends. The function is the
/// same for all threads.
void thread_state_keep(void *_Nonnull state, void (*_Nonnull release)(void *_Nonnull));

/// Calls a function on a new thread with a stack of a size, and waits for its end. Returns false if
/// there is no such thread, and nothing was called.
bool thread_run(
  size_t stack_bytes, void *_Nonnull context, void (*_Nonnull body)(void *_Nonnull context));

/// Returns where the stack of this thread ends, which grows downwards; 0 if nobody knows.
uintptr_t thread_lowest_frame(void);

/// `free`, by a name that no method of the room has.
static inline void graph_memory_free(void *_Nonnull memory) { free(memory); }
