/// The limits of one database; each is far above honest use.
package enum DatabaseLimits {
  /// Steps of SQLite's virtual machine that one statement may take: a second or two of work.
  package static let steps = 50_000_000
  /// The number of steps between two checks of the limit.
  static let stepsBetweenLooks = 10_000
  /// Rows of one result.
  package static let rows = 100_000
  /// Bytes of text and blobs in one result.
  package static let resultBytes = 64 << 20
  /// Bytes of one text, blob or row.
  package static let valueBytes = 16 << 20
  /// Pages of a database. They have 4 KiB unless its file says otherwise.
  static let pages = 1 << 18
  /// Bytes of one statement or script.
  package static let statementBytes = 1 << 20
  /// Bytes of a pattern of `LIKE` or `GLOB`, because its time grows with them.
  static let patternBytes = 1_000
  /// Statements that are kept compiled.
  static let statements = 200
}
