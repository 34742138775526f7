import Diagnostics
import ScenarioPlan
import ScenarioRuns
import Verdicts

/// The names of the endpoints that are served. If there are several scenarios, an endpoint is
/// `TITLE::NAME`, since two of them may have one of the same name.
struct ServedNames: Equatable {
  /// A scenario's title, its place for the case that another has the same title, and its endpoints.
  struct Scenario: Equatable {
    var title: String
    var place: String
    var endpoints: [String]
  }

  var scenarios: [Scenario]

  var isSingle: Bool { scenarios.count == 1 }

  /// Returns the name of an endpoint for people and programs.
  func name(of endpoint: String, in index: Int) -> String {
    isSingle ? endpoint : "\(label(of: index))\(ServedNames.separator)\(endpoint)"
  }

  /// The names of all endpoints, in the order of the scenarios.
  var all: [String] {
    scenarios.indices.flatMap { index in
      scenarios[index].endpoints.map { name(of: $0, in: index) }
    }
  }

  private func label(of index: Int) -> String {
    let own = scenarios[index]
    let isAlone = !scenarios.indices.contains { $0 != index && scenarios[$0].title == own.title }
    return isAlone ? own.title : own.place
  }

  static let separator = "::"
}

extension ServedNames.Scenario {
  init(_ choice: ServedChoice) {
    let file = choice.loaded.sources.file(of: choice.plan.range)
    let line = file.map { ":\($0.place(of: Int(choice.plan.range.start)).line)" } ?? ""
    let row = choice.row.map { " [\($0.id)]" } ?? ""
    let mask = choice.loaded.mask
    self.init(
      title: mask.masked(choice.title), place: mask.masked(choice.path + line + row),
      endpoints: choice.plan.servedEndpoints.map(\.name))
  }
}

/// A wrong `--port`, which only the scenario's endpoints reveal.
struct PortProblem: Error, Equatable {
  var diagnostic: Diagnostic
}

/// Returns the requested ports of each scenario, by the names of its endpoints.
func portsOfEach(
  _ settings: [PortSetting], _ names: ServedNames
) -> Result<[[String: UInt16]], PortProblem> {
  portsByName(settings, names.all).map { ports in
    names.scenarios.enumerated().map { index, scenario in
      let own = scenario.endpoints.compactMap { endpoint in
        ports[names.name(of: endpoint, in: index)].map { (endpoint, $0) }
      }
      return Dictionary(own, uniquingKeysWith: { first, _ in first })
    }
  }
}

/// Returns the requested ports by the names of their endpoints.
func portsByName(
  _ settings: [PortSetting], _ endpoints: [String]
) -> Result<[String: UInt16], PortProblem> {
  var ports: [String: UInt16] = [:]
  for setting in settings {
    switch endpoint(of: setting, endpoints) {
    case .failure(let problem): return .failure(problem)
    case .success(let name):
      guard ports.updateValue(setting.port, forKey: name) == nil else {
        return .failure(PortProblem(diagnostic: .twoPorts(name)))
      }
    }
  }
  return .success(ports)
}

/// Returns the endpoint that a port is for. The title may be left out if a single scenario has an
/// endpoint of this name.
private func endpoint(
  of setting: PortSetting, _ endpoints: [String]
) -> Result<String, PortProblem> {
  guard let name = setting.endpoint else {
    if endpoints.count == 1, let single = endpoints.first { return .success(single) }
    return .failure(PortProblem(diagnostic: .portOfWhich(setting.port, endpoints)))
  }
  if endpoints.contains(name) { return .success(name) }
  let meant = endpoints.filter { $0.hasSuffix(ServedNames.separator + name) }
  if meant.count == 1 { return .success(meant[0]) }
  return .failure(
    PortProblem(
      diagnostic: meant.isEmpty
        ? .portOfNobody(name, endpoints) : .portOfSeveral(name, setting.port, meant)))
}

extension Diagnostic {
  fileprivate static func portOfWhich(_ port: UInt16, _ names: [String]) -> Diagnostic {
    Diagnostic(
      "port-of-no-endpoint",
      "there are \(names.count) endpoints, and \(port) does not say for which",
      help: "write \(portExamples(names))")
  }

  fileprivate static func portOfSeveral(
    _ name: String, _ port: UInt16, _ names: [String]
  ) -> Diagnostic {
    Diagnostic(
      "port-of-no-endpoint",
      "\(names.count) scenarios have an endpoint `\(name)`, and \(port) does not say for which",
      help: "write \(portExamples(names))")
  }

  fileprivate static func portOfNobody(_ name: String, _ names: [String]) -> Diagnostic {
    let known = names.map { "`\($0)`" }.joined(separator: ", ")
    let nearest = nearestName(to: name, among: names).map { "did you mean `\($0)`?" }
    return Diagnostic(
      "port-of-no-endpoint", "there is no endpoint `\(name)`",
      help: nearest ?? "endpoints are \(known)")
  }

  fileprivate static func twoPorts(_ name: String) -> Diagnostic {
    Diagnostic(
      "port-of-no-endpoint", "`\(name)` is given two ports", help: "keep one of them")
  }
}

/// Returns options as a shell takes them: `--port api=PORT`, `--port 'A title::api=PORT'`.
private func portExamples(_ names: [String]) -> String {
  names.prefix(4).map { "`--port \(shellQuoted($0 + "=PORT"))`" }.joined(separator: ", ")
}
