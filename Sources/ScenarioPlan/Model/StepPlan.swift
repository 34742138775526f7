import Diagnostics
import ScenarioSpec

/// A script that can be started: its steps and how many locals a run of it has.
package struct FramePlan: Sendable {
  package var script: ScriptID
  package var localCount: Int

  package init(script: ScriptID, localCount: Int) {
    self.script = script
    self.localCount = localCount
  }

  /// Stands in for a frame until its script is compiled.
  package static let empty = FramePlan(script: ScriptID(0), localCount: 0)
}

/// A list of steps.
package struct ScriptPlan: Sendable {
  package var steps: [StepPlan]

  package init(steps: [StepPlan]) { self.steps = steps }
}

/// One step. It is an object, so that a script takes its next step without a copy of the plan.
package final class StepPlan: Sendable {
  package let kind: StepPlanKind
  /// The key that says what it does, as written.
  package let verb: String
  /// The verb's place.
  package let verbRange: SourceRange
  /// The whole step.
  package let range: SourceRange

  package init(kind: StepPlanKind, verb: String, verbRange: SourceRange, range: SourceRange) {
    self.kind = kind
    self.verb = verb
    self.verbRange = verbRange
    self.range = range
  }
}

/// The target that a step ends for good.
package enum TerminationPlan: Sendable {
  /// Its life cycle.
  case reactor(ReactorID)
  /// It completes.
  case subject(StreamID)
  case connection(ConnectionID)
  case program(ProgramID)
}

/// Steps of another file, and what their parameters stand for.
package struct IncludePlan: Sendable {
  package struct Argument: Sendable {
    package var name: String
    package var local: LocalID
    package var value: DataPlan
    package var kind: ParameterSpec.Kind
  }

  package var script: ScriptID
  /// Those that are not known before the run, in the order they are worked out.
  package var arguments: [Argument]
  /// The place that names the file.
  package var range: SourceRange
}

/// A write to a stored node, or to a bound field, which sends the binding's action.
package struct SetPlan: Sendable {
  package enum Target: Sendable {
    case node(NodeID)
    /// The write sends an action; a field that keeps it is written first.
    case binding(ActionID, keeps: Bool)
  }

  package var target: Target
  /// The node of the target.
  package var node: NodeID
  /// The way to the part that is written: keys and positions. It is empty for the whole value.
  package var path: [DataPlan]
  package var value: DataPlan
}

/// A message to a reactor, or a value for a subject.
package struct SendPlan: Sendable {
  package enum Target: Sendable {
    case action(ActionID)
    case subject(StreamID)
    /// A WebSocket.
    case connection(ConnectionID)
    case program(ProgramID)
  }

  package var target: Target
  package var payload: DataPlan?
  package var range: SourceRange
}

/// An action that is sent, and whose end its sender waits for.
package struct AwaitPlan: Sendable {
  package var action: ActionID
  package var payload: DataPlan?
  package var range: SourceRange
}

/// A field or a list that is to be filled by a provider.
package struct LoadPlan: Sendable {
  package enum Target: Sendable {
    case node(NodeID)
    case list(ListID)
  }

  package var target: Target
  package var call: ProviderCallPlan
  package var range: SourceRange
}

/// A named event; it appears on its reactor's source, if there is one, and on the run-wide one.
package struct EmitPlan: Sendable {
  package var name: String
  package var payload: DataPlan?
  package var sources: [SourceID]
}
