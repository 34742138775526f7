#include "CBuild.h"

#ifndef REHEARSAL_COMMIT
#define REHEARSAL_COMMIT ""
#endif

const char *cbuild_commit(void) { return REHEARSAL_COMMIT; }
