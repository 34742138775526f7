import Diagnostics
import Secrets
import Values
import Verdicts

/// The reports of the parts of a run, joined, and what is wrong with the parts beside each other.
package struct MergedReport: Sendable {
  package var run: RunReport
  package var problems: [Diagnostic]
}

/// Joins the parts of a run: files by their paths, and the scenarios of a file by their lines. The
/// result does not depend on the order of the parts.
package func mergeReports(_ parts: [ReportPart]) -> MergedReport {
  let problems = missingShards(parts) + repeatedScenarios(parts)
  let parts = parts.sorted {
    ($0.shard?.index ?? 0, $0.path) < ($1.shard?.index ?? 0, $1.path)
  }.withEachSetupOnce().withEachScenarioOnce()
  var paths: Set<String> = []
  for line in parts.flatMap({ $0.files + $0.scenarios }) { paths.insert(line.text("path") ?? "") }
  let files = FilesOfParts(parts)
  var run = RunReport(
    files: paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map(files.report),
    wall: wall(of: parts))
  run.coverage = coverage(of: parts)
  run.leftOut = leftOut(of: parts)
  run.began = parts.compactMap { $0.ended?.number("beganMilliseconds") }.min()
  let snapshots = parts.flatMap { $0.ended?.items("snapshots") ?? [] }.compactMap(SnapshotNote.init)
  if !run.files.isEmpty { run.files[run.files.count - 1].snapshots = snapshots }
  return MergedReport(run: run, problems: problems)
}

/// Returns what was left out of all parts. Each has counted it for the whole suite; what it left to
/// other shards is in their parts.
private func leftOut(of parts: [ReportPart]) -> LeftOut {
  var leftOut = LeftOut()
  for ended in parts.compactMap(\.ended) {
    for reason in LeftOut.Reason.allCases where reason != .shard {
      let count = ended["leftOut"]?.number(reason.rawValue) ?? 0
      leftOut[reason] = max(leftOut[reason], count)
    }
  }
  return leftOut
}

/// Returns what the parts have reached together; nil if none of them says.
private func coverage(of parts: [ReportPart]) -> Coverage? {
  let known = parts.compactMap(\.ended).filter { $0["coveredParts"] != nil }
  guard !known.isEmpty else { return nil }
  var coverage = Coverage()
  for ended in known { coverage.add(ended.items("coveredParts").compactMap(CoveredPart.init)) }
  return coverage
}

/// Returns the duration of the slowest part, since parts run at the same time; nil if a part leaves
/// it out.
private func wall(of parts: [ReportPart]) -> Microseconds? {
  let walls = parts.map { $0.ended?.milliseconds("wallMilliseconds") }
  let whole = zip(parts, walls).filter { $0.0.ended != nil }.map(\.1)
  return whole.contains { $0 == nil } ? nil : whole.compactMap(\.self).max()
}

/// The lines of all parts by file.
private struct FilesOfParts {
  private var files: [String: [Value]] = [:]
  private var scenarios: [String: [Value]] = [:]
  /// By file and title of a table: the parts of the scenario that no row has exercised.
  private var unexercised: [String: [String: [Value]]] = [:]

  init(_ parts: [ReportPart]) {
    for line in parts.flatMap(\.files) { files[line.text("path") ?? "", default: []].append(line) }
    for line in parts.flatMap(\.scenarios) {
      scenarios[line.text("path") ?? "", default: []].append(line)
    }
    for part in parts { noteUnexercised(in: part) }
  }

  /// The last row of a table has what no row of the part has exercised.
  private mutating func noteUnexercised(in part: ReportPart) {
    var last: [String: [String: [Value]]] = [:]
    for line in part.scenarios where line.text("row") != nil {
      let title = line.text("title") ?? ""
      last[line.text("path") ?? "", default: [:]][title] = line.items("neverExercised")
    }
    for (path, tables) in last {
      for (title, values) in tables {
        let known = unexercised[path]?[title]
        unexercised[path, default: [:]][title] = known?.filter(values.contains) ?? values
      }
    }
  }

  /// Returns the scenarios of a file in their order. Of the rows of a table, the last has what none
  /// of them has exercised.
  private func lines(of path: String) -> [Value] {
    var lines = (scenarios[path] ?? []).sorted { $0.placeInFile < $1.placeInFile }
    var seen: Set<String> = []
    for index in lines.indices.reversed() where lines[index].text("row") != nil {
      guard case .map(var map) = lines[index] else { continue }
      let title = lines[index].text("title") ?? ""
      let isLast = seen.insert(title).inserted
      map["neverExercised"] = isLast ? (unexercised[path]?[title]).map { .list($0) } : nil
      lines[index] = .map(map)
    }
    return lines
  }

  func report(of path: String) -> FileReport {
    let heads = files[path] ?? []
    let lines = lines(of: path)
    let quoted = (heads + lines).flatMap { $0.items("lines") }
    let reader = PartReader(sources: QuotedSources(texts(quoted)))
    // Each part that reads a file finds the same in it.
    let known = heads.flatMap { reader.diagnostics($0.items("diagnostics")) }.sortedForReport()
    return FileReport(
      path: path, sources: reader.sources.map, diagnostics: known,
      scenarios: lines.map { reader.scenario($0, in: known) }, mask: mask(of: quoted))
  }

  private func texts(_ lines: [Value]) -> [String: [Int: String]] {
    var texts: [String: [Int: String]] = [:]
    for line in lines {
      guard let path = line.text("path"), let number = line.number("line"),
        (1...QuotedSources.mostLines).contains(number)
      else { continue }
      texts[path, default: [:]][number] = (line.text("text")?.prefix(LineOfFile.longest))
        .map { String($0) }
    }
    return texts
  }

  /// Returns the mask that shows hidden characters as any report shows a secret.
  private func mask(of lines: [Value]) -> SecretMask {
    var hidden: Set<String> = []
    for line in lines {
      let runs = (line.text("text") ?? "").split { $0 != LineOfFile.hidden }
      hidden.formUnion(runs.map { String($0) })
    }
    return SecretMask(hidden.sorted())
  }
}

extension Value {
  /// The order of a scenario in its file: its line, the line of its row in another file, and the
  /// row.
  fileprivate var placeInFile: (Int, Int, String) {
    let rowLine = text("rowPlace")?.split(separator: ":").last.flatMap { Int($0) }
    return (number("line") ?? 0, rowLine ?? 0, text("row") ?? "")
  }
}

extension SnapshotNote {
  fileprivate init?(_ line: Value) {
    guard let path = line.text("path"), let kind = Kind(rawValue: line.text("change") ?? "") else {
      return nil
    }
    self.init(kind, path)
  }
}

/// Returns the complaint about parts of the suite that are not there.
private func missingShards(_ parts: [ReportPart]) -> [Diagnostic] {
  let shards = Set(parts.compactMap(\.shard))
  guard let count = shards.map(\.count).max(), count <= ReportShard.mostParts else { return [] }
  let known = Set(shards.filter { $0.count == count }.map(\.index))
  let missing = (1...max(1, count)).filter { !known.contains($0) }
  return missing.isEmpty ? [] : [.missingParts(missing, of: count)]
}

extension ReportShard {
  /// The most parts of a suite.
  fileprivate static let mostParts = 10_000
}

/// Returns the complaint about the first scenario that several parts have.
private func repeatedScenarios(_ parts: [ReportPart]) -> [Diagnostic] {
  var owners: [String: String] = [:]
  for part in parts {
    for line in part.scenarios where !line.isOfSetup {
      guard let owner = owners.updateValue(part.path, forKey: line.nameOfRun) else { continue }
      return [.repeatedScenario(line.place, in: owner, and: part.path)]
    }
  }
  return []
}

extension Value {
  /// The place of a scenario: `chat.scenario.yaml:12`.
  fileprivate var place: String { "\(text("path") ?? ""):\(number("line") ?? 0)" }

  /// The place of a scenario, and its row.
  fileprivate var nameOfRun: String {
    place + "\n" + (text("row") ?? "") + (text("rowPlace") ?? "")
  }
}

extension [ReportPart] {
  /// Returns the parts without the scenarios that an earlier one has, so that a part that was given
  /// twice is counted once.
  fileprivate func withEachScenarioOnce() -> [ReportPart] {
    var known: Set<String> = []
    return map { part in
      var part = part
      let repeated = known
      part.scenarios.removeAll { !$0.isOfSetup && repeated.contains($0.nameOfRun) }
      known.formUnion(part.scenarios.map(\.nameOfRun))
      return part
    }
  }
}
