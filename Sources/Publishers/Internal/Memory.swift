/// The state that an operator keeps for one subscriber.
@usableFromInline final class Memory<Kept> {
  @exclusivity(unchecked) @usableFromInline var kept: Kept

  @inlinable init(_ kept: Kept) { self.kept = kept }
}
