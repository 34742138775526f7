#include "CBuild.h"
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
