import Values

/// What a database sees of the world outside: the clock and chance of a scenario.
package struct DatabaseWorld {
  /// The present time, for `CURRENT_TIMESTAMP`, `datetime('now')` and the like.
  package var now: () -> Timestamp
  /// The next number of a seeded generator, for `random()` and `randomblob()`.
  package var random: () -> UInt64

  package init(now: @escaping () -> Timestamp, random: @escaping () -> UInt64) {
    self.now = now
    self.random = random
  }
}
