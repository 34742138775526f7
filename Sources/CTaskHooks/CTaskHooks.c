// Hooks of the concurrency runtime. They are installed once, for the process, and look at nothing
// but a variable of the thread: a thread without a run sees the runtime as it was before.
//
// They are installed before the program's first task. Other threads read them without a lock, so
// that a later time would be a race.
#include "CTaskHooks.h"
#include <stddef.h>

#define SWIFT_CALL __attribute__((swiftcall))
#define WEAK __attribute__((weak))

typedef struct {
  unsigned long identity;
  unsigned long implementation;
} executor_reference;

typedef SWIFT_CALL void (*enqueue_function)(void *job);
typedef SWIFT_CALL void (*enqueue_hook)(void *job, enqueue_function original);
typedef SWIFT_CALL executor_reference (*main_function)(void);
typedef SWIFT_CALL executor_reference (*main_hook)(main_function original);

extern enqueue_hook swift_task_enqueueGlobal_hook WEAK;
extern enqueue_hook swift_task_enqueueMainExecutor_hook WEAK;
extern main_hook swift_task_getMainExecutor_hook WEAK;

static _Thread_local task_hooks_taker taker;
static _Thread_local executor_reference main_executor;
static enqueue_hook next_global, next_main;
static main_hook next_executor;

static SWIFT_CALL void enqueue_global(void *job, enqueue_function original) {
  if (taker && taker(job, task_hooks_global)) return;
  if (next_global) next_global(job, original); else original(job);
}

static SWIFT_CALL void enqueue_main(void *job, enqueue_function original) {
  if (taker && taker(job, task_hooks_main)) return;
  if (next_main) next_main(job, original); else original(job);
}

static SWIFT_CALL executor_reference get_main_executor(main_function original) {
  if (taker) return main_executor;
  return next_executor ? next_executor(original) : original();
}

bool task_hooks_are_available(void) {
  return &swift_task_enqueueGlobal_hook && &swift_task_enqueueMainExecutor_hook &&
         &swift_task_getMainExecutor_hook;
}

__attribute__((constructor)) static void install(void) {
  if (!task_hooks_are_available()) return;
  next_global = swift_task_enqueueGlobal_hook;
  next_main = swift_task_enqueueMainExecutor_hook;
  next_executor = swift_task_getMainExecutor_hook;
  swift_task_enqueueGlobal_hook = enqueue_global;
  swift_task_enqueueMainExecutor_hook = enqueue_main;
  swift_task_getMainExecutor_hook = get_main_executor;
}

void task_hooks_begin(task_hooks_taker new_taker, unsigned long identity,
                      unsigned long implementation) {
  main_executor.identity = identity;
  main_executor.implementation = implementation;
  taker = new_taker;
}

void task_hooks_end(void) { taker = NULL; }

bool task_hooks_are_active(void) { return taker != NULL; }
