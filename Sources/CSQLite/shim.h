#include <sqlite3.h>
#include <time.h>

/* What cannot be called from Swift: variable arguments, and casts inside of macros. */

static inline int csqlite_set_flag(sqlite3 *database, int flag, int on) {
  return sqlite3_db_config(database, flag, on, (int *)0);
}

static inline int csqlite_bind_text(
    sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 length) {
  return sqlite3_bind_text64(statement, index, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int csqlite_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 length) {
  return sqlite3_bind_blob64(statement, index, bytes, length, SQLITE_TRANSIENT);
}

static inline void csqlite_result_blob(
    sqlite3_context *context, const void *bytes, sqlite3_uint64 length) {
  sqlite3_result_blob64(context, bytes, length, SQLITE_TRANSIENT);
}

static int csqlite_universal_time(const void *time, void *parts) {
  return gmtime_r((const time_t *)time, (struct tm *)parts) ? 0 : 1;
}

/* Makes 'localtime' mean UTC in this process, so that no machine's time zone is seen. */
static inline int csqlite_have_no_time_zone(void) {
  return sqlite3_test_control(SQLITE_TESTCTRL_LOCALTIME_FAULT, 2, csqlite_universal_time);
}
