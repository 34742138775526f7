import Events
import Values
import World

/// The actions of the programs of a recorded run. A replay starts none of them.
package struct RecordedPrograms: Sendable {
  /// Something that a program did.
  package enum Act: Sendable {
    /// It was ready, so that the first step may begin.
    case becomesReady
    case writes(Value, ProgramPipe)
    /// It wrote a line with more bytes than a line may have. A trace does not have it.
    case writesTooLong
    case exits(ProgramEnd)
    /// It ended before it was ready. The run stopped there, and has no event of the end.
    case exitsBeforeReady(ProgramEnd)
  }

  package typealias Input = RecordedAct<Act>

  /// One program of the trace.
  package struct Program: Sendable {
    package var inputs: [Input] = []
    /// The times at which the scenario wrote to it, or sent a signal.
    package var sent = RisingTimes()
    /// The number of these after which it read no more; nil if the trace does not say.
    package var closesInputAfter: Int?
    package var port: Int?
    /// The temporary folder that it had.
    package var folder: String?
    /// False if the program could not be started.
    package var isStarted = true

    package init() {}
  }

  /// The programs in the order of the plan.
  package var all: [Program]

  package init(_ all: [Program]) { self.all = all }
}

/// The place at which others reached the mock of an endpoint.
package struct RecordedAddress: Sendable {
  package var http: String
  package var webSocket: String

  package init(http: String, webSocket: String) {
    self.http = http
    self.webSocket = webSocket
  }
}
