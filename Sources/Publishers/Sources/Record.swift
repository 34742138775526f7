/// Emits recorded values, as many as are asked for, and then the recorded end.
public struct Record<Output, Failure: Error>: Publisher {
  /// The values and the end of a publisher.
  public struct Recording {
    /// The values, in their order.
    public private(set) var output: [Output]
    /// The end; it is `finished` until another one is recorded.
    public private(set) var completion: Completion<Failure>

    /// Makes a recording.
    public init(output: [Output] = [], completion: Completion<Failure> = .finished) {
      self.output = output
      self.completion = completion
    }

    /// Records a value.
    public mutating func receive(_ input: Output) { output.append(input) }

    /// Records the end.
    public mutating func receive(completion: Completion<Failure>) { self.completion = completion }
  }

  /// The emitted values and their end.
  public let recording: Recording

  /// Makes a publisher of a recording.
  public init(recording: Recording) { self.recording = recording }

  /// Makes a publisher of values and an end.
  public init(output: [Output], completion: Completion<Failure>) {
    self.init(recording: Recording(output: output, completion: completion))
  }

  /// Makes a publisher of what the closure records.
  public init(record: (inout Recording) -> Void) {
    var recording = Recording()
    record(&recording)
    self.init(recording: recording)
  }

  /// Attaches a subscriber, which receives its subscription first.
  public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    let values = SequencePublisher<[Output], Failure>(sequence: recording.output)
    switch recording.completion {
    case .finished: values.attach(subscriber)
    case .failure(let error): values.append(Fail(error: error)).attach(subscriber)
    }
  }
}

extension Record: Encodable where Output: Encodable, Failure: Encodable {}
extension Record: Decodable where Output: Decodable, Failure: Decodable {}
extension Record.Recording: Encodable where Output: Encodable, Failure: Encodable {}
extension Record.Recording: Decodable where Output: Decodable, Failure: Decodable {}
extension Record: Sendable where Output: Sendable {}
extension Record.Recording: Sendable where Output: Sendable {}
extension Record: Equatable where Output: Equatable, Failure: Equatable {}
extension Record.Recording: Equatable where Output: Equatable, Failure: Equatable {}
