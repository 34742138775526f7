#ifndef CTEXTS_H
#define CTEXTS_H

#include <stddef.h>

/* The texts that the program carries, from the files of their own kind beside this one. Each ends
   with a zero. */

/* The pages of `rehearse explain`, one file behind the other. */
const char *ctexts_diagnostics(void);

/* A page of the documentation, by its path in `docs`, or a component, by its name such as `std/openai`;
   NULL if it is made from tables or is neither. */
const char *ctexts_documentation(const char *path);

/* A file of the first suite, by its name; NULL if it is made from tables. */
const char *ctexts_first_file(const char *name);

/* The paths of these texts, from 0 on; NULL behind the last one. */
const char *ctexts_documentation_path(size_t number);

/* The script of the report page. */
const char *ctexts_page_script(void);

/* The style of the report page. */
const char *ctexts_page_style(void);

#endif
