#include "CBuild.h"
#include <stddef.h>
#include <stdint.h>

#ifndef REHEARSAL_COMMIT
#define REHEARSAL_COMMIT ""
#endif

const char *cbuild_commit(void) { return REHEARSAL_COMMIT; }

/* The installed program has this in place of the standard library's names of characters, half a
   megabyte that nothing asks for: packaging/build has the linker wrap that function. */
intptr_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *buffer, intptr_t capacity) {
  (void)scalar, (void)buffer, (void)capacity;
  return 0;
}

/* And this in place of what makes names of C++ readable, which the runtime would show of itself
   when it ends a program. They stay as they are. */
char *__wrap___cxa_demangle(const char *name, char *buffer, size_t *length, int *status) {
  const int isNoName = -2;
  (void)name, (void)buffer, (void)length;
  if (status) *status = isNoName;
  return 0;
}
