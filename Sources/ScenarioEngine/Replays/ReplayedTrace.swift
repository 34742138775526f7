import Events
import ScenarioPlan
import Values

/// The actions of the other side of a scenario's conversations in a trace, for a replay.
package struct ReplayedTrace: Sendable {
  /// Something that the other side sent on a connection, or how it ended it.
  package struct Input: Sendable {
    package var kind: Traffic.Kind
    package var time: Microseconds
    /// The number of messages that the running side had sent to the endpoint; nil if it does not
    /// count.
    package var seen: Int?
    /// The place among the lines of the trace.
    package var position: Int
    /// The event that it answers, if times are relative.
    package var answersTo: Answered
    /// False if the line before it is what our side sent, and its arrival came behind it.
    package var awaitsArrivals = true

    package init(
      _ kind: Traffic.Kind, time: Microseconds, seen: Int?, position: Int,
      answersTo: Answered = Answered(place: 0, time: 0)
    ) {
      self.kind = kind
      self.time = time
      self.seen = seen
      self.position = position
      self.answersTo = answersTo
    }
  }

  /// Something that a client sent, to which an input answers.
  package struct Answered: Sendable {
    /// The place among the arrivals of its exchange; 0 is the request.
    package var place: Int
    package var time: Microseconds

    package init(place: Int, time: Microseconds) { (self.place, self.time) = (place, time) }
  }

  /// Something that the script of a mock set or emitted because of what a client sent.
  package struct Effect: Sendable {
    /// The node that was set, or the source that emitted.
    package var target: SourceID
    package var value: Value
    package var time: Microseconds
    package var position: Int

    package init(target: SourceID, value: Value, time: Microseconds, position: Int) {
      self.target = target
      self.value = value
      self.time = time
      self.position = position
    }
  }

  /// Something that a client sent, and when its endpoint emitted it.
  package struct Arrival: Sendable {
    package enum Emission: Sendable {
      /// When it was sent.
      case atOnce
      /// Later, as an event of its own.
      case later(Value, at: Microseconds, position: Int)
      /// It got lost.
      case never
    }

    package var time: Microseconds
    package var emission: Emission
    package var effects: [Effect]

    package init(time: Microseconds, emission: Emission, effects: [Effect]) {
      self.time = time
      self.emission = emission
      self.effects = effects
    }
  }

  /// The times at which inputs come.
  package enum Timing: Sendable {
    /// The recorded ones, in the order of the trace.
    case recorded
    /// As long after what they answer to as in the recording.
    case relative
  }

  /// By endpoint: the times of all that our side sent and that counts.
  package var sent: PerID<EndpointPlan, RisingTimes>
  /// The times of all lines; empty in virtual time, where nothing asks for them.
  package var times: RisingTimes
  /// True if the times are those of a run in virtual time, and thus exact.
  package var isVirtual: Bool
  package var timing = Timing.recorded
  /// The visits of outside clients; nil if the scenario had all clients.
  package var visits: RecordedVisits?
  /// The endpoints whose side is played; nil stands for all of them.
  package var played: Set<EndpointID>?
  /// The actions of the programs; nil if no program ran.
  package var programs: RecordedPrograms?
  /// By endpoint: where others reached its mock.
  package var addresses: [EndpointID: RecordedAddress] = [:]

  package init(
    sent: PerID<EndpointPlan, RisingTimes>, times: RisingTimes, isVirtual: Bool
  ) {
    self.sent = sent
    self.times = times
    self.isVirtual = isVirtual
  }
}

extension ReplayedTrace {
  /// Returns the endpoints whose links did what they did in the trace.
  func replayedLinks(of plan: ScenarioPlan) -> Set<EndpointID> {
    guard let visits else { return Set(plan.endpoints.indices) }
    return visits.serving == nil ? Set(plan.endpoints.indices) : played ?? []
  }
}

/// The answer of a trace to a request.
package enum ExchangeChoice {
  case exchange(PlayedExchange)
  /// Nobody answers. What compares the run with its trace says why.
  case unanswered
  /// The request is answered by 404 and fails the scenario.
  case unknown(TracedRequest)
}

/// The comparison of a replay with its trace, which knows how far it has come.
package protocol ReplayGuide: AnyObject {
  /// Chooses the recorded exchange of the next request on a connection.
  func choose(
    for request: Exchange.Request, at endpoint: EndpointID, connection: Int
  ) -> ExchangeChoice
  /// The place of the first line that has not happened again. What was recorded later waits for it.
  var reached: Int { get }
  /// Takes what `now()` gave here in a run in real time; nil if the trace does not have it.
  func takeCalendarTime() -> Timestamp?
  /// True if nothing more is to be seen, so that the run ends.
  var isOver: Bool { get }
}
