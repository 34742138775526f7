/// A function or initialiser with a body, and its number of lines from the first word to the
/// closing brace.
struct FunctionLength: Equatable {
  var line: Int
  var length: Int
}

/// Returns all functions of a text, found by counting brackets in its code.
func functionLengths(in text: SwiftText) -> [FunctionLength] {
  let letters = Array(text.code.joined(separator: "\n") + "\n")
  var found: [FunctionLength] = []
  var line = 0
  var word = ""
  for (at, letter) in letters.enumerated() {
    if letter.isLetter || letter.isNumber || letter == "_" || letter == "." || letter == "#" {
      word.append(letter)
      continue
    }
    if ["func", "init", "deinit", "subscript"].contains(word) {
      if let lines = linesOfBody(letters[at...]) {
        found.append(FunctionLength(line: line, length: lines))
      }
    }
    word = ""
    if letter == "\n" { line += 1 }
  }
  return found
}

/// Returns the lines up to the closing brace of the body that follows; nil if a declaration has no
/// body, as in a protocol.
private func linesOfBody(_ letters: ArraySlice<Character>) -> Int? {
  var lines = 1
  var brackets = 0
  var braces = 0
  for (at, letter) in zip(letters.indices, letters) {
    switch letter {
    case "(", "[": brackets += 1
    case ")", "]": brackets -= 1
    case "{" where brackets == 0: braces += 1
    case "}" where brackets == 0:
      braces -= 1
      if braces == 0 { return lines }
      if braces < 0 { return nil }
    case "\n":
      if braces == 0, brackets == 0, !goesOn(letters[at...]) { return nil }
      lines += 1
    default: break
    }
  }
  return nil
}

/// Returns whether a declaration continues after a line break.
private func goesOn(_ letters: ArraySlice<Character>) -> Bool {
  let rest = letters.drop { $0.isWhitespace }
  return ["{", "->", "throws", "rethrows", "async", "where", "("].contains {
    rest.starts(with: Array($0))
  }
}

/// Returns the median of lengths; of an even number the upper of the two middle ones.
func median(_ lengths: [Int]) -> Int {
  lengths.isEmpty ? 0 : lengths.sorted()[lengths.count / 2]
}
