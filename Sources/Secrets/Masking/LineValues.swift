/// Returns where the values of a line of YAML stand: all but keys and punctuation.
///
/// The line may be broken, so it is not parsed. What may be a value is one.
func lineValues(in line: [UInt8]) -> [Range<Int>] {
  var values: [Range<Int>] = []
  var start: Int?
  /// True behind a key: what follows is its value, also if a colon stands in it.
  var isBehindKey = false
  for (place, byte) in (line + [UInt8(ascii: ",")]).enumerated() {
    let isColon = byte == UInt8(ascii: ":") && (place + 1 >= line.count || line[place + 1] == 0x20)
    let isDash = byte == UInt8(ascii: "-") && start == nil && line[(place + 1)...].first == 0x20
    if isColon {
      // What stands before it is a key if it is one word, else it may be the beginning of a text.
      if let first = start, isBehindKey || line[first..<place].contains(0x20) {
        values.append(first..<place)
      }
      (start, isBehindKey) = (nil, true)
    } else if isDash || "{}[],".utf8.contains(byte) {
      if let first = start { values.append(trimmed(first..<place, in: line)) }
      (start, isBehindKey) = (nil, false)
    } else if start == nil, byte != 0x20, byte != 0x09 {
      start = place
    }
  }
  return values
}

/// Returns a range without the blanks at its end.
private func trimmed(_ range: Range<Int>, in line: [UInt8]) -> Range<Int> {
  let end = line[range].lastIndex { $0 != 0x20 && $0 != 0x09 } ?? range.lowerBound
  return range.lowerBound..<end + 1
}

/// Returns a text about a file without what it quotes, from the first backtick of a line to the
/// last. A value may have backticks in it, so that pairs of them say nothing.
func withoutQuotes(_ page: String) -> String {
  page.split(separator: "\n", omittingEmptySubsequences: false).map { line in
    guard let first = line.firstIndex(of: "`"), let last = line.lastIndex(of: "`") else {
      return String(line)
    }
    return line[...first] + SecretMask.mark + (first < last ? line[last...] : "`")
  }.joined(separator: "\n")
}
