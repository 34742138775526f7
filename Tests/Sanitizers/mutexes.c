// A lock that is contended is taken by code of the toolchain that was built without the thread
// sanitizer: it spins, or the kernel hands the lock over. The sanitizer misses both, and reports
// races between critical sections of the same lock. This library stands before that code, and
// reports what it does. `check` loads it into the tests.

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#define swiftcall __attribute__((swiftcall))
#define swift_self __attribute__((swift_context))

extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

typedef swiftcall void lock_function(uint32_t thread, void *swift_self self);
typedef swiftcall void unlock_function(void *swift_self self);

static void *next(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (!function) abort();
  return function;
}

// Synchronization._MutexHandle._lockSlow(_:)
swiftcall void lock_slow(uint32_t thread, void *swift_self self)
    __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");

swiftcall void lock_slow(uint32_t thread, void *swift_self self) {
  lock_function *lock = next("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
  lock(thread, self);
  if (__tsan_acquire) __tsan_acquire(self);
}

// Synchronization._MutexHandle._unlockSlow()
swiftcall void unlock_slow(void *swift_self self)
    __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

swiftcall void unlock_slow(void *swift_self self) {
  unlock_function *unlock = next("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
  if (__tsan_release) __tsan_release(self);
  unlock(self);
}
