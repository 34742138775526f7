import Values

// Names of header fields, which are in lower case in the values of messages.
extension Compiler {
  /// Returns whether a chain of names is a map whose keys are in lower case.
  func hasLowerCaseKeys(_ names: ArraySlice<String>) -> Bool {
    guard let first = names.first, !scope.lowerCaseMaps.isEmpty else { return false }
    return !locals.contains { $0.name == first }
      && scope.lowerCaseMaps.contains { $0.elementsEqual(names) }
  }

  private func hasLowerCaseKeys(_ syntax: Syntax) -> Bool {
    guard !scope.lowerCaseMaps.isEmpty, let chain = Chain(syntax) else { return false }
    return hasLowerCaseKeys(chain.names[...])
  }

  /// Returns a key as a map spells it: `headers['Content-Type']` finds `content-type`.
  func spelled(_ key: Syntax, in map: Syntax) -> Syntax {
    guard case .literal(.string(let text)) = key.kind, hasLowerCaseKeys(map) else { return key }
    return Syntax(.literal(.string(text.lowercasedASCII)), key.span, name: key.nameSpan)
  }

  /// Returns a field as a map spells it: `headers.ContentType` finds `content-type`.
  func spelled(_ field: String, in map: Syntax) -> String {
    hasLowerCaseKeys(map) ? headerName(field) : field
  }
}

/// Returns the name of the header field that a name in camel case stands for.
func headerName(_ name: String) -> String {
  if name.lowercasedASCII == "etag" { return "etag" }
  let letters = Array(name)
  var text = ""
  for (index, letter) in letters.enumerated() {
    let next = index + 1 < letters.count ? letters[index + 1] : letter
    let begins =
      index > 0 && letter.isUppercase
      && (!letters[index - 1].isUppercase || next.isLowercase)
    if begins, text.last != "-", text.last != "_" { text += "-" }
    text += letter.lowercased()
  }
  return text
}
