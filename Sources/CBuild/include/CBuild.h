#ifndef CBUILD_H
#define CBUILD_H

/* What was built: a commit and its date, as `packaging/install` defines them. Empty for a build of
   a working copy. */
const char *cbuild_commit(void);

#endif
