import Values

/// The node of `list.sortBy(x, key)`.
final class SortNode: Node {
  private let list: Node
  /// The local of the element.
  private let number: Int
  private let key: Node
  /// The cost of one key.
  private let weight: Int

  init(_ list: Node, _ number: Int, _ key: Node, weight: Int, _ span: Span) {
    self.list = list
    self.number = number
    self.key = key
    self.weight = weight
    super.init(span)
  }

  override func evaluate(_ frame: inout Frame) throws(CELFailure) -> Value {
    let value = try list.evaluate(&frame)
    guard case .list(let elements) = value else {
      throw list.failure(CELFault("no such overload: `sortBy` sorts a list, not \(value.article)"))
    }
    var keys: [Value] = []
    keys.reserveCapacity(elements.count)
    for element in elements {
      try pay(&frame)
      frame.locals[number] = element
      keys.append(try key.evaluate(&frame))
    }
    do throws(CELFault) {
      try frame.meter.make(elements: elements.count)
      return .list(try ListFunctions.order(of: keys, &frame.meter).map { elements[$0] })
    } catch {
      throw failure(error)
    }
  }

  private func pay(_ frame: inout Frame) throws(CELFailure) {
    do {
      try frame.meter.spend(weight)
    } catch {
      throw failure(error)
    }
  }
}
