/// Replaces the parts of secrets that an ellipsis has cut: beginnings before it, ends behind it,
/// and middles between two of them.
///
/// - Parameter mark: What stands in their place.
func hidingCutForms(
  _ forms: [[UInt8]], in bytes: [UInt8], behind mark: [UInt8] = Array(SecretMask.mark.utf8)
) -> [UInt8] {
  guard bytes.contains(ellipsis[0]) else { return bytes }
  var result: [UInt8] = []
  var position = 0
  while position < bytes.count {
    guard bytes[position...].starts(with: ellipsis) else {
      result.append(bytes[position])
      position += 1
      continue
    }
    if let length = forms.compactMap({ beginning(of: $0, endsIn: result) }).max() {
      result.removeLast(length)
      result += mark
    }
    result += ellipsis
    position += ellipsis.count
    if let length = forms.compactMap({ rest(of: $0, begins: bytes[position...]) }).max() {
      result += mark
      position += length
    }
  }
  return result
}

private let ellipsis = Array("…".utf8)
/// The fewest bytes of a part that is replaced.
private let shortestPart = 3

private func beginning(of form: [UInt8], endsIn text: [UInt8]) -> Int? {
  let longest = min(form.count, text.count)
  return stride(from: longest, through: shortestPart, by: -1).first { length in
    text[(text.count - length)...].elementsEqual(form[..<length])
  }
}

/// Returns how many bytes at the start of a text are the end of a form, or a piece of it that was
/// cut on its other side as well.
private func rest(of form: [UInt8], begins text: ArraySlice<UInt8>) -> Int? {
  guard form.count > shortestPart else { return nil }
  return (0...(form.count - shortestPart)).lazy.compactMap { start -> Int? in
    let length = zip(form[start...], text).prefix { $0 == $1 }.count
    if length < shortestPart { return nil }
    let isCut = text.dropFirst(length).starts(with: ellipsis)
    return isCut || start + length == form.count ? length : nil
  }.first
}
