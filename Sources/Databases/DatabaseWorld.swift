import Values

/// The world of a database: the clock and the random numbers of a scenario.
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
