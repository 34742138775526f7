#pragma once

extern _Thread_local void *_Nullable thread_state_of_this_thread;

/// Returns the pointer that this thread keeps; null until it is set.
static inline void *_Nullable thread_state(void) { return thread_state_of_this_thread; }

/// Sets the pointer that this thread keeps.
static inline void thread_state_set(void *_Nullable state) {
  thread_state_of_this_thread = state;
}
