/// What `rehearse explain ID` tells about a diagnostic: the rule at length, and an example of each
/// kind.
public struct DiagnosticPage: Sendable, Equatable {
  public var id: String
  public var title: String
  public var text: String
  /// A few lines that break the rule.
  public var wrong: String
  /// The same lines as they should be written.
  public var right: String

  public init(id: String, title: String, text: String, wrong: String, right: String) {
    self.id = id
    self.title = title
    self.text = text
    self.wrong = wrong
    self.right = right
  }
}
