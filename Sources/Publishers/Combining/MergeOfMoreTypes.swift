extension Publisher {
  /// Emits the values of five publishers as they come; see `merge(with:)`.
  public func merge<P: Publisher, Q: Publisher, R: Publisher, T: Publisher>(
    with p: P, _ q: Q, _ r: R, _ t: T
  ) -> Merge<Merge<Merge<Self, P>, Merge<Q, R>>, T>
  where
    P.Output == Output, Q.Output == Output, R.Output == Output, T.Output == Output,
    P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure, T.Failure == Failure
  {
    Merge(merge(with: p, q, r), t)
  }

  /// Emits the values of six publishers as they come; see `merge(with:)`.
  public func merge<P: Publisher, Q: Publisher, R: Publisher, T: Publisher, U: Publisher>(
    with p: P, _ q: Q, _ r: R, _ t: T, _ u: U
  ) -> Merge<Merge<Merge<Self, P>, Merge<Q, R>>, Merge<T, U>>
  where
    P.Output == Output, Q.Output == Output, R.Output == Output, T.Output == Output,
    U.Output == Output, P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure,
    T.Failure == Failure, U.Failure == Failure
  {
    Merge(merge(with: p, q, r), Merge(t, u))
  }

  /// Emits the values of seven publishers as they come; see `merge(with:)`.
  public func merge<
    P: Publisher, Q: Publisher, R: Publisher, T: Publisher, U: Publisher, V: Publisher
  >(
    with p: P, _ q: Q, _ r: R, _ t: T, _ u: U, _ v: V
  ) -> Merge<Merge<Merge<Self, P>, Merge<Q, R>>, Merge<Merge<T, U>, V>>
  where
    P.Output == Output, Q.Output == Output, R.Output == Output, T.Output == Output,
    U.Output == Output, V.Output == Output, P.Failure == Failure, Q.Failure == Failure,
    R.Failure == Failure, T.Failure == Failure, U.Failure == Failure, V.Failure == Failure
  {
    Merge(merge(with: p, q, r), t.merge(with: u, v))
  }

  /// Emits the values of eight publishers as they come; see `merge(with:)`.
  public func merge<
    P: Publisher, Q: Publisher, R: Publisher, T: Publisher, U: Publisher, V: Publisher,
    W: Publisher
  >(
    with p: P, _ q: Q, _ r: R, _ t: T, _ u: U, _ v: V, _ w: W
  ) -> Merge<Merge<Merge<Self, P>, Merge<Q, R>>, Merge<Merge<T, U>, Merge<V, W>>>
  where
    P.Output == Output, Q.Output == Output, R.Output == Output, T.Output == Output,
    U.Output == Output, V.Output == Output, W.Output == Output, P.Failure == Failure,
    Q.Failure == Failure, R.Failure == Failure, T.Failure == Failure, U.Failure == Failure,
    V.Failure == Failure, W.Failure == Failure
  {
    Merge(merge(with: p, q, r), t.merge(with: u, v, w))
  }
}
