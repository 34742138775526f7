import Publishers
import ScenarioPlan
import Values
import VirtualTime

/// The way of a Swift publisher's or sequence's values into a source.
@MainActor
struct SourceFeed {
  let world: SubjectWorld
  let source: SourceID

  func emit(_ value: Any) { world.environment?.emit(source, Value(reflecting: value)) }

  func finish(_ error: (any Error)?) {
    world.environment?.finish(source, error.map { Value(reflecting: $0) })
  }
}

@MainActor
func feed<P: Publisher>(from publisher: P, to source: SourceFeed) -> AnyCancellable {
  publisher.sink(
    receiveCompletion: { end in
      switch end {
      case .finished: source.finish(nil)
      case .failure(let error): source.finish(error)
      }
    }, receiveValue: { source.emit($0) })
}

@MainActor
func feed<S: AsyncSequence>(from sequence: S, to source: SourceFeed) -> AnyCancellable {
  let task = VirtualExecutor.shared.startTask {
    do {
      for try await value in sequence { source.emit(value) }
      if !Task.isCancelled { source.finish(nil) }
    } catch {
      if !Task.isCancelled { source.finish(error) }
    }
  }
  return AnyCancellable { task.cancel() }
}
