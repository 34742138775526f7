/// One diagnostic of one mistake: the broken rule, the place, and the remedy.
///
/// Messages state the rule in one sentence; only `help` proposes a change.
public struct Diagnostic: Sendable, Hashable {
  public enum Severity: String, Sendable {
    case error, warning
    /// Something to know, which is not wrong. It is shown on one line, and no option makes a run
    /// fail by it.
    case note
  }

  /// A place with a short text. The first label of a diagnostic is its own place.
  public struct Label: Sendable, Hashable {
    public var range: SourceRange
    public var text: String

    public init(_ range: SourceRange, _ text: String = "") {
      self.range = range
      self.text = text
    }
  }

  /// A line under the excerpt with a compared value: `actual    5`.
  public struct Fact: Sendable, Hashable {
    /// The name of the note with the command that repeats a run.
    public static let rerun = "rerun"

    public var name: String
    public var text: String

    public init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }
  }

  /// A part of a value that differs, for programs; people read it in the facts.
  public struct Difference: Sendable, Hashable {
    public enum Kind: String, Sendable {
      case value, type, missing, unexpected, length, `operator`, schema
    }

    /// The path from the whole value to the part: `.items[2].name`; empty for the whole.
    public var path: String
    public var kind: Kind
    /// The values as JSON texts; nil if a side has no value.
    public var actual: String?
    public var expected: String?

    public init(path: String, kind: Kind, actual: String?, expected: String?) {
      self.path = path
      self.kind = kind
      self.actual = actual
      self.expected = expected
    }
  }

  /// A change of the file after which the diagnostic is gone.
  public enum Fix: Sendable, Hashable {
    /// A text in place of another.
    case text(SourceRange, String)
    /// The whole line of the first label, without its indentation.
    case line(String)

    public var replacement: String {
      switch self {
      case .text(_, let text), .line(let text): text
      }
    }
  }

  /// The stable id in kebab-case; `rehearse explain ID` explains it.
  public var id: DiagnosticID
  public var severity: Severity
  public var message: String
  public var labels: [Label]
  /// The facts below the excerpt, aligned by name: `actual`, `expected`.
  public var facts: [Fact]
  /// The notes at the end, each after `= name`: `timeline`, `cause`, `rerun`, `note`.
  public var notes: [Fact]
  public var help: String?
  /// The comparison of `facts`, as data.
  public var differences: [Difference]
  /// The correction, if it is certain.
  public var fix: Fix?

  public init(
    _ id: DiagnosticID, severity: Severity = .error, _ message: String, labels: [Label] = [],
    facts: [Fact] = [], notes: [Fact] = [], help: String? = nil,
    differences: [Difference] = [], fix: Fix? = nil
  ) {
    self.id = id
    self.severity = severity
    self.message = message
    self.labels = labels
    self.facts = facts
    self.notes = notes
    self.help = help
    self.differences = differences
    self.fix = fix
  }

  /// Returns the diagnostic with a text that is written in place of its first label.
  public func fixed(by text: String?) -> Diagnostic {
    var diagnostic = self
    if let text, let place = labels.first?.range { diagnostic.fix = .text(place, text) }
    return diagnostic
  }
}

extension Diagnostic {
  /// Returns the diagnostic with its texts replaced; `mask` gets each text that quotes a value.
  ///
  /// The data in `differences` stays: it is masked when it is made. The command that repeats a run
  /// stays as well: with a mask in it, it would repeat something else.
  public func masked(by mask: (String) -> String) -> Diagnostic {
    var masked = self
    masked.message = mask(message)
    masked.labels = labels.map { Label($0.range, mask($0.text)) }
    masked.facts = facts.map { Fact($0.name, mask($0.text)) }
    masked.notes = notes.map { $0.name == Fact.rerun ? $0 : Fact($0.name, mask($0.text)) }
    masked.help = help.map(mask)
    // A mask in a file would replace the secret.
    if let text = fix?.replacement, mask(text) != text { masked.fix = nil }
    for index in differences.indices {
      masked.differences[index].path = mask(differences[index].path)
    }
    return masked
  }
}

/// A value and the diagnostics about the text it came from; reading never throws.
public struct Diagnosed<Result> {
  public var value: Result
  public var diagnostics: [Diagnostic]
  /// The places whose text is taken as it is written, whatever an earlier stage would make of it.
  public var textPlaces: [SourceRange] = []

  public init(_ value: Result, _ diagnostics: [Diagnostic] = []) {
    self.value = value
    self.diagnostics = diagnostics
  }
}

extension Diagnosed: Sendable where Result: Sendable {}

extension Sequence<Diagnostic> {
  /// True if any of these prevents the next stage.
  @inlinable public var hasErrors: Bool { contains { $0.severity == .error } }
}
