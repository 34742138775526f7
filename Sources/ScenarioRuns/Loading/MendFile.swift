import Diagnostics

/// A file after its certain corrections.
package struct MendedFile: Sendable {
  package var bytes: [UInt8]
  /// The mistakes that were mended, each with its line, in the order of the corrections.
  package var mended: [(line: Int, diagnostic: Diagnostic)] = []
  /// The result of loading the file as it is now.
  package var loaded: LoadedFile
}

/// Mends the mistakes of a file whose corrections are certain, one after the other.
///
/// A correction stays only if its diagnostic is gone and nothing is wrong in its place. Only
/// errors are mended: a scenario with an error does not run, so that no scenario gets another
/// meaning.
package func mend(_ file: SourceFile, load: (SourceFile) -> LoadedFile) -> MendedFile {
  var result = MendedFile(bytes: file.bytes, loaded: load(file))
  var refused: Set<String> = []
  for _ in 0..<mostCorrections {
    let errors = result.loaded.diagnostics.sortedForReport().filter { $0.severity == .error }
    let place = { (error: Diagnostic) in
      file.place(of: Int(error.labels.first?.range.start ?? 0)).line
    }
    let next = errors.first { error in
      error.labels.first?.range.file == 0 && error.isMended(certainlyIn: result.bytes)
        && !refused.contains("\(place(error)) \(error.message)")
    }
    guard let next, let change = next.change(in: result.loaded.sources),
      change.start <= change.end, change.end <= result.bytes.count
    else { break }
    var bytes = result.bytes
    bytes.replaceSubrange(change.start..<change.end, with: change.text.utf8)
    let mended = SourceFile(path: file.path, bytes: bytes)
    let loaded = load(mended)
    let line = mended.place(of: change.start).line
    if loaded.holds(next, before: errors, at: change.start...change.start + change.text.utf8.count)
    {
      result.bytes = bytes
      result.loaded = loaded
      result.mended.append((line, next))
    } else {
      refused.insert("\(place(next)) \(next.message)")
    }
  }
  return result
}

/// The most corrections of one file.
private let mostCorrections = 1_000

extension LoadedFile {
  /// Returns whether a correction holds: its diagnostic is gone, and nothing is wrong in its place.
  fileprivate func holds(
    _ mended: Diagnostic, before: [Diagnostic], at place: ClosedRange<Int>
  ) -> Bool {
    let errors = diagnostics.filter { $0.severity == .error }
    let isSame = { (error: Diagnostic) in
      error.id == mended.id && error.message == mended.message
    }
    guard errors.filter(isSame).count < before.filter(isSame).count else { return false }
    return !errors.contains { error in
      guard let label = error.labels.first?.range, label.file == 0 else { return false }
      return Int(label.start) < place.upperBound && Int(label.end) > place.lowerBound
    }
  }
}

extension Diagnostic {
  /// Returns whether no other correction can be meant. Of two names, a single letter may be wrong;
  /// the help also proposes names that are further away.
  fileprivate func isMended(certainlyIn bytes: [UInt8]) -> Bool {
    switch fix {
    case nil: return false
    case .line: return true
    case .text(let range, let text):
      guard range.start <= range.end, range.end <= bytes.count else { return false }
      let word = String(decoding: bytes[Int(range.start)..<Int(range.end)], as: UTF8.self)
      return id == "bad-duration" || isMisspelled(word, for: text)
    }
  }
}

/// Returns whether two words differ by one slip, or only in capital letters. Singular and plural
/// are two words.
private func isMisspelled(_ word: String, for meant: String) -> Bool {
  let isPlural = word + "s" == meant || meant + "s" == word
  return word.lowercased() == meant.lowercased() || !isPlural && isOneSlip(from: word, to: meant)
}
