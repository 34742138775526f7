// Combine has a type for each number of merged publishers. Here they are merges of merges.

/// A merge of three publishers.
public typealias Merge3<
  A: Publisher, B: Publisher<A.Output, A.Failure>, C: Publisher<A.Output, A.Failure>
> = Merge<Merge<A, B>, C>

/// A merge of four publishers.
public typealias Merge4<
  A: Publisher, B: Publisher<A.Output, A.Failure>, C: Publisher<A.Output, A.Failure>,
  D: Publisher<A.Output, A.Failure>
> = Merge<Merge<A, B>, Merge<C, D>>

/// A merge of five publishers.
public typealias Merge5<
  A: Publisher, B: Publisher<A.Output, A.Failure>, C: Publisher<A.Output, A.Failure>,
  D: Publisher<A.Output, A.Failure>, E: Publisher<A.Output, A.Failure>
> = Merge<Merge4<A, B, C, D>, E>

/// A merge of six publishers.
public typealias Merge6<
  A: Publisher, B: Publisher<A.Output, A.Failure>, C: Publisher<A.Output, A.Failure>,
  D: Publisher<A.Output, A.Failure>, E: Publisher<A.Output, A.Failure>,
  F: Publisher<A.Output, A.Failure>
> = Merge<Merge4<A, B, C, D>, Merge<E, F>>

/// A merge of seven publishers.
public typealias Merge7<
  A: Publisher, B: Publisher<A.Output, A.Failure>, C: Publisher<A.Output, A.Failure>,
  D: Publisher<A.Output, A.Failure>, E: Publisher<A.Output, A.Failure>,
  F: Publisher<A.Output, A.Failure>, G: Publisher<A.Output, A.Failure>
> = Merge<Merge4<A, B, C, D>, Merge3<E, F, G>>

/// A merge of eight publishers.
public typealias Merge8<
  A: Publisher, B: Publisher<A.Output, A.Failure>, C: Publisher<A.Output, A.Failure>,
  D: Publisher<A.Output, A.Failure>, E: Publisher<A.Output, A.Failure>,
  F: Publisher<A.Output, A.Failure>, G: Publisher<A.Output, A.Failure>,
  H: Publisher<A.Output, A.Failure>
> = Merge<Merge4<A, B, C, D>, Merge4<E, F, G, H>>

extension Merge {
  /// Creates a merge of three publishers.
  public init<P, Q>(_ p: P, _ q: Q, _ r: B) where A == Merge<P, Q> { self.init(A(p, q), r) }

  /// Creates a merge of four publishers.
  public init<P, Q, R, S>(_ p: P, _ q: Q, _ r: R, _ s: S)
  where A == Merge<P, Q>, B == Merge<R, S> { self.init(A(p, q), B(r, s)) }

  /// Creates a merge of five publishers.
  public init<P, Q, R, S>(_ p: P, _ q: Q, _ r: R, _ s: S, _ t: B)
  where A == Merge4<P, Q, R, S> { self.init(A(p, q, r, s), t) }

  /// Creates a merge of six publishers.
  public init<P, Q, R, S, T, U>(_ p: P, _ q: Q, _ r: R, _ s: S, _ t: T, _ u: U)
  where A == Merge4<P, Q, R, S>, B == Merge<T, U> { self.init(A(p, q, r, s), B(t, u)) }

  /// Creates a merge of seven publishers.
  public init<P, Q, R, S, T, U, V>(_ p: P, _ q: Q, _ r: R, _ s: S, _ t: T, _ u: U, _ v: V)
  where A == Merge4<P, Q, R, S>, B == Merge3<T, U, V> { self.init(A(p, q, r, s), B(t, u, v)) }

  /// Creates a merge of eight publishers.
  public init<P, Q, R, S, T, U, V, W>(
    _ p: P, _ q: Q, _ r: R, _ s: S, _ t: T, _ u: U, _ v: V, _ w: W
  ) where A == Merge4<P, Q, R, S>, B == Merge4<T, U, V, W> {
    self.init(A(p, q, r, s), B(t, u, v, w))
  }
}

extension Publisher {
  /// Emits the values of three publishers as they come; see `merge(with:)`.
  public func merge<P, Q>(with p: P, _ q: Q) -> Merge3<Self, P, Q> { Merge(Merge(self, p), q) }

  /// Emits the values of four publishers as they come; see `merge(with:)`.
  public func merge<P, Q, R>(with p: P, _ q: Q, _ r: R) -> Merge4<Self, P, Q, R> {
    Merge(Merge(self, p), Merge(q, r))
  }

  /// Emits the values of five publishers as they come; see `merge(with:)`.
  public func merge<P, Q, R, T>(
    with p: P, _ q: Q, _ r: R, _ t: T
  ) -> Merge5<Self, P, Q, R, T> { Merge(merge(with: p, q, r), t) }

  /// Emits the values of six publishers as they come; see `merge(with:)`.
  public func merge<P, Q, R, T, U>(
    with p: P, _ q: Q, _ r: R, _ t: T, _ u: U
  ) -> Merge6<Self, P, Q, R, T, U> { Merge(merge(with: p, q, r), Merge(t, u)) }

  /// Emits the values of seven publishers as they come; see `merge(with:)`.
  public func merge<P, Q, R, T, U, V>(
    with p: P, _ q: Q, _ r: R, _ t: T, _ u: U, _ v: V
  ) -> Merge7<Self, P, Q, R, T, U, V> { Merge(merge(with: p, q, r), t.merge(with: u, v)) }

  /// Emits the values of eight publishers as they come; see `merge(with:)`.
  public func merge<P, Q, R, T, U, V, W>(
    with p: P, _ q: Q, _ r: R, _ t: T, _ u: U, _ v: V, _ w: W
  ) -> Merge8<Self, P, Q, R, T, U, V, W> { Merge(merge(with: p, q, r), t.merge(with: u, v, w)) }
}
