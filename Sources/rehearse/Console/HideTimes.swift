import Diagnostics
import TextSearch
import Values
import Verdicts

extension Verdict {
  /// Returns the verdict on a run in real time without the times that were measured in its texts.
  /// Times that the scenario's own text has stay.
  func withoutMeasuredTimes(in sources: SourceMap) -> Verdict {
    let isWritten = { (time: Substring) in
      sources.files.contains { $0.bytes.contains(Array(time.utf8)) }
    }
    let hide = { (text: String) in
      // Nobody waits for no time at all, so the words would come and go.
      hidingTimes(in: text, unless: isWritten).replacing(", waited …", with: "")
        .replacing("waited …", with: "")
    }
    let clean = { (failure: Diagnostic) in
      var failure = failure.masked(by: hide)
      failure.notes.removeAll { $0.name == "machine" }
      return failure
    }
    var verdict = self
    verdict.lag = nil
    verdict.failures = failures.map(clean)
    verdict.tries = tries.map { $0.map(clean) }
    return verdict
  }
}

/// Replaces durations such as `1.042ms` and numbers of events by an ellipsis.
func hidingTimes(in text: String, unless isWritten: (Substring) -> Bool) -> String {
  var result = ""
  var rest = text[...]
  while !rest.isEmpty {
    let word = rest.prefix { isPartOfWord($0) }
    let isEvent = result.hasSuffix("event ") && !word.isEmpty && word.allSatisfy(\.isNumber)
    let hides = isEvent || (isDuration(word) && !isWritten(word))
    result += hides ? "…" : word
    rest = rest[word.endIndex...]
    let gap = rest.prefix { !isPartOfWord($0) }
    result += gap
    rest = rest[gap.endIndex...]
  }
  return result
}

private func isPartOfWord(_ character: Character) -> Bool {
  character.isLetter || character.isNumber || character == "." || character == "_"
}

/// Returns whether a word is a duration as reports write it, such as `1m3.5s`.
private func isDuration(_ word: Substring) -> Bool {
  guard word.first?.isNumber == true, word.last?.isLetter == true,
    case .success = parseDuration(String(word))
  else { return false }
  return true
}
