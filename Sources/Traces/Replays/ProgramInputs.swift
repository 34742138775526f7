import Values

/// The actions of programs in a trace, by source.
struct ProgramInputs: Sendable {
  private struct Key: Hashable {
    var kind: TraceKind
    var source: String
  }

  /// By kind and source: the indices of the lines.
  private var inputs: [Key: [Int]] = [:]
  /// How many of them have happened again.
  private var taken: [Key: Int] = [:]

  init(_ run: TraceRun) {
    guard !run.header.programs.isEmpty else { return }
    for index in run.entries.indices where run.entries.kind(of: index)?.mayBeOfProgram == true {
      guard let source = run.entries.source(of: index), run.header.program(of: source) != nil,
        let kind = run.entries.kind(of: index)
      else { continue }
      inputs[Key(kind: kind, source: source), default: []].append(index)
    }
  }

  /// Takes an input of the replay, and returns the index of the recorded one; nil if there is none.
  mutating func take(_ kind: TraceKind, of source: String) -> Int? {
    let key = Key(kind: kind, source: source)
    guard let recorded = inputs[key], taken[key, default: 0] < recorded.count else { return nil }
    defer { taken[key, default: 0] += 1 }
    return recorded[taken[key, default: 0]]
  }

  /// The index of the first input of each source that did not happen again, in the order of the
  /// trace.
  var leftOver: [Int] {
    inputs.compactMap { key, recorded in
      let count = taken[key, default: 0]
      return count < recorded.count ? recorded[count] : nil
    }.sorted()
  }
}

extension TraceKind {
  /// True if such a line is an input if a program is its source.
  fileprivate var mayBeOfProgram: Bool { comparison == .unlessOfProgram || comparison == .input }
}

extension ReplayComparison {
  /// Takes something that a program did.
  mutating func takeProgramInput(_ kind: TraceKind, _ line: TraceLine) {
    guard let source = line.source else { return }
    if let index = programInputs.take(kind, of: source) { return note(index, at: line.time ?? 0) }
    // The scenario may give a line of the program to another source than in the recording.
    divergences.append(Divergence(.extra, after: furthest, now: line, at: line.time ?? 0))
  }

  /// Notes what programs did and the run did not come to.
  mutating func noteProgramInputs() {
    for index in programInputs.leftOver where !isAtEnd(run.entries.time(of: index)) {
      divergences.append(
        Divergence(.leftOver, recorded: index, at: run.entries[index].time))
    }
  }
}
