import Values

/// A point in time, by the calendar of the machine or of the server.
public struct LicenseDate: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The whole seconds since 1970-01-01T00:00:00Z.
  public var seconds: Int
  /// The rest, from 0 to 999,999,999.
  public var nanoseconds: Int

  /// Makes a point in time from the seconds since 1970.
  public init(seconds: Int, nanoseconds: Int = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Reads a text as RFC 3339 writes it, such as `2030-01-31T13:45:00Z`.
  public init?(_ text: String) {
    guard let timestamp = Timestamp(text: text) else { return nil }
    self.init(seconds: timestamp.seconds, nanoseconds: Int(timestamp.nanoseconds))
  }

  /// The seconds since 1970, as Foundation's `Date(timeIntervalSince1970:)` takes them.
  public var secondsSince1970: Double { Double(seconds) + Double(nanoseconds) / 1e9 }

  /// The text as RFC 3339 writes it, in UTC.
  public var description: String {
    Timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds)).text
  }

  /// Returns whether the first is earlier.
  public static func < (left: LicenseDate, right: LicenseDate) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }

  /// Returns this point in time plus a duration.
  public static func + (date: LicenseDate, duration: Duration) -> LicenseDate {
    let parts = duration.components
    let total = date.nanoseconds + Int(parts.attoseconds / 1_000_000_000)
    let carried = total >= 1_000_000_000 ? 1 : total < 0 ? -1 : 0
    let (sum, overflow) = date.seconds.addingReportingOverflow(Int(parts.seconds) + carried)
    return LicenseDate(
      seconds: overflow ? .max : sum, nanoseconds: total - carried * 1_000_000_000)
  }
}
