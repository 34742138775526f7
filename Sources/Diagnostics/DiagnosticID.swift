/// The name of a rule that a diagnostic reports: stable, in kebab-case, an argument of
/// `rehearse explain`.
///
/// An id is written as a literal once, where its diagnostic is made. Code that compares ids
/// declares a static member and uses it in both places.
public struct DiagnosticID: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public init(stringLiteral text: String) { self.init(rawValue: text) }
}

extension DiagnosticID: CustomStringConvertible {
  public var description: String { rawValue }
}

extension DiagnosticID: Comparable {
  public static func < (left: DiagnosticID, right: DiagnosticID) -> Bool {
    left.rawValue < right.rawValue
  }
}
