#pragma once
#include <stdbool.h>

/// The kinds of jobs that the runtime of Swift hands to its executors.
enum task_hooks_kind { task_hooks_global = 0, task_hooks_main = 1 };

/// Takes a job that the thread of a run has made. It returns false if the runtime is to keep it.
typedef bool (*task_hooks_taker)(void *_Nonnull job, int kind);

/// Returns whether the runtime has the hooks that a run needs.
bool task_hooks_are_available(void);

/// Makes this thread the one of a run. Until the run ends, its jobs go to `taker`, and code of the
/// main actor that it starts runs on the executor of which the two words are the reference.
void task_hooks_begin(task_hooks_taker _Nonnull taker, unsigned long identity,
                      unsigned long implementation);

/// Ends the run of this thread.
void task_hooks_end(void);

/// Returns whether this thread is the one of a run.
bool task_hooks_are_active(void);
