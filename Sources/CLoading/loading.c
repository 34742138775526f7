#include "CLoading.h"

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

/* The exit code for what goes wrong outside of scenarios. */
enum { couldNotRun = 3 };

/* A library that is open already is not opened again. It stays open as long as the process. */
static void *open_library(const char *library) { return dlopen(library, RTLD_NOW | RTLD_LOCAL); }

const char *cloading_problem(const char *library) { return open_library(library) ? 0 : dlerror(); }

void *cloading_find(const char *library, const char *package, const char *name) {
  void *handle = open_library(library);
  void *found = handle ? dlsym(handle, name) : 0;
  if (found) return found;
  fprintf(
      stderr,
      "error: a library is needed now, and could not be loaded: %s\n"
      "  = help  install it: Debian and Ubuntu have it in the package `%s`\n",
      dlerror(), package);
  _exit(couldNotRun);
}
