import Diagnostics
import Values

/// The settings that a `rehearse.yaml` gives to the scenarios of its folder and of the folders
/// below. Each part has its place in the file; a part that is nil or empty is left to a file
/// further up.
package struct ConfigurationDocument: Sendable {
  /// The paths of commands that name none, relative to the folder of their file.
  package var paths: [Located<String>]?
  package var tags: [Located<String>]?
  package var reports: [ConfiguredReport] = []
  package var limits = LimitsSpec()
  package var against = WorldsSpec()
  package var timeout: Located<Microseconds>?
  package var clock: ClockSpec?
  package var seed: Located<Int>?
  package var traces = TracesSpec()
  package var vars: [VariableSpec] = []
  package var endpoints: [DefaultEndpoint] = []
  package var environments: [NamedEnvironment] = []
  package var setup: ScriptSpec?
  /// True if a step of the set-up includes a file.
  package var includesFiles = false
  /// The keys that are written, for people who ask what holds.
  package var entries: [ConfiguredEntry] = []
  package var range: SourceRange

  package init(range: SourceRange) { self.range = range }
}

/// The settings that replace others of a configuration if the command line names them.
package struct NamedEnvironment: Sendable {
  package var name: Located<String>
  package var settings: ConfigurationDocument
}

/// A report that a configuration asks for.
package struct ConfiguredReport: Sendable {
  package var format: Located<String>
  /// The file, relative to the folder of its configuration; `-` is standard output.
  package var path: Located<String>
}

/// The limits of a run.
package struct LimitsSpec: Sendable {
  package var jobs: Located<Int>?
  package var retries: Located<Int>?
  package var maxTime: Located<Microseconds>?
  package var deadline: Located<Microseconds>?
  /// In megabytes.
  package var logLimit: Located<Int>?

  fileprivate mutating func complete(by outer: LimitsSpec) {
    jobs = jobs ?? outer.jobs
    retries = retries ?? outer.retries
    maxTime = maxTime ?? outer.maxTime
    deadline = deadline ?? outer.deadline
    logLimit = logLimit ?? outer.logLimit
  }
}

/// An endpoint for the scenarios that name it, with the place of all of it.
package struct DefaultEndpoint: Sendable {
  package var endpoint: EndpointSpec
  package var range: SourceRange
}

/// A key of a configuration with its value, such as `limits.jobs`.
package struct ConfiguredEntry: Sendable {
  package var name: String
  package var value: Value
  package var isSecret = false
  package var range: SourceRange
}

/// A name that a set-up captures, for the scenarios below it.
package struct SetupName: Sendable {
  package var name: Located<String>
  package var isSecret: Bool
  /// Nil while the set-up has not run.
  package var value: Value?

  package init(name: Located<String>, isSecret: Bool, value: Value? = nil) {
    self.name = name
    self.isSecret = isSecret
    self.value = value
  }
}

extension ConfigurationDocument {
  /// Adds what a file further up gives and this one does not. The set-up is no part of that: each
  /// file has its own.
  package mutating func complete(by outer: ConfigurationDocument) {
    paths = paths ?? outer.paths
    tags = tags ?? outer.tags
    reports += outer.reports.filter { report in
      !reports.contains { $0.format.value == report.format.value }
    }
    limits.complete(by: outer.limits)
    against.complete(by: outer.against)
    timeout = timeout ?? outer.timeout
    clock = clock ?? outer.clock
    seed = seed ?? outer.seed
    traces.complete(by: outer.traces)
    vars = outer.vars.replaced(by: vars, name: \.name.value)
    endpoints = outer.endpoints.replaced(by: endpoints, name: \.endpoint.name.value)
    let own = Set(entries.map(\.name))
    entries += outer.entries.filter { !own.contains($0.name) && $0.name != Key.setup.rawValue }
  }
}

extension ConfigurationDocument {
  /// Puts what an environment says in place of the rest. Nothing changes without one of this name.
  package mutating func choose(_ name: String?) {
    guard let chosen = environments.first(where: { $0.name.value == name })?.settings else {
      return
    }
    let whole = self
    self = chosen
    for place in endpoints.indices {
      let name = endpoints[place].endpoint.name.value
      guard let given = whole.endpoints.first(where: { $0.endpoint.name.value == name }) else {
        continue
      }
      endpoints[place].endpoint.complete(by: given.endpoint)
    }
    for place in vars.indices {
      let given = whole.vars.first { $0.name.value == vars[place].name.value }
      if given?.isSecret == true { vars[place].isSecret = true }
    }
    complete(by: whole)
    (setup, includesFiles, range) = (whole.setup, whole.includesFiles, whole.range)
    environments = whole.environments
    entries += whole.entries.filter { $0.name == Key.setup.rawValue }
  }
}

extension WorldsSpec {
  /// Adds the worlds that defaults choose. A world of all endpoints replaces all of them.
  mutating func complete(by outer: WorldsSpec) {
    guard others == nil else { return }
    others = outer.others
    let known = Set(endpoints.map(\.name.value))
    endpoints += outer.endpoints.filter { !known.contains($0.name.value) }
  }
}

extension Array {
  /// Returns these elements, each in place of the one with its name, and then the new ones. A later
  /// variable may read an earlier one, so that the order matters.
  fileprivate func replaced(by own: [Element], name: (Element) -> String) -> [Element] {
    let names = Set(map(name))
    return map { old in own.first { name($0) == name(old) } ?? old }
      + own.filter { !names.contains(name($0)) }
  }
}

extension ConfigurationDocument {
  /// The set-up as a scenario, without what the configuration gives to scenarios.
  package var setupDocument: ScenarioDocument {
    let place = entries.first { $0.name == Key.setup.rawValue }?.range ?? range
    var document = ScenarioDocument(title: Located("set-up", place), range: range)
    document.steps = setup ?? ScriptSpec(range: .none, steps: [])
    document.includesFiles = includesFiles
    return document
  }
}
