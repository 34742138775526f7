#ifndef CBUILD_H
#define CBUILD_H

/* The tag before the commit that was built, the commit and its date, as `packaging/build` defines them.
   Empty for a build of a working copy. */
const char *cbuild_commit(void);

#endif
