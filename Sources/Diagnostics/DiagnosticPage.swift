/// The page of `rehearse explain ID` about a diagnostic: the rule in detail, a wrong and a right
/// example.
public struct DiagnosticPage: Sendable, Equatable {
  public var id: DiagnosticID
  public var title: String
  public var text: String
  /// A few lines that break the rule.
  public var wrong: String
  /// The same lines as they should be written.
  public var right: String
  /// Other files that the examples use.
  public var files: [File] = []

  public struct File: Sendable, Equatable {
    public var path: String
    public var text: String

    public init(_ path: String, _ text: String) {
      self.path = path
      self.text = text
    }
  }

  public init(
    id: DiagnosticID, title: String, text: String, wrong: String, right: String, files: [File] = []
  ) {
    self.id = id
    self.title = title
    self.text = text
    self.wrong = wrong
    self.right = right
    self.files = files
  }
}
