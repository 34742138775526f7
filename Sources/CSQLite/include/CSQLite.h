#ifndef CSQLITE_H
#define CSQLITE_H

#if !__has_include(<sqlite3.h>)
#error "SQLite is missing: install libsqlite3-dev (Debian, Ubuntu), sqlite-devel (Fedora), sqlite-dev (Alpine) or sqlite (Homebrew)"
#endif
#include <sqlite3.h>

/* SQLite, loaded when it is first used. */

/* Null if the library is there, else why not. */
const char *csqlite_problem(void);

/* What cannot be called from Swift: variable arguments, and casts inside of macros. */
int csqlite_set_flag(sqlite3 *database, int flag, int on);
int csqlite_bind_text(
    sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 length);
int csqlite_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 length);
void csqlite_result_blob(sqlite3_context *context, const void *bytes, sqlite3_uint64 length);

/* Makes 'localtime' mean UTC in this process, so that no machine's time zone is seen. */
int csqlite_have_no_time_zone(void);

#endif
