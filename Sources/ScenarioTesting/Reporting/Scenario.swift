import Diagnostics
import ScenarioPlan
import ScenarioRuns
import Secrets

/// A scenario of a file, or one row of its table.
public struct Scenario: Sendable, CustomStringConvertible {
  enum Content: Sendable {
    case ready(SharedPlan, RowPlan?)
    /// It cannot be read, for these reasons.
    case broken([Diagnostic])
  }

  /// The title; for a file that cannot be read, its path.
  public let title: String
  /// The name of the row, if the scenario has a table.
  public let row: String?
  /// The path of the file.
  public let path: String
  /// The line of the scenario, or of its row.
  public let line: Int
  let content: Content
  let sources: SourceMap
  let mask: SecretMask
  /// The place of a scenario whose steps are in Swift.
  var origin: SwiftOrigin?
  /// The secrets that only a run knows.
  var secrets: [String] = []

  /// The mask for all that is known.
  var wholeMask: SecretMask {
    switch content {
    case .ready(let plan, let row):
      mask.adding(plan.plan.secrets + plan.plan.secretTexts(of: row) + secrets)
    case .broken: mask
    }
  }

  /// The title, with the name of the row.
  public var description: String { title + (row.map { " [\($0)]" } ?? "") }

  /// The tags of the scenario.
  public var tags: [String] {
    switch content {
    case .ready(let plan, _): plan.plan.tags
    case .broken: []
    }
  }

  /// Returns whether the stage of the scenario has a reactor, component, endpoint, provider, list
  /// or source of this name. A scenario that cannot be read has all, so that it fails wherever it
  /// is run.
  public func declares(_ name: String) -> Bool {
    guard case .ready(let plan, _) = content else { return true }
    let stage = plan.plan
    return stage.reactors.contains { $0.name == name }
      || stage.endpoints.contains { $0.name == name }
      || stage.providers.contains { $0.name == name } || stage.lists.contains { $0.name == name }
      || stage.sources.contains { $0.name == name } || stage.componentNames.contains(name)
  }

  init(_ plan: SharedPlan, _ row: RowPlan?, in file: LoadedFile, at path: String) {
    title = file.mask.masked(plan.plan.title)
    self.row = row.map { file.mask.masked($0.id) }
    self.path = path
    line = file.sources.line(of: row?.range ?? plan.plan.range)
    content = .ready(plan, row)
    sources = file.sources
    mask = file.mask
  }

  init(
    broken title: String, row: RowPlan?, line: Int, _ reasons: [Diagnostic], in file: LoadedFile,
    at path: String
  ) {
    self.title = file.mask.masked(title)
    self.row = row.map { file.mask.masked($0.id) }
    self.path = path
    self.line = line
    content = .broken(reasons)
    sources = file.sources
    mask = file.mask
  }

  /// Makes a case that fails because a configuration is wrong.
  init(broken configuration: LoadedFile, _ reasons: [Diagnostic]) {
    let path = configuration.sources.files.first?.path ?? ""
    self.init(
      broken: path, row: nil, line: reasons.first.line(in: configuration.sources), reasons,
      in: configuration, at: path)
  }

  /// Makes a case that fails because a set-up has failed.
  init(failed setup: FileResult, _ reasons: [Diagnostic]) {
    title = "set-up"
    row = nil
    path = setup.path
    line = reasons.first.line(in: setup.sources)
    content = .broken(reasons)
    sources = setup.sources
    mask = setup.mask
  }

  init(unreadable path: String, _ reason: Diagnostic) {
    title = path
    row = nil
    self.path = path
    line = 1
    content = .broken([reason])
    sources = SourceMap()
    mask = SecretMask([])
  }
}

extension Diagnostic? {
  fileprivate func line(in sources: SourceMap) -> Int {
    self?.labels.first.map { sources.line(of: $0.range) } ?? 1
  }
}

extension SourceMap {
  /// The line of a place; 1 if it is in no file.
  func line(of range: SourceRange) -> Int {
    file(of: range)?.place(of: Int(range.start)).line ?? 1
  }
}
