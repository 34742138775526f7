/// The kinds of steps: a closed list in five groups. A reader switches over the groups and looks
/// into those it cares about.
///
/// Each step refers to its subject by id. The groups are indirect, so that a step stays small.
package enum StepPlanKind: Sendable {
  case acting(ActingStep)
  case structure(StructureStep)
  case assertion(AssertionStep)
  case mock(MockStep)
  case action(ActionStep)
}

/// A step that makes something happen.
package indirect enum ActingStep: Sendable {
  case set([SetPlan])
  case transaction(ScriptID)
  case send([SendPlan])
  /// Sends actions and waits for their ends.
  case sendAndWait([AwaitPlan])
  case terminate([TerminationPlan])
  case connect([ConnectionID])
  case disconnect([ConnectionID])
  case serve([ServePlan], to: AudiencePlan)
  case network([NetworkPlan])
  /// Lets the client's machine sleep. Its timers are due at the waking, or keep what is left.
  case suspend(DurationPlan, timersAreDue: Bool)
  case request(ExchangePlan)
  case refresh(ListID)
  case sql([StatementPlan])
  case load([LoadPlan])
}

/// A step that decides when its script goes on and with which steps.
package indirect enum StructureStep: Sendable {
  /// nil waits for ever.
  case wait(DurationPlan?)
  case bind([(local: LocalID, value: ExpressionPlan)])
  case log(DataPlan)
  case parallel([ScriptID])
  /// `turn` has the number of the turn; nil if another name hides it.
  case `repeat`(DataPlan, ScriptID, turn: LocalID?)
  case `while`(WhilePlan)
  case forEach(LocalID, DataPlan, ScriptID, turn: LocalID?)
  case `if`(ExpressionPlan, then: ScriptID, else: ScriptID?)
  case attempt(ScriptID, catch: ScriptID?, error: LocalID)
  case include(IncludePlan)
}

extension ActingStep {
  /// True if the step makes a part of the scenario's own act, and not only its mocks.
  package var usesClient: Bool {
    switch self {
    case .serve, .network: false
    case .set, .transaction, .send, .sendAndWait, .terminate, .connect, .disconnect, .suspend,
      .request, .refresh, .sql, .load:
      true
    }
  }
}

extension StructureStep {
  /// The scripts inside a step.
  package var innerScripts: [ScriptID] {
    switch self {
    case .wait, .bind, .log: []
    case .parallel(let scripts): scripts
    case .repeat(_, let script, _), .forEach(_, _, let script, _): [script]
    case .while(let loop): [loop.body]
    case .if(_, let then, let other): [then] + (other.map { [$0] } ?? [])
    case .attempt(let script, let handler, _): [script] + (handler.map { [$0] } ?? [])
    case .include(let include): [include.script]
    }
  }
}

extension StepPlanKind {
  /// The scripts inside a step.
  package var innerScripts: [ScriptID] {
    switch self {
    case .acting(.transaction(let script)): [script]
    case .structure(let structure): structure.innerScripts
    case .assertion(.retry(_, let script)), .assertion(.fails(_, let script)): [script]
    case .acting, .assertion, .mock, .action: []
    }
  }
}

/// A loop that ends when its condition no longer holds.
package struct WhilePlan: Sendable {
  package var condition: ExpressionPlan
  package var body: ScriptID
  package var turn: LocalID?
  /// The most turns that it may take.
  package var most: Int
}

/// A step that says what is to be seen, or what need not be.
package indirect enum AssertionStep: Sendable {
  case assert(AssertionID)
  /// The assertion says for what and how long.
  case retry(AssertionID, ScriptID)
  case fails(AssertionID, step: ScriptID)
  case ignore([SourceID])
}

/// A step of a mock's script.
package indirect enum MockStep: Sendable {
  case respond(AnswerPlan)
  /// An act of a mock on its connection.
  case act(ServerActPlan)
  /// The assertion says what the next message of the client is like.
  case receive(AssertionID)
}

/// The outcome of an action: what it announces, or that it failed.
package indirect enum ActionStep: Sendable {
  case emit(EmitPlan)
  case fail(DataPlan?)
}

/// The parts of a step's meaning that the scenario's main script asks about.
package struct StepTraits: Sendable {
  /// True if the step makes something happen, and so begins a span.
  package let isActing: Bool
  /// True if the scenario continues only after all effects of this instant.
  package let drains: Bool

  @inlinable package init(isActing: Bool, drains: Bool) {
    self.isActing = isActing
    self.drains = drains
  }
}

extension StepPlanKind {
  @inlinable package var traits: StepTraits {
    switch self {
    case .acting: StepTraits(isActing: true, drains: true)
    case .action(.emit): StepTraits(isActing: false, drains: true)
    case .structure, .assertion, .mock, .action(.fail): StepTraits(isActing: false, drains: false)
    }
  }
}
