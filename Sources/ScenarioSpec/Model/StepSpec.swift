import Diagnostics
import Values

/// A list of steps: the script of a scenario, of a reactor's action, or of a mock endpoint.
package struct ScriptSpec: Sendable {
  package var range: SourceRange
  package var steps: [StepSpec]

  package init(range: SourceRange, steps: [StepSpec]) {
    self.range = range
    self.steps = steps
  }
}

/// One step.
package struct StepSpec: Sendable {
  package var kind: StepKind
  /// The key that names what the step does (`expect`), as written.
  package var verb: Located<String>
  /// The whole step, all of its keys.
  package var range: SourceRange
  /// True if the steps go on when what it expects does not hold.
  package var isSoft = false
}

/// A value that `set` writes, and where.
package struct WriteSpec: Sendable {
  package var address: Located<String>
  /// The address as the way to a part of a value; nil if it is not written as one.
  package var path: ValuePath?
  package var value: DataSpec
}

/// The kinds of steps.
package indirect enum StepKind: Sendable {
  // acting
  case set([WriteSpec])
  case transaction(ScriptSpec)
  /// Targets are actions (`reactor.action`) and subjects; a bare target carries no payload.
  /// An awaited step waits for the ends of its actions.
  case send([(target: Located<String>, payload: DataSpec?)], isAwaited: Bool)
  /// Opens connections.
  case connect([Located<String>])
  case disconnect([Located<String>])
  /// Makes endpoints act now.
  case serve([ServeSpec], to: ServeSpec.Audience)
  /// Ends the life cycle of a reactor, completes a subject, or ends a connection for good.
  case terminate([Located<String>])
  case network([NetworkSpec])
  /// Lets the client's machine sleep.
  case suspend(DurationSpec, timersAreDue: Bool)
  case request(ExchangeSpec)
  /// Loads a list again.
  case refresh(Located<String>)
  case sql([StatementSpec])
  case load([(field: Located<String>, provider: Located<String>, with: [NamedData])])
  case emit(name: Located<String>, payload: DataSpec?)
  case fail(DataSpec?)
  // mock endpoints
  case respond(AnswerSpec)
  /// An action of the mock on its connection.
  case act(ServerActSpec)
  /// The next message of the client, which must be like this.
  case receive(MatcherSpec)
  // time and structure
  /// A duration; nil waits for ever.
  case wait(DurationSpec?)
  /// Names for values, in the order in which they are computed.
  case bind([(name: Located<String>, value: ExpressionText)])
  /// A value for readers of the run's log.
  case log(DataSpec)
  case parallel([ScriptSpec])
  case `repeat`(DataSpec, ScriptSpec)
  /// Runs the steps as long as the condition holds, for so many turns at most.
  case `while`(ExpressionText, atMost: Int?, ScriptSpec)
  case forEach(variable: Located<String>, items: DataSpec, ScriptSpec)
  case `if`(ExpressionText, then: ScriptSpec, else: ScriptSpec?)
  case include(IncludeSpec)
  case attempt(ScriptSpec, catch: ScriptSpec?, variable: Located<String>?)
  // asserting
  case expect(ExpectSpec)
  case never(NeverSpec)
  /// Conditions, all of which must hold now.
  case check([ExpressionText])
  case eventually(ExpressionText, within: Located<Microseconds>?)
  case retry(RetrySpec, ScriptSpec)
  case fails(StepSpec, error: MatcherSpec?)
  case ignore([Located<String>])
  /// The expression of a snapshot; nil for the whole stage.
  case snapshot(name: Located<String>, of: ExpressionText?)
}

/// Steps in a file of their own.
package struct IncludeSpec: Sendable {
  package var path: Located<String>
  package var with: [NamedData]
  /// The kind of script that the steps become a part of.
  package var place: Place
  /// The document of the file, after it is read; nil if it cannot be read.
  package var file: StepsDocument?
}

/// A file of steps.
package struct StepsDocument: Sendable {
  package var parameters: [ParameterSpec] = []
  package var steps: ScriptSpec
  package var range: SourceRange
}

extension StepKind {
  /// Returns the step with its scripts replaced.
  package func mapScripts(_ body: (ScriptSpec) -> ScriptSpec) -> StepKind {
    switch self {
    case .transaction(let script): return .transaction(body(script))
    case .parallel(let scripts): return .parallel(scripts.map(body))
    case .repeat(let times, let script): return .repeat(times, body(script))
    case .while(let condition, let most, let script):
      return .while(condition, atMost: most, body(script))
    case .forEach(let name, let items, let script):
      return .forEach(variable: name, items: items, body(script))
    case .if(let condition, let then, let other):
      return .if(condition, then: body(then), else: other.map(body))
    case .attempt(let script, let handler, let name):
      return .attempt(body(script), catch: handler.map(body), variable: name)
    case .retry(let retry, let script): return .retry(retry, body(script))
    case .fails(let step, let error):
      let inner = body(ScriptSpec(range: step.range, steps: [step]))
      return .fails(inner.steps.first ?? step, error: error)
    case .set, .send, .terminate, .connect, .disconnect, .serve, .act, .receive, .network,
      .suspend, .request, .refresh, .sql, .load, .emit, .fail, .respond, .wait, .bind, .log,
      .include,
      .expect,
      .never,
      .check, .eventually, .ignore, .snapshot:
      return self
    }
  }
}

/// The condition until which steps are repeated.
package struct RetrySpec: Sendable {
  /// Nil if the steps are repeated until their requests and checks pass.
  package var until: ExpressionText?
  /// The condition that makes further attempts useless.
  package var failIf: ExpressionText?
  package var every: Located<Microseconds>?
  package var timeout: Located<Microseconds>?
}

/// A value under a name, such as a parameter.
package typealias NamedData = (name: Located<String>, value: DataSpec)

/// An expectation of the next events.
package struct ExpectSpec: Sendable {
  package enum Form: Sendable {
    /// Each source's own sequence.
    case map([(source: Located<String>, sequence: SequenceSpec)])
    /// One order across all its sources.
    case list([EntrySpec])
  }

  package var form: Form
  /// The longest time of the whole.
  package var within: Located<Microseconds>?
}

/// An entry of an `expect` list.
package indirect enum EntrySpec: Sendable {
  case event(EventEntrySpec)
  /// A group of entries in any order.
  case anyOrder([EntrySpec], range: SourceRange)
}

/// One awaited event of a list.
package struct EventEntrySpec: Sendable {
  package var source: Located<String>
  package var matcher: MatcherSpec
  package var after: Located<Microseconds>?
  package var within: Located<Microseconds>?
  /// True if events are skipped until one matches.
  package var skips: Bool = false
  package var since: Located<String>?
  package var mark: Located<String>?
  package var times: Located<Int>?
  package var range: SourceRange
}

/// An expectation that events do not come.
package struct NeverSpec: Sendable {
  /// The sources. One without a matcher must be silent.
  package var sources: [(source: Located<String>, matcher: MatcherSpec?)]
  package var duration: Located<Microseconds>?
}
