#include "CWarden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static void print(void *context, const struct cwarden_event *event) {
  (void)context;
  const char *detail = event->detail ? event->detail : "";
  if (event->kind == cwarden_wire) return;
  if (event->kind == cwarden_doubt) printf("doubt %s: %s\n", event->name, detail);
  if (event->kind == cwarden_waits) printf("%s %s\n", event->name, detail);
  fflush(stdout);
}

/* WITHOUT PAUSES COMMAND…: runs a command without some of the rules of rest, and with pauses at
   random if their seed is not zero. */
int main(int count, char **words) {
  if (count < 4) return 98;
  struct cwarden_settings settings = {
      .calendar = 1893456000000000000LL, .seed = 1, .notify = print, .has_outside = 1,
      .without = (unsigned)atoi(words[1]), .pauses = (unsigned)atoi(words[2])};
  int files[3] = {0, 1, 2};
  if (cwarden_begin(&settings) != cwarden_possible) return 97;
  if (cwarden_start(0, 0, 0, words + 3, environ, files) != 0) return 96;
  enum cwarden_pause pause;
  do pause = cwarden_idle(-1, 0, -1, 0);
  while (pause == cwarden_busy);
  printf("%s\n", pause == cwarden_ended ? "ended" : "stuck");
  cwarden_end();
  return 0;
}
