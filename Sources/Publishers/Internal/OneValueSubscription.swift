/// The subscription of a source with one value, which it emits when it is asked.
@usableFromInline final class OneValueSubscription<Downstream: Subscriber>: SourceSubscription {
  @usableFromInline let downstream: Downstream
  @usableFromInline let output: Downstream.Input

  @inlinable init(_ downstream: Downstream, _ output: Downstream.Input) {
    self.downstream = downstream
    self.output = output
    super.init { unsafeDowncast($0, to: OneValueSubscription<Downstream>.self).yield() }
  }

  @inlinable func yield() {
    _ = downstream.receive(output)
    if isOver { return }
    isOver = true
    downstream.receive(completion: .finished)
  }
}
