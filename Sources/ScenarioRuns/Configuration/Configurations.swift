import Diagnostics
import Glibc
import ScenarioPlan
import ScenarioSpec
import Values

/// The configurations of the files of a suite. They are read before anything runs, so that each
/// mistake in them is reported once.
package struct Configurations: Sendable {
  /// By folder, or by the path of a configuration.
  private var known: [String: Configuration] = [:]
  /// The set-ups, each before those of the folders inside of its own.
  package internal(set) var setups: [Setup] = []
  /// The files with their diagnostics, in the order in which they were found.
  package private(set) var loaded: [LoadedFile] = []
  package private(set) var unreadable: [(path: String, problem: FileProblem)] = []
  /// By identity of a file: its text, and the place of its set-up.
  private var texts: [String: SourceFile] = [:]
  private var places: [String: Int] = [:]
  /// The identities of files with errors, and of those that such a file completes.
  private var broken: Set<String> = []
  private let inputs: PlanInputs
  private let files: ComponentFiles

  /// Steps that run once before the scenarios of a folder.
  package struct Setup: Sendable {
    package enum State: Sendable {
      case waiting
      case captured([String: Value])
      case failed
    }

    package let path: String
    /// The names that it captures.
    let names: [SetupName]
    package var state = State.waiting
  }

  /// No file has a configuration.
  package static let none = Configurations(of: [], inputs: PlanInputs())

  package init(of paths: [String], inputs: PlanInputs, files: ComponentFiles = .onDisk) {
    self.inputs = inputs
    self.files = files
    read(for: paths)
  }

  /// Reads the configurations that hold for more files.
  package mutating func read(for paths: [String]) {
    for path in paths { read(for: path) }
  }

  /// True if a file is wrong.
  package var haveErrors: Bool {
    !unreadable.isEmpty || unknownEnvironment != nil || loaded.contains { $0.diagnostics.hasErrors }
  }

  /// The diagnostic for an environment that the command line names and no file has.
  package var unknownEnvironment: Diagnostic? {
    guard let name = inputs.environmentName, !loaded.contains(where: \.diagnostics.hasErrors) else {
      return nil
    }
    let names = Set(known.values.flatMap(\.environments)).sorted()
    return names.contains(name) ? nil : .unknownEnvironment(name, known: names)
  }

  /// The states of the set-ups. By these, another load of the same process runs none of them again.
  package var setupStates: SetupStates {
    SetupStates(
      byFile: Dictionary(
        setups.map { (identity(of: $0.path), $0.state) }, uniquingKeysWith: { _, last in last }))
  }

  /// Takes over the states of set-ups that have run.
  package mutating func adopt(_ states: SetupStates) {
    for place in setups.indices {
      if let state = states.byFile[identity(of: setups[place].path)] {
        setups[place].state = state
      }
    }
  }

  /// Returns the configuration that holds for a file.
  package func configuration(of path: String) -> Configuration {
    guard !setups.isEmpty || !loaded.isEmpty, var found = known[key(of: path)] else { return .none }
    for place in found.setups {
      var names = setups[place].names
      if case .captured(let values) = setups[place].state {
        for index in names.indices { names[index].value = values[names[index].name.value] }
      }
      // The nearest set-up takes precedence.
      let own = Set(names.map(\.name.value))
      found.setupNames = found.setupNames.filter { !own.contains($0.name.value) } + names
    }
    return found
  }

  /// Returns why a set-up keeps the scenarios of a file from running; nil if none does.
  package func reasonNotToRun(_ path: String) -> String? {
    guard !setups.isEmpty else { return nil }
    let failed = (known[key(of: path)]?.setups ?? []).first { place in
      if case .failed = setups[place].state { true } else { false }
    }
    return failed.map { "the set-up of `\(setups[$0].path)` has failed" }
  }

  /// Returns whether the scenarios of a file need a set-up.
  func needs(_ setup: Int, _ path: String) -> Bool {
    known[key(of: path)]?.setups.contains(setup) ?? false
  }

  private func key(of path: String) -> String {
    isConfiguration(path) ? path : enclosingFolder(of: path) + "/"
  }

  private mutating func read(for path: String) {
    let key = key(of: path)
    guard known[key] == nil else { return }
    let paths = configurationPaths(for: path, files)
    // The outermost comes first: the others may use what its set-up captures.
    for path in paths.reversed() { load(path) }
    var configuration = Configuration(
      paths.compactMap { texts[identity(of: $0)]?.named($0) }, inputs: inputs)
    configuration.setups = paths.reversed().compactMap { places[identity(of: $0)] }
    known[key] = configuration
  }

  private mutating func load(_ path: String) {
    let identity = identity(of: path)
    guard texts[identity] == nil, let bytes = files.read(path) else { return }
    read(for: path)
    // What is missing because of another mistake is none of its own.
    let isBelowBroken = isBelowBroken(path)
    if isBelowBroken { broken.insert(identity) }
    switch bytes {
    case .failure(let problem):
      if broken.insert(identity).inserted { unreadable.append((path, problem)) }
    case .success(let bytes):
      let text = SourceFile(path: path, bytes: bytes)
      texts[identity] = text
      if isBelowBroken { return }
      let file = load(text)
      if file.diagnostics.hasErrors { broken.insert(identity) }
      if let plan = file.plans.first {
        places[identity] = setups.count
        setups.append(Setup(path: path, names: file.namesOfSetup(plan)))
      }
      loaded.append(file)
    }
  }

  private func isBelowBroken(_ path: String) -> Bool {
    configuration(of: path).files.contains { broken.contains(identity(of: $0.path)) }
  }

  /// Loads a configuration with what is known of the set-ups further up.
  func load(_ text: SourceFile) -> LoadedFile {
    loadScenarios(
      text, inputs: inputs, components: files, configuration: configuration(of: text.path))
  }

  /// Loads the configuration of a set-up with the values that others have captured.
  func load(_ setup: Setup) -> LoadedFile? {
    texts[identity(of: setup.path)].map { load($0) }
  }
}

/// The states of the set-ups that have run in this process.
package struct SetupStates: Sendable {
  /// By identity of their files.
  fileprivate var byFile: [String: Configurations.Setup.State] = [:]

  package init() {}

  fileprivate init(byFile: [String: Configurations.Setup.State]) { self.byFile = byFile }

  package mutating func add(_ others: SetupStates) {
    byFile.merge(others.byFile) { _, new in new }
  }
}

/// Returns one text for all paths that lead to the same file.
private func identity(of path: String) -> String {
  guard let real = realpath(path, nil) else { return path }
  defer { free(real) }
  return String(cString: real)
}

extension Diagnostic {
  fileprivate static func unknownEnvironment(_ name: String, known: [String]) -> Diagnostic {
    let nearest = nearestName(to: name, among: known) ?? (known.count == 1 ? known[0] : nil)
    let listed = known.map { "`\($0)`" }.joined(separator: ", ")
    return Diagnostic(
      "unknown-environment", "no `rehearse.yaml` of these scenarios has an environment `\(name)`",
      help: name.contains(byte: UInt8(ascii: "="))
        ? "a variable is set by `--var \(name)`"
        : nearest.map { "did you mean `--env \($0)`?" }
          ?? (known.isEmpty
            ? "write `environments: { \(name): { vars: { … } } }` in `rehearse.yaml`"
            : "there are \(listed)"))
  }
}

extension SourceFile {
  /// The text under another path to the same file.
  fileprivate func named(_ path: String) -> SourceFile {
    path == self.path ? self : SourceFile(path: path, bytes: bytes)
  }
}

extension LoadedFile {
  /// Returns the names that the steps of a set-up capture. Those of the scripts of endpoints belong
  /// to their connections.
  fileprivate func namesOfSetup(_ plan: ScenarioPlan) -> [SetupName] {
    guard let steps = plan.setup else { return [] }
    return plan.captures.compactMap { capture in
      let place = capture.range
      let isOwn = place.file == 0 && steps.start <= place.start && place.end <= steps.end
      guard isOwn || Int(place.file) > plan.configurationFiles else { return nil }
      return SetupName(name: Located(capture.name, place), isSecret: capture.isSecret)
    }
  }
}
