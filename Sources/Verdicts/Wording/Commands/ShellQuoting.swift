import Diagnostics

/// Returns a word as a shell reads it back, in quotes if it needs them. The word stays on one line,
/// since a report indents the lines of a text and shows control characters as signs.
package func shellQuoted(_ text: String) -> String {
  if !text.isEmpty, text.unicodeScalars.allSatisfy(isPlain) { return text }
  if text.unicodeScalars.contains(where: needsEscape) { return quotedWithEscapes(text) }
  return "'"
    + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
    + "'"
}

/// Returns the path of a file so that no program reads it as an option. `-` is standard input.
package func fileOperand(_ path: String) -> String {
  path.hasPrefix("-") && path != "-" ? "./" + path : path
}

private func isPlain(_ scalar: Unicode.Scalar) -> Bool {
  guard scalar.isASCII else { return scalar.properties.isAlphabetic }
  return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    || "-_./:=@%+,".unicodeScalars.contains(scalar)
}

/// Returns whether a report would not show this character unchanged.
private func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
  let text = String(scalar)
  return visibleText(text) != text
}

private func quotedWithEscapes(_ text: String) -> String {
  var quoted = "$'"
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\n": quoted += "\\n"
    case "\r": quoted += "\\r"
    case "\t": quoted += "\\t"
    case "\\", "'": quoted += "\\\(scalar)"
    case _ where needsEscape(scalar): quoted += String(scalar).utf8.map(octalEscape).joined()
    default: quoted.unicodeScalars.append(scalar)
    }
  }
  return quoted + "'"
}

private func octalEscape(_ byte: UInt8) -> String {
  let digits = String(byte, radix: 8)
  return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
}
