/// Returns a text as part of a file's name: letters and digits in lower case, `-` for all other
/// characters, and no longer than file systems allow.
///
/// It never leads out of a folder, and needs no quotes in a shell.
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

/// The longest part. Three of them with the characters between fit into the name of one file.
private let longestFileWord = 60
