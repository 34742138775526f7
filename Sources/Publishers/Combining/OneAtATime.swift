extension Publisher {
  /// Makes a publisher of each value and passes the values of one after the other; what comes while
  /// one runs waits. A failure of this one does not wait.
  @inlinable
  public func concatMap<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> FlatMap<Buffer<Self>, P> where P.Failure == Failure {
    buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest)
      .flatMap(maxPublishers: .max(1), transform)
  }

  /// Makes a publisher of each value and passes its values; what comes while one runs is dropped.
  @inlinable
  public func exhaustMap<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> FlatMap<Lossy<Self>, P> where P.Failure == Failure {
    Lossy(upstream: self).flatMap(maxPublishers: .max(1), transform)
  }

  /// Makes a publisher of each value and passes the values of the latest; the one before is
  /// cancelled.
  @inlinable
  public func switchMap<P: Publisher>(
    _ transform: @escaping (Output) -> P
  ) -> SwitchToLatest<Map<Self, P>> where P.Failure == Failure {
    SwitchToLatest(upstream: map(transform))
  }
}
