import Values

/// The steps of a scenario, written in Swift with the verbs of the language.
///
/// ```swift
/// let scenario = Scenario("The counter counts", stage: counterStage) { steps in
///   steps.send("counter.add", 2)
///   steps.expect(.event("counter.count", 2))
///   steps.never("counter.count", for: .seconds(60))
/// }
/// ```
///
/// Texts are written as in the language: `"${count + 1}"` is an expression. A failure is reported
/// at the line of the Swift file.
public struct ScenarioSteps {
  /// An event that a step expects.
  public struct ExpectedEvent {
    let value: Value

    /// Returns an event of a source. Data is matched as in a scenario; `after` is the exact time
    /// since the event before, and `within` a limit for it.
    public static func event(
      _ source: String, _ value: Any, after: Duration? = nil, within: Duration? = nil
    ) -> ExpectedEvent {
      var map = ValueMap()
      map[source] = Value(reflecting: value)
      map["after"] = after.map(text(of:))
      map["within"] = within.map(text(of:))
      return ExpectedEvent(value: .map(map))
    }
  }

  /// The text of each step, and its line in the Swift file.
  private(set) var written: [(text: String, line: Int)] = []

  /// Sends an action to a reactor, or a value to a subject.
  public mutating func send(_ target: String, _ payload: Any? = nil, line: Int = #line) {
    step("send", [target: payload.map { Value(reflecting: $0) } ?? Value.null], line: line)
  }

  /// Writes nodes, or fields that are bound to actions.
  public mutating func set(_ values: KeyValuePairs<String, Any>, line: Int = #line) {
    step("set", map(values), line: line)
  }

  /// Expects events in this order.
  public mutating func expect(_ events: ExpectedEvent..., line: Int = #line) {
    step("expect", Value.list(events.map(\.value)), line: line)
  }

  /// Expects that sources emit nothing; for a time, or at this instant.
  public mutating func never(_ sources: String..., for time: Duration? = nil, line: Int = #line) {
    let more = time.map { ", for: \(text(of: $0).plainText)" } ?? ""
    add("never: \(Value(reflecting: sources).json())\(more)", line)
  }

  /// Checks that an expression holds now.
  public mutating func check(_ expression: String, line: Int = #line) {
    step("check", expression, line: line)
  }

  /// Lets time pass.
  public mutating func wait(_ time: Duration, line: Int = #line) {
    step("wait", text(of: time), line: line)
  }

  /// Leaves the events of sources out of account.
  public mutating func ignore(_ sources: String..., line: Int = #line) {
    step("ignore", sources, line: line)
  }

  /// Takes any step of the language, with the data that its verb has.
  public mutating func step(_ verb: String, _ data: Any, line: Int = #line) {
    add("\(verb): \(Value(reflecting: data).json())", line)
  }

  private mutating func add(_ text: String, _ line: Int) { written.append(("{ \(text) }", line)) }

  private func map(_ values: KeyValuePairs<String, Any>) -> Value {
    .map(ValueMap(values.map { (Value.string($0.key), Value(reflecting: $0.value)) }))
  }
}

/// The text of a duration in the language.
private func text(of duration: Duration) -> Value {
  let (seconds, attoseconds) = duration.components
  return .string("\(seconds * 1_000_000 + attoseconds / 1_000_000_000_000)us")
}

extension Scenario {
  /// Makes a scenario of a stage in YAML and steps in Swift.
  ///
  /// The stage is text: the keys of a scenario that declare it, such as `reactors:`.
  public init(
    _ title: String, stage: String = "", file: String = #filePath, line: Int = #line,
    _ write: (inout ScenarioSteps) -> Void
  ) {
    var steps = ScenarioSteps()
    write(&steps)
    let head = "scenario: \(Value.string(title).json())\n\(stage)\nsteps:\n"
    let text = head + steps.written.map { "  - \($0.text)\n" }.joined()
    let first = head.split(separator: "\n", omittingEmptySubsequences: false).count
    var lines: [Int: Int] = [:]
    for (number, step) in steps.written.enumerated() { lines[first + number] = step.line }
    self = Scenarios(text: text, path: "<\(title)>")[0]
    origin = SwiftOrigin(path: file, line: line, lines: lines)
  }
}

/// The place in a Swift file that a scenario comes from.
struct SwiftOrigin: Sendable {
  let path: String
  let line: Int
  /// The lines of the steps, by the line of the text that was made of them.
  let lines: [Int: Int]
}
