extension Sequence<Diagnostic> {
  /// Returns the diagnostics in the order of a report: in the order of the texts and from top to
  /// bottom, errors and warnings mixed. Equal ones appear once.
  public func sortedForReport() -> [Diagnostic] {
    var seen: Set<Diagnostic> = []
    let distinct = filter { seen.insert($0).inserted }.enumerated()
    let inOrder = distinct.sorted { left, right in
      let (a, b) = (left.element.reportPlace, right.element.reportPlace)
      return (a.file, a.start, left.offset) < (b.file, b.start, right.offset)
    }
    return inOrder.map(\.element)
  }
}

extension Diagnostic {
  fileprivate var reportPlace: SourceRange { labels.first?.range ?? .none }
}
