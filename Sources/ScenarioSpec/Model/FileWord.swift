import TextSearch

/// Returns a text as part of a file's name: letters and digits in lower case, `-` for all other
/// characters, and no longer than file systems allow.
///
/// It never leads out of a folder, and needs no quotes in a shell.
package func fileWord(_ text: String) -> String {
  if text.utf8.allSatisfy({ $0 < 0x80 }) { return fileWord(ascii: text) }
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

/// Returns the same of a text in ASCII. Characters take many times as long as bytes.
private func fileWord(ascii text: String) -> String {
  var word: [UInt8] = []
  let dash = UInt8(ascii: "-")
  for byte in text.utf8 where word.count < longestFileWord {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"):
      word.append(byte)
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): word.append(byte | 0x20)
    default: if let last = word.last, last != dash { word.append(dash) }
    }
  }
  while word.last == dash { word.removeLast() }
  return String(decoding: word, as: UTF8.self)
}

/// The longest part. Three of them with the characters between fit into the name of one file.
private let longestFileWord = 60
