import TextSearch

/// Returns whether a name comes before another one as people count: `source2` before `source10`.
///
/// Numbers in names are compared by their value, and all else by its bytes.
package func comesBefore(_ name: String, _ other: String) -> Bool {
  var (left, right) = (name.utf8[...], other.utf8[...])
  while let first = left.first, let second = right.first {
    if isDigit(first), isDigit(second) {
      let (one, two) = (takeNumber(from: &left), takeNumber(from: &right))
      if one.count != two.count { return one.count < two.count }
      if !one.elementsEqual(two) { return one.lexicographicallyPrecedes(two) }
    } else if first != second {
      return first < second
    } else {
      (left, right) = (left.dropFirst(), right.dropFirst())
    }
  }
  if left.isEmpty != right.isEmpty { return left.isEmpty }
  // `a01` and `a1` are two names.
  return name.utf8.lexicographicallyPrecedes(other.utf8)
}

/// Takes the digits at the beginning of a text, and returns them without zeros before the number.
private func takeNumber(from text: inout Substring.UTF8View) -> Substring.UTF8View {
  let number = text.prefix(while: isDigit)
  text = text[number.endIndex...]
  return number.drop { $0 == UInt8(ascii: "0") }
}

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
