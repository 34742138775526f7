// Combine has a type for each number of merged publishers. Here they are merges of merges, as
// `merge(with:)` makes them.

/// A merge of three publishers.
public typealias Merge3<A: Publisher, B: Publisher, C: Publisher> = Merge<Merge<A, B>, C>
where A.Output == B.Output, A.Failure == B.Failure, A.Output == C.Output, A.Failure == C.Failure

/// A merge of four publishers.
public typealias Merge4<A: Publisher, B: Publisher, C: Publisher, D: Publisher> =
  Merge<Merge<A, B>, Merge<C, D>>
where
  A.Output == B.Output, A.Failure == B.Failure, A.Output == C.Output, A.Failure == C.Failure,
  C.Output == D.Output, C.Failure == D.Failure

/// A merge of five publishers.
public typealias Merge5<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher> =
  Merge<Merge4<A, B, C, D>, E>
where
  A.Output == B.Output, A.Failure == B.Failure, A.Output == C.Output, A.Failure == C.Failure,
  C.Output == D.Output, C.Failure == D.Failure, A.Output == E.Output, A.Failure == E.Failure

/// A merge of six publishers.
public typealias Merge6<
  A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher
> = Merge<Merge4<A, B, C, D>, Merge<E, F>>
where
  A.Output == B.Output, A.Failure == B.Failure, A.Output == C.Output, A.Failure == C.Failure,
  C.Output == D.Output, C.Failure == D.Failure, A.Output == E.Output, A.Failure == E.Failure,
  E.Output == F.Output, E.Failure == F.Failure

/// A merge of seven publishers.
public typealias Merge7<
  A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher,
  G: Publisher
> = Merge<Merge4<A, B, C, D>, Merge3<E, F, G>>
where
  A.Output == B.Output, A.Failure == B.Failure, A.Output == C.Output, A.Failure == C.Failure,
  C.Output == D.Output, C.Failure == D.Failure, A.Output == E.Output, A.Failure == E.Failure,
  E.Output == F.Output, E.Failure == F.Failure, E.Output == G.Output, E.Failure == G.Failure

/// A merge of eight publishers.
public typealias Merge8<
  A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher,
  G: Publisher, H: Publisher
> = Merge<Merge4<A, B, C, D>, Merge4<E, F, G, H>>
where
  A.Output == B.Output, A.Failure == B.Failure, A.Output == C.Output, A.Failure == C.Failure,
  C.Output == D.Output, C.Failure == D.Failure, A.Output == E.Output, A.Failure == E.Failure,
  E.Output == F.Output, E.Failure == F.Failure, E.Output == G.Output, E.Failure == G.Failure,
  G.Output == H.Output, G.Failure == H.Failure

extension Merge {
  /// Creates a merge of three publishers.
  @inlinable
  public init<P, Q>(_ p: P, _ q: Q, _ r: B) where A == Merge<P, Q> { self.init(A(p, q), r) }

  /// Creates a merge of four publishers.
  @inlinable
  public init<P, Q, R, S>(_ p: P, _ q: Q, _ r: R, _ s: S)
  where A == Merge<P, Q>, B == Merge<R, S> { self.init(A(p, q), B(r, s)) }

  /// Creates a merge of five publishers.
  @inlinable
  public init<P, Q, R, S>(_ p: P, _ q: Q, _ r: R, _ s: S, _ t: B)
  where A == Merge4<P, Q, R, S> { self.init(A(p, q, r, s), t) }

  /// Creates a merge of six publishers.
  @inlinable
  public init<P, Q, R, S, T, U>(_ p: P, _ q: Q, _ r: R, _ s: S, _ t: T, _ u: U)
  where A == Merge4<P, Q, R, S>, B == Merge<T, U> { self.init(A(p, q, r, s), B(t, u)) }

  /// Creates a merge of seven publishers.
  @inlinable
  public init<P, Q, R, S, T, U, V>(_ p: P, _ q: Q, _ r: R, _ s: S, _ t: T, _ u: U, _ v: V)
  where A == Merge4<P, Q, R, S>, B == Merge3<T, U, V> { self.init(A(p, q, r, s), B(t, u, v)) }

  /// Creates a merge of eight publishers.
  @inlinable
  public init<P, Q, R, S, T, U, V, W>(
    _ p: P, _ q: Q, _ r: R, _ s: S, _ t: T, _ u: U, _ v: V, _ w: W
  ) where A == Merge4<P, Q, R, S>, B == Merge4<T, U, V, W> {
    self.init(A(p, q, r, s), B(t, u, v, w))
  }
}
