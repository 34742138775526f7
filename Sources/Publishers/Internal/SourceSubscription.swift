/// The subscription of a source that yields as much as it is asked for, at once.
///
/// It is called through a protocol, where a generic class would run code that is not compiled for
/// its types; the body is made where the types are known.
@usableFromInline
class SourceSubscription: Subscription {
  @exclusivity(unchecked) @usableFromInline final var demand = Demand.none
  @exclusivity(unchecked) @usableFromInline final var isOver = false
  @exclusivity(unchecked) @usableFromInline final var isDelivering = false
  @usableFromInline final let deliver: (SourceSubscription) -> Void

  @inlinable init(deliver: @escaping (SourceSubscription) -> Void) {
    self.deliver = deliver
  }

  @usableFromInline
  final func request(_ demand: Demand) {
    if demand == .none { return }
    self.demand += demand
    if isDelivering || isOver { return }
    isDelivering = true
    deliver(self)
    isDelivering = false
  }

  @usableFromInline
  final func cancel() { isOver = true }
}
