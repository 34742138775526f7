#ifndef CLOADING_H
#define CLOADING_H

/* Libraries that are loaded when one of their functions is first called. To link SQLite and three
   libraries for compression cost each start half a millisecond, an eighth of that of a small
   scenario, and hardly any scenario needs them. */

/* Null if a library can be loaded, else why not. */
const char *cloading_problem(const char *library);

/* Returns a function of a library. Without the library, the process says so, names Debian's package
   of it and ends, as one does whose library is missing when it starts. */
void *cloading_find(const char *library, const char *package, const char *name);

/* Defines a function that a header declares, and that calls the one of the library. It is hidden,
   so that the library's own calls do not come here. */
#define CLOADING_FUNCTION(library, package, result, name, parameters, arguments)                 \
  __attribute__((visibility("hidden"))) result name parameters {                                 \
    static __typeof__(name) *found;                                                              \
    if (!__atomic_load_n(&found, __ATOMIC_ACQUIRE))                                              \
      __atomic_store_n(                                                                          \
          &found, (__typeof__(name) *)cloading_find(library, package, #name), __ATOMIC_RELEASE); \
    return found arguments;                                                                      \
  }

#endif
