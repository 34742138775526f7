/// One or more scenarios, as the command line names them.
struct Selector: Equatable {
  /// The text as it was given, for messages.
  var text: String
  var selection: Selection
  /// The option right before it, if it takes a value that may be left out: the text may have been
  /// meant as that value.
  var optionBefore: OptionName? = nil
  /// The place in a configuration, if it is from there: `rehearse.yaml:3`.
  var place: String? = nil

  /// True if the text names one scenario, and not only its file.
  var namesScenario: Bool {
    switch selection {
    case .path, .pattern: false
    case .line, .title, .row: true
    }
  }
}

/// The parts of a selector.
enum Selection: Equatable {
  /// A file, or a folder with all that is in it.
  case path(String)
  /// A pattern that no shell has expanded yet.
  case pattern(String)
  /// The scenario a line of a file belongs to.
  case line(path: String, Int)
  case title(path: String, String)
  /// One row of a scenario's `cases`, by its id.
  case row(path: String, title: String, row: String)
}

extension Selection {
  /// Reads `FILE::title`, `FILE::title::row`, `FILE:LINE` and, because reports print it,
  /// `FILE:LINE:COLUMN`. Any other text is a path or a pattern. Returns nil if a part is empty.
  init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    if let colons = Selection.firstPair(in: text) {
      self.init(path: colons.before, titleAndRow: colons.after)
    } else if let (path, line) = Selection.line(of: text) {
      guard line > 0 else { return nil }
      self = .line(path: path, line)
    } else if text.contains(where: { "*?[".contains($0) }) {
      self = .pattern(text)
    } else {
      self = .path(text)
    }
  }

  private init?(path: String, titleAndRow: String) {
    guard !path.isEmpty, !titleAndRow.isEmpty else { return nil }
    guard let (title, row) = Selection.firstPair(in: titleAndRow) else {
      self = .title(path: path, titleAndRow)
      return
    }
    guard !title.isEmpty, !row.isEmpty else { return nil }
    self = .row(path: path, title: title, row: row)
  }

  /// Returns the texts before and after the first `::`.
  private static func firstPair(in text: String) -> (before: String, after: String)? {
    let letters = Array(text)
    for at in letters.indices.dropLast() where letters[at] == ":" && letters[at + 1] == ":" {
      return (String(letters[..<at]), String(letters[(at + 2)...]))
    }
    return nil
  }

  private static func line(of text: String) -> (path: String, line: Int)? {
    guard let last = numberAtEnd(of: text) else { return nil }
    if let (path, line) = numberAtEnd(of: last.path) { return (path, line) }
    return last
  }

  private static func numberAtEnd(of text: String) -> (path: String, line: Int)? {
    guard let colon = text.lastIndex(of: ":"), colon > text.startIndex else { return nil }
    let digits = text[text.index(after: colon)...]
    guard !digits.isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
    return Int(digits).map { (String(text[..<colon]), $0) }
  }
}

/// The tags that a scenario must and must not have.
struct TagFilter: Equatable {
  var wanted: [String] = []
  var excluded: [String] = []

  /// A scenario needs one of the wanted tags, if any are, and none of the excluded.
  func admits(_ tags: [String]) -> Bool {
    let isWanted = wanted.isEmpty || wanted.contains(where: tags.contains)
    return isWanted && !excluded.contains(where: tags.contains)
  }
}
