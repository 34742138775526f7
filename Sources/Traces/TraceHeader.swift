import Values

/// The first line of a trace: how the run was made.
package struct TraceHeader: Sendable, Equatable {
  /// The scenario that ran, as the trace names it.
  package struct Scenario: Sendable, Equatable {
    package var path: String?
    package var line: Int?
    package var title: String?
    package var row: String?
    /// The hash of what stands in the row, by which it is found if it has another number now.
    package var rowHash: String?

    package init(path: String? = nil, line: Int? = nil, title: String? = nil, row: String? = nil) {
      self.path = path
      self.line = line
      self.title = title
      self.row = row
    }
  }

  /// The version of the format that this program writes and reads.
  package static let currentVersion = 1

  package var version = TraceHeader.currentVersion
  /// The program that wrote the trace.
  package var by: String?
  package var run: Int?
  package var scenario: Scenario?
  /// The SHA-256 of each file that was read, by its path.
  package var files = ValueMap()
  /// The identity of each step of the scenario, also of steps that did not run.
  package var steps: [String] = []
  /// The headers that lines of real endpoints have since the scenario names them, in lower case.
  package var headers: [String] = []
  /// True if the times are exact; nil if the header does not say.
  package var isVirtual: Bool?
  /// The world of each endpoint: `mock`, `sockets`, `real`, `serve`.
  package var worlds = ValueMap()
  /// The side of each endpoint's conversations that the scenario owns.
  package var sides = ValueMap()
  /// The programs that ran. What they emitted are inputs of a replay.
  package var programs: [String] = []
  package var seed: Int?
  package var clock: String?
  /// The calendar time at which a run in real time began.
  package var began: String?
  /// The variables from outside. The values are encoded as in lines.
  package var vars = ValueMap()
  /// The texts of the variables that were written in another way than JSON has them: `00501`.
  package var spellings = ValueMap()
  package var secrets: [String] = []
  package var options = ValueMap()
  /// The members that this version does not know.
  package var others = ValueMap()

  package init() {}

  /// The name and the version of the program that wrote the trace.
  var writer: (name: String, version: String) {
    let words = (by ?? "rehearse").split(separator: " ", maxSplits: 1).map(String.init)
    return (words.first ?? "rehearse", words.count > 1 ? words[1] : "")
  }

  /// The title of the scenario, with the row of its cases: rows have one title.
  package var displayName: String {
    (scenario?.title ?? "trace") + (scenario?.row.map { " [\($0)]" } ?? "")
  }

  /// True if a real endpoint was asked, of whose headers a trace has only a few.
  package var hasRealEndpoints: Bool { worlds.values.contains("real") }

  /// Returns the side of an endpoint's conversations that the scenario owns.
  package func side(of endpoint: String) -> TraceSide? {
    guard case .string(let name)? = sides[endpoint] else { return nil }
    return TraceSide(rawValue: name)
  }

  /// Returns the program whose source this is; nil if it is none of a program.
  package func program(of source: String?) -> String? {
    guard !programs.isEmpty, let source else { return nil }
    return programs.first { source == $0 || source.hasPrefix($0 + ".") }
  }
}

/// The members of the header, in the order in which they are written.
package enum TraceHeaderMember: String, CaseIterable, Sendable {
  case trace, by, run, scenario, files, steps, headers, time, worlds, sides, programs, seed, clock,
    began
  case vars, spellings, secrets, options

  /// The JSON that a member of the header takes.
  package enum Form: Sendable {
    case integer, text, timestamp, scenario, time, map, sides, texts
  }

  package var form: Form {
    switch self {
    case .trace, .run, .seed: .integer
    case .by: .text
    case .clock, .began: .timestamp
    case .scenario: .scenario
    case .time: .time
    case .files, .worlds, .vars, .spellings, .options: .map
    case .sides: .sides
    case .steps, .headers, .programs, .secrets: .texts
    }
  }

  /// The meaning, in words for the reference.
  package var purpose: String {
    switch self {
    case .trace: "the version of the format: 1. Only this member is required"
    case .by: "the program that wrote the trace"
    case .run: "the number of this run, if one log holds several"
    case .scenario:
      "`path`, `line`, `title`, `row` and `rowHash`, a hash of the row's contents. Paths begin "
        + "at the trace's folder"
    case .files: "the SHA-256 of each file that was read"
    case .steps: "what each step of the scenario is, as `step` of a line names it"
    case .headers: "the headers of real endpoints that the trace has since the scenario names them"
    case .time: "`virtual` or `real`"
    case .worlds: "where each endpoint was: `mock`, `sockets`, `real`, `trace` or `serve`"
    case .sides: "the side of each endpoint's conversations that the scenario owns"
    case .programs: "the programs that ran: what they did are inputs of a replay"
    case .seed: "the seed of random choices"
    case .clock: "the time of day at the start"
    case .began: "when the run began, if it was in real time and has no `clock`"
    case .vars: "each variable that came from outside, and the form of each secret that is no text"
    case .spellings: "the text of each variable that JSON writes in another way: `00501`"
    case .secrets: "the names of the secrets"
    case .options: "the options of the command line that change a run"
    }
  }
}

extension TraceHeader {
  /// The JSON of a member; nil if the header does not have it.
  func json(of member: TraceHeaderMember) -> Value? {
    switch member {
    case .trace: .int(version)
    case .by: by.map { .string($0) }
    case .run: run.map { .int($0) }
    case .scenario: scenario.map { .map($0.json) }
    case .files: files.isEmpty ? nil : .map(files)
    case .time: isVirtual.map { $0 ? "virtual" : "real" }
    case .worlds: worlds.isEmpty ? nil : .map(worlds)
    case .sides: sides.isEmpty ? nil : .map(sides)
    case .steps: steps.isEmpty ? nil : .list(steps.map { .string($0) })
    case .headers: headers.isEmpty ? nil : .list(headers.map { .string($0) })
    case .programs: programs.isEmpty ? nil : .list(programs.map { .string($0) })
    case .seed: seed.map { .int($0) }
    case .clock: clock.map { .string($0) }
    case .began: began.map { .string($0) }
    case .vars: vars.isEmpty ? nil : .map(vars)
    case .spellings: spellings.isEmpty ? nil : .map(spellings)
    case .secrets: secrets.isEmpty ? nil : .list(secrets.map { .string($0) })
    case .options: options.isEmpty ? nil : .map(options)
    }
  }

  /// Sets a member from its JSON. Returns false if it has another form.
  mutating func set(_ member: TraceHeaderMember, _ json: Value) -> Bool {
    switch (member, json) {
    case (.trace, .int(let number)): version = number
    case (.run, .int(let number)): run = number
    case (.seed, .int(let number)): seed = number
    case (.by, .string(let text)): by = text
    case (.clock, .string(let text)) where Timestamp(text: text) != nil: clock = text
    case (.began, .string(let text)) where Timestamp(text: text) != nil: began = text
    case (.time, "virtual"): isVirtual = true
    case (.time, "real"): isVirtual = false
    case (.scenario, .map(let map)):
      scenario = Scenario(map)
      return scenario != nil
    case (.files, .map(let map)): files = map
    case (.worlds, .map(let map)): worlds = map
    case (.sides, .map(let map)) where map.values.allSatisfy(\.isSide): sides = map
    case (.vars, .map(let map)): vars = map
    case (.spellings, .map(let map)) where map.values.allSatisfy(\.isText): spellings = map
    case (.options, .map(let map)): options = map
    case (.steps, .list(let names)) where names.allSatisfy(\.isText):
      steps = names.map(\.plainText)
    case (.headers, .list(let names)) where names.allSatisfy(\.isText):
      headers = names.map(\.plainText)
    case (.programs, .list(let names)) where names.allSatisfy(\.isText):
      programs = names.map(\.plainText)
    case (.secrets, .list(let names)) where names.allSatisfy(\.isText):
      secrets = names.map(\.plainText)
    default: return false
    }
    return true
  }
}

extension TraceHeader.Scenario {
  fileprivate var json: ValueMap {
    var map = ValueMap()
    map["path"] = path.map { .string($0) }
    map["line"] = line.map { .int($0) }
    map["title"] = title.map { .string($0) }
    map["row"] = row.map { .string($0) } ?? .null
    map["rowHash"] = rowHash.map { .string($0) }
    return map
  }

  /// Makes it from JSON; nil if a member has another form.
  fileprivate init?(_ map: ValueMap) {
    for (key, value) in map where value != .null {
      switch (key, value) {
      case ("path", .string(let text)): path = text
      case ("line", .int(let number)): line = number
      case ("title", .string(let text)): title = text
      case ("row", .string(let text)): row = text
      case ("rowHash", .string(let text)): rowHash = text
      case ("path", _), ("line", _), ("title", _), ("row", _), ("rowHash", _): return nil
      default: break
      }
    }
  }
}

extension Value {
  fileprivate var isText: Bool { if case .string = self { true } else { false } }
  fileprivate var isSide: Bool { isText && TraceSide(rawValue: plainText) != nil }
}

extension TraceHeader {
  /// Returns the header with other names of headers that the scenario wants to be written.
  package func naming(_ others: [String]) -> TraceHeader {
    var header = self
    header.headers += others.filter { !headers.contains($0) }
    return header
  }
}
