#ifndef CBUILD_H
#define CBUILD_H

/* What was built: a commit and its date, as `packaging/install` defines them. Empty for a build of
   a working copy. */
const char *cbuild_commit(void);

/* The words of the command line, the program's name among them. Swift's own way to them reads the
   list of all memory of the process, which takes a fiftieth of the start of a small scenario. */
int cbuild_word_count(void);
const char *cbuild_word(int index);

#endif
