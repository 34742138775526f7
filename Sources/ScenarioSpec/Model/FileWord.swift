/// A text as part of a file's name: letters and digits in lower case, all else as `-`, and no
/// longer than file systems allow.
///
/// Never a way out of a folder, and nothing that a shell would take apart.
package func fileWord(_ text: String) -> String {
  var word = ""
  for character in text.lowercased() where word.utf8.count < longestFileWord {
    let isWord = character == "_" || character.isLetter || character.isNumber
    if isWord {
      word.append(character)
    } else if word.last != "-", !word.isEmpty {
      word.append("-")
    }
  }
  while word.last == "-" { word.removeLast() }
  return word
}

/// Three of these and what stands between them still make the name of one file.
private let longestFileWord = 60
