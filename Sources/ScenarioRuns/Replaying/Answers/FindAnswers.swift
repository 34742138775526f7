import Diagnostics
import ScenarioPlan
import Traces
import Values

/// Finds the answers that a command line names by events of a run.
struct AnswerFinder {
  private let run: TraceRun
  private let plan: ScenarioPlan
  private let file: Int32
  private let all: RecordedExchanges
  private(set) var found: [Int: ChangedAnswers.Exchange] = [:]
  private(set) var problems: [Diagnostic] = []

  /// - Parameter file: The number of the trace among the texts.
  init(_ run: TraceRun, _ plan: ScenarioPlan, in file: Int32) {
    (self.run, self.plan, self.file) = (run, plan, file)
    all = RecordedExchanges(run) { _ in true }
  }

  mutating func add(_ change: AnswerChange) {
    guard let index = run.index(of: change.event) else {
      var problem = Diagnostic.eventNotReached(change.event, run, in: file)
      problem.help = helpOfNearest(to: change.event)
      return problems.append(problem)
    }
    guard let exchange = exchange(of: index) else {
      return refuse(change, "it is part of no exchange", help: helpOfNearest(to: change.event))
    }
    let request = all.request(of: exchange)
    let name = run.entries.source(of: request)
    guard plan.endpoints.contains(where: { $0.name == name }) else {
      return refuse(change, "its endpoint is not one of the scenario's")
    }
    let lines = all.lines(of: exchange)
    guard let answer = lines.first(where: { !isOfClient($0) }) else {
      return refuse(change, "the trace has no answer to it")
    }
    guard index == request || !isOfClient(index) else {
      return refuse(change, "a client sent it", help: "its answer is event \(number(answer))")
    }
    let place = index == request ? answer : index
    var known = found[request] ?? ChangedAnswers.Exchange(answer: answer)
    if let problem = known.add(change.kind, at: place, run.entries.kind(of: place)) {
      return refuse(change, problem)
    }
    found[request] = known
  }

  private func isOfClient(_ index: Int) -> Bool { run.entries[index].line.from == .client }
  private func number(_ index: Int) -> Int { run.entries.number(of: index) }

  private func exchange(of index: Int) -> Int? {
    (0..<all.count).first { all.request(of: $0) == index || all.lines(of: $0).contains(index) }
  }

  private mutating func refuse(_ change: AnswerChange, _ reason: String, help: String? = nil) {
    let place = run.entry(change.event)?.place
    problems.append(.answerCannotChange(change, reason, place, in: file, help: help))
  }

  private func helpOfNearest(to event: Int) -> String {
    let nearest = (0..<all.count).map { all.request(of: $0) }
      .min { abs(number($0) - event) < abs(number($1) - event) }
    guard let nearest else { return "the trace has no exchange" }
    let line = run.entries[nearest].line
    return "the nearest exchange is event \(number(nearest)): "
      + visibleText("\(line.source ?? "") \(line.valueText)")
      + "; `rehearse trace requests` shows all with their numbers"
  }
}

extension ChangedAnswers.Exchange {
  /// Adds a change of a line. Returns the reason if it cannot be.
  fileprivate mutating func add(
    _ kind: AnswerChange.Kind, at index: Int, _ line: TraceKind?
  ) -> String? {
    var change = changes[index] ?? ChangedAnswers.Change()
    let isPart = line == .event || line == .line || line == .message
    let isTwice: Bool
    switch kind {
    case .status(let status):
      if index != answer { return "only the beginning of an answer has a status" }
      isTwice = change.status != nil
      change.status = status
    case .drop:
      isTwice = change.isDropped
      change.isDropped = true
    case .delay(let time):
      isTwice = change.delay != 0
      change.delay = time
    case .body(let path):
      if index != answer && !isPart || line == .upgrade { return "it has no body" }
      isTwice = change.body != nil
      switch readFile(path) {
      case .success(let bytes): change.body = bytes
      case .failure(let problem): return "`\(visibleText(path))` cannot be read: \(problem.message)"
      }
    }
    if isTwice { return "it is changed twice in the same way" }
    if change.isDropped, change.status != nil || change.body != nil {
      return "nothing comes of an answer that is dropped"
    }
    changes[index] = change
    return nil
  }
}

extension Diagnostic {
  fileprivate static func answerCannotChange(
    _ change: AnswerChange, _ reason: String, _ place: TracePlace?, in file: Int32, help: String?
  ) -> Diagnostic {
    Diagnostic(
      "answer-cannot-change",
      "`\(visibleText(change.kind.text))` cannot change event "
        + "\(change.event): \(reason)",
      labels: place.map { [.init($0.range(in: file))] } ?? [],
      help: help)
  }

  package static func answersOfOneRun(_ reason: String) -> Diagnostic {
    Diagnostic(
      "answer-cannot-change", "`--answer` names an event of one recorded run: \(reason)",
      help: "name a trace of one run")
  }
}
