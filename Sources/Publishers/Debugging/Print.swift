#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension Publisher {
  /// Writes a line for each event that passes, such as `numbers: receive value: (1)`. A request is
  /// `request max: (2)` or `request unlimited`, with `(synchronous)` if it is the answer to a
  /// value. The lines go to standard output, or to `stream`. A stream that is a value is copied:
  /// make it a class to read what was written.
  public func print(_ prefix: String = "", to stream: (any TextOutputStream)? = nil)
    -> HandleEvents<Self>
  {
    let head = prefix.isEmpty ? "" : prefix + ": "
    var stream = stream
    let write: (String) -> Void = { line in
      if stream == nil { Swift.print(head + line) } else { stream?.write(head + line + "\n") }
    }
    return HandleEvents(
      upstream: self,
      handlers: EventHandlers(
        onSubscription: { write("receive subscription: (\($0))") },
        onOutput: { write("receive value: (\($0))") },
        onCompletion: { completion in
          switch completion {
          case .finished: write("receive finished")
          case .failure(let error): write("receive error: (\(error))")
          }
        },
        onCancel: { write("receive cancel") },
        onRequest: { write("request \(line(of: $0))") },
        onAnswer: { write("request \(line(of: $0)) (synchronous)") }))
  }

  private func line(of demand: Demand) -> String {
    demand.max.map { "max: (\($0))" } ?? "unlimited"
  }

  /// Stops the program in a debugger when one of the closures returns true.
  public func breakpoint(
    receiveSubscription: ((any Subscription) -> Bool)? = nil,
    receiveOutput: ((Output) -> Bool)? = nil,
    receiveCompletion: ((Completion<Failure>) -> Bool)? = nil
  ) -> HandleEvents<Self> {
    handleEvents(
      receiveSubscription: { if receiveSubscription?($0) == true { raise(SIGTRAP) } },
      receiveOutput: { if receiveOutput?($0) == true { raise(SIGTRAP) } },
      receiveCompletion: { if receiveCompletion?($0) == true { raise(SIGTRAP) } })
  }

  /// Stops the program in a debugger when upstream fails.
  public func breakpointOnError() -> HandleEvents<Self> {
    breakpoint(receiveCompletion: { if case .failure = $0 { true } else { false } })
  }

  /// Passes the values, and stops the program if upstream fails.
  public func assertNoFailure(
    _ prefix: String = "", file: StaticString = #file, line: UInt = #line
  ) -> Catch<Self, Empty<Output, Never>> {
    self.catch { error in
      fatalError("\(prefix.isEmpty ? "" : prefix + ": ")\(error)", file: file, line: line)
    }
  }
}
