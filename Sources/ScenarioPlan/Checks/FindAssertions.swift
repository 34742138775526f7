import Diagnostics
import ScenarioSpec

// The search for something that a run of a scenario could fail by.

extension PlanCompiler {
  /// Warns of a scenario that asserts nothing, unless it is there to be served or skipped.
  func warnOfNothingAsserted() {
    guard document.skip == nil, !plan.assertsSomething else { return }
    let isSilent = document.steps.steps.isEmpty && document.finally == nil
    if isSilent {
      let node = document.stage.graph.first { $0.name.value == Key.steps.rawValue }
      if plan.endpoints.isEmpty { report(.noSteps(document.title, node: node?.name.range)) }
    } else if !plan.onlyServes {
      report(.noAssertions(plan.range, help: plan.lineOfAssertion))
    }
  }
}

extension ScenarioPlan {
  /// The warning about a run that has evaluated no assertion of the scenario, and no invariant.
  ///
  /// Nil if the scenario is there to be served or to set up others, or if reading it has warned
  /// that it asserts nothing.
  package var nothingEvaluated: Diagnostic? {
    let contents = box.contents
    guard contents.assertsSomething, setup == nil else { return nil }
    let isForClients =
      contents.onlyServes && invariants.isEmpty && !contents.mainSteps.contains { $0.kind.asserts }
    return isForClients ? nil : .nothingEvaluated(range, help: contents.wayToEvaluate)
  }

  /// Returns whether an entry for streams or WebSockets asserts something of the request that opens
  /// it, besides the entries and routes at these places.
  package func assertsHandshake(besides unused: Set<SourceRange>) -> Bool {
    endpoints.contains { endpoint in
      endpoint.handshakeAssertions.contains { entry in
        let route = entry.route.map { endpoint.routes[$0].range }
        return !unused.contains(entry.range) && !(route.map(unused.contains) ?? false)
      }
    }
  }
}

extension PlanContents {
  /// True if anything of the scenario can make a run fail whose steps can all be taken.
  fileprivate var assertsSomething: Bool {
    assertions.contains { $0.kind.isAssertion }
      || invariants.contains { $0.kind.isAssertion }
      || endpoints.contains { !$0.handshakeAssertions.isEmpty || $0.isHeldAgainstItsMock }
      || demandsMore(sweep)
      // A program has to end with the code 0.
      || !programs.isEmpty
  }

  /// True if a sweep demands something of its courses.
  ///
  /// The compiler (6.3.1, without optimization) would read `plan.sweep.never` in a comparison with
  /// `nil` after the end of the access to the plan, as the address sanitizer found.
  private func demandsMore(_ sweep: SweepPlan) -> Bool {
    !sweep.same.isEmpty || sweep.never != nil
  }

  /// True if the steps only let mocks act, for clients from outside.
  fileprivate var onlyServes: Bool {
    endpoints.contains { $0.hasMock } && mainSteps.allSatisfy { !$0.kind.usesClient }
  }

  /// All steps of the scenario, those inside other steps included.
  fileprivate var mainSteps: [StepPlan] {
    stepsInside(steps.script) + (finally.map { stepsInside($0.script) } ?? [])
  }

  private func stepsInside(_ script: ScriptID) -> [StepPlan] {
    scripts[script].steps.flatMap { [$0] + $0.kind.innerScripts.flatMap(stepsInside) }
  }

  /// The advice for a run that has evaluated nothing.
  fileprivate var wayToEvaluate: String {
    if demandsMore(sweep) { return "`rehearse sweep` holds runs against what `sweep` demands" }
    if endpoints.contains(where: \.isHeldAgainstItsMock) {
      return "`--against real` compares the answers of an endpoint with those of its mock"
    }
    return "let the steps come to one; `-v` lists what was never exercised"
  }

  /// The line that would assert something, with a name of this scenario.
  fileprivate var lineOfAssertion: String {
    if assertions.contains(where: { if case .answer = $0.kind { true } else { false } }) {
      return "add `expect: { status: 200 }` to a `request`, or a step such as `- check: …`"
    }
    guard let source = sources.first(where: { $0.kind.isUsuallyExpected }) else {
      return "add a step such as `- check: …`"
    }
    return "add a step such as `- expect: { \(source.name): … }`"
  }
}

extension SourcePlan.Kind {
  /// True if its events are what most scenarios expect.
  fileprivate var isUsuallyExpected: Bool {
    switch self {
    case .node, .stream, .connection, .program, .declared, .reactorEvents: true
    case .endpoint, .componentEvents, .allEvents, .connectivity: false
    }
  }
}

extension EndpointPlan {
  /// True if the answers of the real endpoint are compared with what the mock would answer.
  fileprivate var isHeldAgainstItsMock: Bool { address != nil && hasMock }

  /// The stream entries that require something of the request that opens them, besides the path and
  /// the method that select them.
  fileprivate var handshakeAssertions: [ConversationPlan] {
    (eventStreams + lines + webSockets).filter { conversation in
      switch conversation.kind {
      case .accept(let acceptance, _): acceptance.assertsSomething
      case .refuse: false
      }
    }
  }
}

extension AcceptancePlan {
  fileprivate var assertsSomething: Bool {
    guard case .map(let entries) = request.content else { return true }
    return entries.contains { $0.key != "path" && $0.key != "method" }
  }
}

extension InvariantPlan.Kind {
  /// True if a run can break it.
  package var isAssertion: Bool {
    switch self {
    case .always, .never, .leadsTo, .precededBy, .between, .unchanged, .count: true
    case .complete: false
    }
  }
}

extension AssertionPlan.Kind {
  /// True if it asserts something by itself. Steps that are repeated may assert something, too.
  package var isAssertion: Bool {
    switch self {
    case .expectMap, .expectList, .never, .check, .eventually, .fails, .snapshot, .receive: true
    case .retry(let retry): retry.until != nil || retry.failIf != nil
    case .answer(let answer): answer.isAssertion
    }
  }
}

extension StepPlanKind {
  /// True if the step asserts something, or has others in it that may.
  fileprivate var asserts: Bool { if case .assertion = self { true } else { false } }

  /// True if the step makes a part of the scenario's own act, and not only its mocks.
  fileprivate var usesClient: Bool {
    switch self {
    case .acting(let step): step.usesClient
    case .action(.emit): true
    case .action(.fail), .structure, .assertion, .mock: false
    }
  }
}

extension Diagnostic {
  static func noSteps(_ title: Located<String>, node: SourceRange?) -> Diagnostic {
    Diagnostic(
      "no-steps", severity: .warning, "a scenario without steps checks nothing",
      labels: [.init(title.range, "always passes")]
        + (node.map { [.init($0, "this is a node of `graph`")] } ?? []),
      help: node == nil
        ? "add `steps`, with an `expect` or a `check`"
        : "move `steps` to the left, if it is meant for the scenario")
  }

  static func noAssertions(
    _ title: SourceRange, _ message: String = "nothing in this scenario asserts anything",
    help: String
  ) -> Diagnostic {
    Diagnostic(
      "no-assertions", severity: .warning, message,
      labels: [.init(title, "passes unless a step cannot run")], help: help)
  }

  static func nothingEvaluated(_ title: SourceRange, help: String) -> Diagnostic {
    noAssertions(
      title, "the run has evaluated no assertion and no invariant of this scenario", help: help)
  }
}
