import Diagnostics

/// Lists and mappings whose parts stand in lines of their own.
extension UsualFormReader {
  /// Reads a node that may be a list or a mapping without brackets.
  mutating func readBlock() throws(UnusualForm) {
    if isDash {
      try openLevel(.sequence, column, at: range(position, position))
      return try readElement()
    }
    if isAtBracket { return try readValue() }
    let column = column
    let scalar = try readScalar(isFlow: false)
    if isAtColon {
      try openLevel(
        .mapping, column, at: range(Int(scalar.range.start), Int(scalar.range.start)))
      return try readEntry(under: scalar)
    }
    take(scalar)
    try endLine()
  }

  /// Reads an entry of the innermost mapping.
  mutating func readEntry() throws(UnusualForm) {
    let key = try readScalar(isFlow: false)
    guard isAtColon else { throw UnusualForm() }
    try readEntry(under: key)
  }

  private mutating func readEntry(under key: YAMLScalar) throws(UnusualForm) {
    try takeKey(key)
    let (end, line) = (position, lineStart)
    try skipToContent()
    if lineStart == line, !isAtEnd { return try readValue() }
    guard let level = levels.last else { throw UnusualForm() }
    if isAtEnd || column < level.column {
      takeNothing(at: end)
    } else if column > level.column {
      try readBlock()
    } else if isDash {
      try openLevel(.sequenceOfKey, column, at: range(position, position + 1))
      try readElement()
    } else {
      takeNothing(at: end)
    }
  }

  /// Reads an element of the innermost list, from its dash on.
  mutating func readElement() throws(UnusualForm) {
    guard isDash, let level = levels.last else { throw UnusualForm() }
    position += 1
    let (end, line) = (position, lineStart)
    try skipToContent()
    if lineStart == line || column > level.column, !isAtEnd { return try readBlock() }
    takeNothing(at: end)
  }

  /// Reads a value that ends its line, and goes to the next content.
  private mutating func readValue() throws(UnusualForm) {
    if isAtBracket {
      try readBracketed()
    } else {
      take(try readScalar(isFlow: false))
    }
    try endLine()
  }

  private mutating func openLevel(
    _ kind: Level.Kind, _ column: Int, at range: SourceRange
  ) throws(UnusualForm) {
    try open(kind == .mapping ? .mapping : .sequence, isFlow: false, range)
    levels.append(Level(kind: kind, column: column))
  }

  mutating func closeLevel() throws(UnusualForm) {
    levels.removeLast()
    try close()
  }
}

/// Lists in brackets, and mappings in braces.
extension UsualFormReader {
  mutating func readBracketed() throws(UnusualForm) {
    let isMapping = current == UInt8(ascii: "{")
    try open(isMapping ? .mapping : .sequence, isFlow: true, range(position, position + 1))
    position += 1
    try skipToContent()
    let bracket = isMapping ? UInt8(ascii: "}") : UInt8(ascii: "]")
    while current != bracket {
      try isMapping ? readBracketedEntry() : readBracketedElement()
      try skipToContent()
      if current == UInt8(ascii: ",") {
        position += 1
        try skipToContent()
      } else if current != bracket {
        throw UnusualForm()
      }
    }
    position += 1
    try close()
  }

  private mutating func readBracketedEntry() throws(UnusualForm) {
    let key = try readScalar(isFlow: true)
    guard isAtColon else { throw UnusualForm() }
    try takeKey(key)
    try skipToContent()
    if current == UInt8(ascii: ",") || current == UInt8(ascii: "}") {
      takeNothing(at: position)
    } else {
      try readPart()
    }
  }

  /// Reads an element. In brackets, a single entry is a mapping without its braces.
  private mutating func readBracketedElement() throws(UnusualForm) {
    if isAtBracket { return try readBracketed() }
    let scalar = try readScalar(isFlow: true)
    guard isAtColon else { return take(scalar) }
    let start = Int(scalar.range.start)
    try open(.mapping, isFlow: true, range(start, start))
    try takeKey(scalar)
    try skipToContent()
    try readPart()
    try skipToContent()
    try close()
  }

  private mutating func readPart() throws(UnusualForm) {
    if isAtBracket { return try readBracketed() }
    take(try readScalar(isFlow: true))
  }
}

extension UsualFormReader {
  private mutating func open(
    _ kind: YAMLRecord.Kind, isFlow: Bool, _ range: SourceRange
  ) throws(UnusualForm) {
    guard builder.depth < YAMLLimit.depth else { throw UnusualForm() }
    builder.open(kind, isFlow: isFlow, range)
  }

  private mutating func close() throws(UnusualForm) {
    guard case .goOn = builder.close(end: Int32(position)) else { throw UnusualForm() }
  }

  /// Takes a key, and goes past its colon.
  private mutating func takeKey(_ key: YAMLScalar) throws(UnusualForm) {
    guard position - Int(key.range.start) <= UsualForm.keySize else { throw UnusualForm() }
    take(key)
    position += 1
  }

  private mutating func take(_ scalar: YAMLScalar) {
    let text = bytes[Int(scalar.range.start)..<Int(scalar.range.end)]
    builder.take(scalar, UnsafeBufferPointer(rebasing: text))
  }

  private mutating func takeNothing(at place: Int) {
    take(YAMLScalar(text: "", style: .plain, range: range(place, place)))
  }
}
