extension Publisher {
  /// Goes on with the publisher that the handler makes of a failure, or fails with what it throws.
  public func tryCatch<P: Publisher>(
    _ handler: @escaping (Failure) throws -> P
  ) -> Catch<Self, AnyPublisher<Output, any Error>> where P.Output == Output {
    self.catch { failure in
      do {
        return try handler(failure).eraseFailure().eraseToAnyPublisher()
      } catch {
        return Fail(error: error).eraseToAnyPublisher()
      }
    }
  }
}
