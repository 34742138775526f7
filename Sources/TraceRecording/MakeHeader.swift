import Diagnostics
import Glibc
import ScenarioPlan
import Synchronization
import Traces
import Values

/// The facts of a run that the header of its trace has, besides those of its plan.
package struct RunFacts {
  package var by: String
  package var run: Int?
  /// The row of the scenario's table.
  package var row: RowPlan?
  package var seed: Int
  package var world: String
  /// The worlds of endpoints by name, where they are not that of the run.
  package var worlds: [String: String] = [:]
  package var isVirtual: Bool
  /// The side of conversations that the scenario owns.
  package var side: TraceSide
  /// The sides of endpoints by name, where they are not that of the run.
  package var sides: [String: TraceSide] = [:]
  /// True if the programs of the scenario run.
  package var runsPrograms = false
  package var variables: ValueMap
  /// The texts of variables that were written in another way.
  package var spellings = ValueMap()
  package var options: ValueMap
  /// When a run in real time began, in microseconds since 1970.
  package var began: Int64?

  package init(
    by: String, run: Int? = nil, row: RowPlan? = nil, seed: Int, world: String, isVirtual: Bool,
    side: TraceSide, variables: ValueMap = ValueMap(), options: ValueMap = ValueMap()
  ) {
    self.by = by
    self.run = run
    self.row = row
    self.seed = seed
    self.world = world
    self.isVirtual = isVirtual
    self.side = side
    self.variables = variables
    self.options = options
  }
}

/// The files of scenarios, as the headers of their traces name them. Digests and paths are made
/// once for all runs of a file.
package final class TracedFiles: Sendable {
  /// The known files in traces of one folder.
  private struct Made {
    /// By path of a file: the path as it is seen from the folder.
    var paths: [String: String] = [:]
    /// By path from the folder: the digests.
    var digests: ValueMap?
  }

  package let sources: SourceMap
  /// By the folder that paths begin at.
  private let made = Mutex<[String: Made]>([:])
  /// The digests of all files that may be of a scenario.
  private let known = Mutex<Set<String>?>(nil)
  /// The most bytes of a file that may be one of a scenario.
  private static let mostBytes = 1 << 24

  package init(_ sources: SourceMap) { self.sources = sources }

  fileprivate func digests(from folder: String) -> ValueMap {
    if let digests = made.withLock({ $0[folder]?.digests }) { return digests }
    var digests = ValueMap()
    for file in sources.files {
      digests[path(of: file, from: folder)] = .string(SHA256.digest(of: file.bytes))
    }
    made.withLock { [digests] in $0[folder, default: Made()].digests = digests }
    return digests
  }

  /// Returns the path of a file as it is seen from a folder.
  package func path(of file: SourceFile, from folder: String) -> String {
    if file.isCarried { return file.path }
    return made.withLock { made in
      if let path = made[folder]?.paths[file.path] { return path }
      let path = TraceRecording.path(file.path, from: folder)
      made[folder, default: Made()].paths[file.path] = path
      return path
    }
  }
}

extension TracedFiles {
  /// Returns whether the files of a run are among these, as they were.
  package func have(filesOf header: TraceHeader) -> Bool {
    if header.files.isEmpty { return false }
    let known = known.withLock { known in
      if let known { return known }
      let files = sources.files.filter { $0.bytes.count <= TracedFiles.mostBytes }
      let digests = Set(files.map { SHA256.digest(of: $0.bytes) })
      known = digests
      return digests
    }
    return header.files.values.allSatisfy { known.contains($0.plainText) }
  }
}

extension TraceHeader {
  /// Makes the header of a run. Paths begin at `folder`, where the trace lies.
  ///
  /// - Parameter isWritten: False if only the lines of the run are wanted. The header then has no
  ///   digests of files, which cost more than the rest of it.
  package init(
    _ plan: ScenarioPlan, _ facts: RunFacts, _ files: TracedFiles, from folder: String,
    _ mask: inout TraceMask, isWritten: Bool = true
  ) {
    self.init()
    let sources = files.sources
    by = facts.by
    run = facts.run
    isVirtual = facts.isVirtual
    seed = facts.seed
    clock =
      plan.clock.isMachines(
        usually: facts.world == "real" || facts.world == "serve" || facts.runsPrograms)
      ? nil : plan.clock.beginning(machine: nil).text
    if clock == nil {
      began = facts.began.flatMap { Timestamp(totalNanoseconds: Int128($0) * 1_000)?.text }
    }
    if let file = sources.file(of: plan.range) {
      let range = facts.row.flatMap { $0.range.file == plan.range.file ? $0.range : nil }
      scenario = Scenario(
        path: files.path(of: file, from: folder),
        line: file.place(of: Int((range ?? plan.range).start)).line,
        title: mask.masked(plan.title), row: facts.row.map { mask.masked($0.id) })
      scenario?.rowHash = facts.row.map { plan.hash(of: $0) }
    }
    for endpoint in plan.endpoints {
      worlds[endpoint.name] = .string(facts.worlds[endpoint.name] ?? facts.world)
      sides[endpoint.name] = .string((facts.sides[endpoint.name] ?? facts.side).rawValue)
    }
    if facts.runsPrograms { programs = plan.programs.map(\.name) }
    if isWritten { self.files = files.digests(from: folder) }
    // What expressions compute is computed again.
    let given = plan.secretNames.filter { !plan.computedSecrets.contains($0.key) }
    let captured = plan.captures.filter(\.isSecret).map(\.name)
    secrets = Set(given.values).union(plan.secretShapes.keys).union(captured).sorted()
    for (name, value) in facts.variables where !secrets.contains(name.plainText) {
      vars[name] = mask.masked(TraceValue(value).json)
    }
    for (name, text) in facts.spellings where !secrets.contains(name.plainText) {
      spellings[name] = .string(mask.masked(text.plainText))
    }
    for (name, shape) in plan.secretShapes { vars[name] = TraceValue(shape).json }
    options = facts.options
  }
}

extension ScenarioPlan {
  /// Returns the hash of what stands in a row, apart from secrets.
  package func hash(of row: RowPlan) -> String {
    var map = ValueMap()
    for (column, value) in zip(columns, row.values) where !column.isSecret {
      map[.string(column.name)] = value
    }
    let text = Value.map(map).json(sortedKeys: true)
    return String(SHA256.digest(of: text.utf8).prefix(ScenarioPlan.hashDigits))
  }

  private static let hashDigits = 8
}

/// Returns a path as it is seen from a folder. Both are as the command line or a file has them.
package func path(_ path: String, from folder: String) -> String {
  let isSimple = !path.hasPrefix("/") && !folder.hasPrefix("/")
  let base = isSimple ? "" : currentFolder()
  let target = parts(of: path, in: base)
  let start = parts(of: folder, in: base)
  // A folder above the current one has no name that is known here.
  guard !start.contains("..") else {
    return isSimple ? TraceRecording.path(currentFolder() + "/" + path, from: folder) : path
  }
  let common = zip(target, start).prefix { $0 == $1 }.count
  let up = start.dropFirst(common).map { _ in ".." }
  return (up + target.dropFirst(common)).joined(separator: "/")
}

private func parts(of path: String, in base: String) -> [String] {
  let whole = path.hasPrefix("/") || base.isEmpty ? path : base + "/" + path
  return whole.utf8.split(separator: UInt8(ascii: "/")).reduce(into: []) { parts, part in
    switch Substring(part) {
    case ".": break
    case ".." where parts.last.map { $0 != ".." } == true: parts.removeLast()
    case let name: parts.append(String(name))
    }
  }
}

private func currentFolder() -> String {
  guard let path = getcwd(nil, 0) else { return "" }
  defer { free(path) }
  return String(cString: path)
}
