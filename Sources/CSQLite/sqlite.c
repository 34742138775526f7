#include "CSQLite.h"

#include "CLoading.h"
#include <time.h>

#define LIBRARY "libsqlite3.so.0"
#define PACKAGE "libsqlite3-0"
#define F(result, name, parameters, arguments)                                                   \
  CLOADING_FUNCTION(LIBRARY, PACKAGE, result, name, parameters, arguments)

const char *csqlite_problem(void) { return cloading_problem(LIBRARY); }

F(int, sqlite3_initialize, (void), ())
F(int, sqlite3_open, (const char *path, sqlite3 **made), (path, made))
F(int, sqlite3_open_v2, (const char *path, sqlite3 **made, int flags, const char *vfs),
  (path, made, flags, vfs))
F(int, sqlite3_close, (sqlite3 * database), (database))
F(int, sqlite3_close_v2, (sqlite3 * database), (database))
F(int, sqlite3_exec,
  (sqlite3 * database, const char *text, int (*receive)(void *, int, char **, char **),
   void *context, char **message),
  (database, text, receive, context, message))
F(int, sqlite3_busy_timeout, (sqlite3 * database, int time), (database, time))
F(sqlite3_int64, sqlite3_changes64, (sqlite3 * database), (database))
F(sqlite3_int64, sqlite3_total_changes64, (sqlite3 * database), (database))
F(sqlite3_int64, sqlite3_last_insert_rowid, (sqlite3 * database), (database))
F(int, sqlite3_get_autocommit, (sqlite3 * database), (database))
F(int, sqlite3_limit, (sqlite3 * database, int limit, int value), (database, limit, value))
F(int, sqlite3_file_control, (sqlite3 * database, const char *name, int operation, void *value),
  (database, name, operation, value))
F(const char *, sqlite3_errmsg, (sqlite3 * database), (database))
F(int, sqlite3_error_offset, (sqlite3 * database), (database))
F(int, sqlite3_system_errno, (sqlite3 * database), (database))
F(sqlite3_int64, sqlite3_memory_used, (void), ())

F(void *, sqlite3_commit_hook, (sqlite3 * database, int (*call)(void *), void *context),
  (database, call, context))
F(void *, sqlite3_rollback_hook, (sqlite3 * database, void (*call)(void *), void *context),
  (database, call, context))
F(void, sqlite3_progress_handler,
  (sqlite3 * database, int steps, int (*call)(void *), void *context),
  (database, steps, call, context))
F(int, sqlite3_set_authorizer,
  (sqlite3 * database,
   int (*call)(void *, int, const char *, const char *, const char *, const char *),
   void *context),
  (database, call, context))
F(int, sqlite3_create_function_v2,
  (sqlite3 * database, const char *name, int count, int encoding, void *context,
   void (*call)(sqlite3_context *, int, sqlite3_value **),
   void (*step)(sqlite3_context *, int, sqlite3_value **), void (*end)(sqlite3_context *),
   void (*release)(void *)),
  (database, name, count, encoding, context, call, step, end, release))
F(void *, sqlite3_user_data, (sqlite3_context * context), (context))
F(sqlite3_int64, sqlite3_value_int64, (sqlite3_value * value), (value))
F(void, sqlite3_result_int64, (sqlite3_context * context, sqlite3_int64 number),
  (context, number))
F(void, sqlite3_result_error_toobig, (sqlite3_context * context), (context))

F(int, sqlite3_prepare_v3,
  (sqlite3 * database, const char *text, int length, unsigned flags, sqlite3_stmt **made,
   const char **rest),
  (database, text, length, flags, made, rest))
F(int, sqlite3_step, (sqlite3_stmt * statement), (statement))
F(int, sqlite3_reset, (sqlite3_stmt * statement), (statement))
F(int, sqlite3_finalize, (sqlite3_stmt * statement), (statement))
F(int, sqlite3_stmt_status, (sqlite3_stmt * statement, int counter, int resets),
  (statement, counter, resets))
F(int, sqlite3_bind_parameter_count, (sqlite3_stmt * statement), (statement))
F(const char *, sqlite3_bind_parameter_name, (sqlite3_stmt * statement, int index),
  (statement, index))
F(int, sqlite3_clear_bindings, (sqlite3_stmt * statement), (statement))
F(int, sqlite3_bind_null, (sqlite3_stmt * statement, int index), (statement, index))
F(int, sqlite3_bind_int64, (sqlite3_stmt * statement, int index, sqlite3_int64 number),
  (statement, index, number))
F(int, sqlite3_bind_double, (sqlite3_stmt * statement, int index, double number),
  (statement, index, number))
F(int, sqlite3_bind_zeroblob, (sqlite3_stmt * statement, int index, int length),
  (statement, index, length))
F(int, sqlite3_column_count, (sqlite3_stmt * statement), (statement))
F(const char *, sqlite3_column_name, (sqlite3_stmt * statement, int index), (statement, index))
F(const char *, sqlite3_column_decltype, (sqlite3_stmt * statement, int index),
  (statement, index))
F(int, sqlite3_column_type, (sqlite3_stmt * statement, int index), (statement, index))
F(int, sqlite3_column_bytes, (sqlite3_stmt * statement, int index), (statement, index))
F(const void *, sqlite3_column_blob, (sqlite3_stmt * statement, int index), (statement, index))
F(const unsigned char *, sqlite3_column_text, (sqlite3_stmt * statement, int index),
  (statement, index))
F(sqlite3_int64, sqlite3_column_int64, (sqlite3_stmt * statement, int index), (statement, index))
F(double, sqlite3_column_double, (sqlite3_stmt * statement, int index), (statement, index))

F(sqlite3_vfs *, sqlite3_vfs_find, (const char *name), (name))
F(int, sqlite3_vfs_register, (sqlite3_vfs * vfs, int isDefault), (vfs, isDefault))
F(int, sqlite3_vfs_unregister, (sqlite3_vfs * vfs), (vfs))
F(sqlite3_mutex *, sqlite3_mutex_alloc, (int kind), (kind))
F(void, sqlite3_mutex_enter, (sqlite3_mutex * mutex), (mutex))
F(void, sqlite3_mutex_leave, (sqlite3_mutex * mutex), (mutex))

F(
    int, sqlite3_bind_text64,
    (sqlite3_stmt * statement, int index, const char *text, sqlite3_uint64 length,
     void (*release)(void *), unsigned char encoding),
    (statement, index, text, length, release, encoding))
F(
    int, sqlite3_bind_blob64,
    (sqlite3_stmt * statement, int index, const void *bytes, sqlite3_uint64 length,
     void (*release)(void *)),
    (statement, index, bytes, length, release))
F(
    void, sqlite3_result_blob64,
    (sqlite3_context * context, const void *bytes, sqlite3_uint64 length,
     void (*release)(void *)),
    (context, bytes, length, release))

int csqlite_bind_text(
    sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 length) {
  return sqlite3_bind_text64(statement, index, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

int csqlite_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 length) {
  return sqlite3_bind_blob64(statement, index, bytes, length, SQLITE_TRANSIENT);
}

void csqlite_result_blob(sqlite3_context *context, const void *bytes, sqlite3_uint64 length) {
  sqlite3_result_blob64(context, bytes, length, SQLITE_TRANSIENT);
}

/* Functions with variable arguments cannot hand them on. */
int csqlite_set_flag(sqlite3 *database, int flag, int on) {
  __typeof__(sqlite3_db_config) *configure = cloading_find(LIBRARY, PACKAGE, "sqlite3_db_config");
  return configure(database, flag, on, (int *)0);
}

static int universal_time(const void *time, void *parts) {
  return gmtime_r((const time_t *)time, (struct tm *)parts) ? 0 : 1;
}

int csqlite_have_no_time_zone(void) {
  __typeof__(sqlite3_test_control) *control =
      cloading_find(LIBRARY, PACKAGE, "sqlite3_test_control");
  return control(SQLITE_TESTCTRL_LOCALTIME_FAULT, 2, universal_time);
}
