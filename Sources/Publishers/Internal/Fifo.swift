/// Values that wait in order; taking from the front costs the same however many wait.
@frozen
@usableFromInline struct Fifo<Element> {
  @usableFromInline var items: [Element?] = []
  @usableFromInline var head = 0

  @inlinable init() {}

  @inlinable var isEmpty: Bool { head == items.count }
  @inlinable var count: Int { items.count - head }

  @inlinable mutating func append(_ item: Element) { items.append(item) }

  @inlinable mutating func popFirst() -> Element? {
    guard head < items.count else { return nil }
    let item = items[head]
    items[head] = nil
    head += 1
    if head == items.count {
      items.removeAll(keepingCapacity: true)
      head = 0
    } else if head > 64, head * 2 > items.count {
      items.removeFirst(head)
      head = 0
    }
    return item
  }

  @inlinable mutating func removeAll() {
    items = []
    head = 0
  }
}
