/// Returns the machine-readable form of `render`: one JSON object on one line, with every key
/// present.
public func diagnosticJSON(_ diagnostic: Diagnostic, in sources: SourceMap) -> String {
  JSONWriter.object { $0.addMembers(of: diagnostic, in: sources) }
}

extension JSONWriter {
  /// Appends a diagnostic as an object.
  ///
  /// - Parameter text: The diagnostic as people read it; nil if the reader renders it itself.
  public mutating func diagnostic(
    _ diagnostic: Diagnostic, in sources: SourceMap, text: String? = nil
  ) {
    object {
      $0.addMembers(of: diagnostic, in: sources)
      if let text { $0.member("text", text) }
    }
  }

  fileprivate mutating func addMembers(of diagnostic: Diagnostic, in sources: SourceMap) {
    member("id", diagnostic.id.rawValue)
    member("page", documentationPage(of: diagnostic.id))
    member("severity", diagnostic.severity.rawValue)
    member("message", diagnostic.message)
    member("labels", listOf: diagnostic.labels) { $0.label($1, in: sources) }
    member("facts", listOf: diagnostic.facts) { $0.fact($1) }
    member("notes", listOf: diagnostic.notes) { $0.fact($1) }
    member("help", diagnostic.help)
    member("differences", listOf: diagnostic.differences) { $0.difference($1) }
    if let change = diagnostic.change(in: sources), let file = diagnostic.labels.first?.range.file {
      let range = SourceRange(file: file, start: Int32(change.start), end: Int32(change.end))
      member("fix") { $0.label(Diagnostic.Label(range, change.text), in: sources) }
    }
  }

  private mutating func label(_ label: Diagnostic.Label, in sources: SourceMap) {
    let file = sources.file(of: label.range)
    let start = file?.place(of: Int(label.range.start))
    let end = file?.place(of: Int(max(label.range.start, label.range.end)))
    object {
      $0.member("path", file?.path)
      $0.member("line", start?.line)
      $0.member("column", start?.column)
      $0.member("endLine", end?.line)
      $0.member("endColumn", end?.column)
      $0.member("text", label.text)
    }
  }

  private mutating func fact(_ fact: Diagnostic.Fact) {
    object {
      $0.member("name", fact.name)
      $0.member("text", fact.text)
    }
  }

  /// Appends a difference. A side without a value is left out, since null is a value too.
  private mutating func difference(_ difference: Diagnostic.Difference) {
    object {
      $0.member("path", difference.path)
      $0.member("kind", difference.kind.rawValue)
      if let actual = difference.actual { $0.member("actual") { $0.raw(actual) } }
      if let expected = difference.expected { $0.member("expected") { $0.raw(expected) } }
    }
  }
}
