import ScenarioPlan
import Values

/// The streams of one run.
final class LiveStreams {
  func send(_ value: Value, to stream: StreamID) {}

  func finish(_ stream: StreamID) {}
}
