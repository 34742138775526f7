#include "CLinux.h"

static int count;
static char **arguments;

/* The loader hands functions that run before main the parameters of main. */
__attribute__((constructor)) static void keep_arguments(int argc, char **argv) {
  count = argc;
  arguments = argv;
}

int clinux_argument_count(void) { return count; }

const char *clinux_argument(int index) {
  return index >= 0 && index < count ? arguments[index] : 0;
}
