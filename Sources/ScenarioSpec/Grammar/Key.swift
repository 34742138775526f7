/// The keys of the language. The rules of the table define which mapping has which.
package enum Key: String, Sendable, CaseIterable {
  // documents
  case scenario, name, description, tags, skip, only, against, timeout, time, clock, seed, vars,
    cases, use
  case graph, reactors, databases, endpoints, providers, lists, connections, streams, sources
  case invariants, steps
  case finally, rows, params, component, `as`, type, `default`, schema,
    about
  // the stage
  case value, secret, stored, computed, latest, of, state, bindings, keeps, actions, follows
  case inFlight, join, lifecycle
  case url, http, sse, websocket, items, endpoint, query, headers, json, text
  case file, database, stream, retry, live, sqlite, setup, statement
  // configuration
  case paths, reports, limits, jobs, retries, maxTime, deadline, logLimit, human, junit, tap, ctrf
  case github, codequality, html, environments
  // programs
  case programs, requires, run, env, folder, ready, line, port, stop, signal
  // routes and answers
  case get, post, put, patch, delete, head, options, any, when, respond, script, status, after
  case turns, turnsBy, match, chunks, fault, cors, origins, methods, credentials, expose, maxAge
  case proxy, change
  // steps
  case set, transaction, send, terminate, load, emit, fail, drop, stall, wait, parallel
  case `let`, log, `repeat`, forEach, `if`, then, `else`, `try`, `catch`, expect, never, check,
    eventually
  case suspend, timers
  case fails, ignore, connect, disconnect, refresh, request, sql, network, serve, snapshot
  // connections, and what mocks do with them
  case ndjson, path, protocols, `protocol`, ping, idle, maxAttempts, initialDelay, maxDelay
  case multiplier, jitter, giveUpOn, onConnect, maxFailures, method, acceptKey, id, data, comment
  case code, reason
  case hex, halfClose
  case include, on
  // requests of steps
  case auth, basic, bearer, user, password, cookies, session, form, multipart, redirects, filename
  case contentType
  case until, failIf, receive, accept, refuse, event, reset, close, pings, bytes, provider, with, to
  // expectations
  case within, soft, `for`, error, since, mark, times, anyOrder, marble, tick, values, subscriptions
  // streams
  case from, subject, interval, hot, through, source, `where`
  // operators of streams
  case map, filter, compactMap, removeDuplicates, scan, reduce, initial, count, min, max, last
  case first, ignoreOutput, collect, every, measureInterval, share, contains, allSatisfy, prefix
  case prefixWhile, prefixUntil, dropFirst, dropWhile, dropUntil, output, replaceEmpty
  case debounce, flush, throttle, delay, replaceError, mapError, prepend, append, merge
  case combineLatest, zip, withLatest, `switch`, flatMap, concatMap, exhaust, buffer, whenFull
  case flatten, fallback, suffix, dropLast, inclusive, windowed, step, collectUntil, sample, audit
  case trailing, replay, cold, groupBy
  case queue, start, action
  case awaited = "await"
  // what always holds, and the world between
  case always, leadsTo, precededBy, once, between, unchanged, `while`, per, atMost, atLeast
  case complete, quiet, reorder
  case sweep, same, allow, disturb, settle, resumable
  case traces, keep, hide
  case latency, loss, fragments, faults, corrupt, duplicate, upTo
  // operators of matchers
  case anyOperator = "$any"
  case exactlyOperator = "$exactly"
  case regexOperator = "$regex"
  case textOperator = "$text"
  case greaterOperator = "$gt"
  case atLeastOperator = "$gte"
  case lessOperator = "$lt"
  case atMostOperator = "$lte"
  case inOperator = "$in"
  case notOperator = "$not"
  case sizeOperator = "$size"
  case containsOperator = "$contains"
  case likeOperator = "$like"
  case whereOperator = "$where"
  case asOperator = "$as"
  case matchOperator = "$match"
  case secretOperator = "$secret"
  case schemaOperator = "$schema"
  case absentOperator = "$absent"
  case typeOperator = "$type"
  case eachOperator = "$each"
  case anyOrderOperator = "$anyOrder"
  case jsonOperator = "$json"
  case startsWithOperator = "$startsWith"
  case endsWithOperator = "$endsWith"
  case fileOperator = "$file"
  case eachLikeOperator = "$eachLike"
  case exampleOperator = "$example"
}

extension LanguageTable {
  /// The keys whose texts take no expression: paths of files, names of snapshots, and texts with a
  /// syntax of their own.
  static let literalTexts: [Key] = [
    .hex, .file, .path, .include, .use, .snapshot, .name, .regexOperator,
  ]
}
