import TextSearch
import Traces

extension TraceRun {
  /// The complaints about inputs that have no value, as when the file of a body is missing.
  func unreadableInputs(_ resolver: TraceResolver) -> [UnreadableTraceValue] {
    entries.indices.compactMap { index in
      let kind = entries.kind(of: index)
      guard kind?.mayBeInput(ofPrograms: runsPrograms) == true else { return nil }
      let entry = entries[index]
      guard entry.line.isInput(in: header), let problem = entry.line.valueProblem(resolver) else {
        return nil
      }
      return UnreadableTraceValue(problem, entry.place)
    }
  }
}

extension TraceKind {
  /// False for a line that need not be read, since it is no input.
  fileprivate func mayBeInput(ofPrograms: Bool) -> Bool {
    switch comparison {
    case .bySender: true
    case .unlessOfProgram, .input: ofPrograms
    case .always, .never: false
    }
  }
}

extension TraceLine {
  /// The reason why the value or the exact text cannot be read; nil if both can.
  fileprivate func valueProblem(_ resolver: TraceResolver) -> TraceValueProblem? {
    for part in [value, text] {
      if case .failure(let problem)? = part?.decoded(resolver) { return problem }
    }
    return nil
  }
}
