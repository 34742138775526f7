#include "CThreadState.h"

_Thread_local void *thread_state_of_this_thread;
