#include "mechanisms.h"

volatile int hits;

void hit(int signal) {
  (void)signal;
  hits++;
}

/* Runs the case that is named, and prints how long it took. */
int main(int count, char **words) {
  const struct mechanism *all[] = {waits, timers, sockets, others};
  double began = milliseconds();
  if (count < 2) return 98;
  if (!strcmp(words[1], "without-trace")) return without_trace(words + 2);
  for (unsigned at = 0; at < sizeof all / sizeof *all; at++)
    for (const struct mechanism *one = all[at]; one->name; one++) {
      if (strcmp(one->name, words[1])) continue;
      int result = one->run();
      printf("result %d after %.3f ms\n", result, milliseconds() - began);
      fflush(stdout);
      return result != 0;
    }
  return 99;
}
