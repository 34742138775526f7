/* The installed program counts references without locking the memory while it has one thread. Each
   retain and each release is a locked instruction in the Swift runtime, which takes as long as 20
   others; a run of one scenario makes tens of thousands, and nobody can see the difference until a
   second thread begins.

   packaging/build has the linker wrap the functions of the runtime, and those that begin and await
   threads; in other builds they stay as they are. The two ways of counting take turns: what one has
   counted, the other goes on from. */
#ifdef REHEARSAL_WRAPS_RUNTIME

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

extern void *__real_swift_retain(void *object);
extern void __real_swift_release(void *object);
extern void *swift_nonatomic_retain(void *object);
extern void swift_nonatomic_release(void *object);
extern int __real_pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument);
extern int __real_pthread_join(pthread_t thread, void **result);

/* The threads that have begun and that nobody has awaited. A detached one counts for ever. */
static atomic_int otherThreads;

/* Bits that a reference has if it is more than the address of an object. Only the runtime's usual
   functions know them. */
static const uintptr_t markedBits = 0xff00000000000007;

static inline int isCountedAlone(void *object) {
  return !atomic_load_explicit(&otherThreads, memory_order_relaxed)
      && !((uintptr_t)object & markedBits);
}

void *__wrap_swift_retain(void *object) {
  return isCountedAlone(object) ? swift_nonatomic_retain(object) : __real_swift_retain(object);
}

void __wrap_swift_release(void *object) {
  isCountedAlone(object) ? swift_nonatomic_release(object) : __real_swift_release(object);
}

int __wrap_pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  atomic_fetch_add(&otherThreads, 1);
  int result = __real_pthread_create(thread, attributes, body, argument);
  if (result) atomic_fetch_sub(&otherThreads, 1);
  return result;
}

int __wrap_pthread_join(pthread_t thread, void **result) {
  int failed = __real_pthread_join(thread, result);
  if (!failed) atomic_fetch_sub(&otherThreads, 1);
  return failed;
}

#endif
