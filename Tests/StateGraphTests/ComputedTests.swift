import StateGraph
import Testing

@Suite struct ComputedTests {
  private let graph = Graph()

  @Test func `a rule that nobody reads never runs`() {
    let source = graph.stored(0)
    let double = graph.computed { _ in source.value * 2 }
    for value in 1...3 { source.set(value) }
    #expect(graph.recomputeCount(of: double) == 0)
    #expect(double.value == 6)
    #expect(graph.recomputeCount(of: double) == 1)
  }

  @Test func `reading twice without a change runs the rule once`() {
    let source = graph.stored(1)
    let double = graph.computed { _ in source.value * 2 }
    #expect(double.value + double.value == 4)
    #expect(graph.recomputeCount(of: double) == 1)
  }

  @Test func `several writes before a read are one evaluation, a read in between makes two`() {
    let source = graph.stored(0)
    let same = graph.computed { _ in source.value }
    _ = same.value
    for value in 1...3 { source.set(value) }
    #expect(same.value == 3)
    #expect(graph.recomputeCount(of: same) == 2)
    source.set(4)
    _ = same.value
    source.set(5)
    #expect(same.value == 5)
    #expect(graph.recomputeCount(of: same) == 4)
  }

  @Test func `computed nodes build on stored and on computed ones`() {
    let a = graph.stored(10)
    let b = graph.stored(20)
    let sum = graph.computed { _ in a.value + b.value }
    let twice = graph.computed { _ in sum.value * 2 }
    #expect(twice.value == 60)
    a.set(40)
    #expect(sum.value == 60)
    #expect(twice.value == 120)
  }

  @Test func `an equal result stops the wave`() {
    let source = graph.stored(0)
    let tens = graph.computed { _ in source.value / 10 }
    let next = graph.computed { _ in tens.value + 1 }
    for value in 1...9 {
      source.set(value)
      #expect(next.value == 1)
    }
    #expect(graph.recomputeCount(of: next) == 1)
    source.set(10)
    #expect(next.value == 2)
    #expect(graph.recomputeCount(of: next) == 2)
  }

  @Test func `in a diamond every node runs once per change and sees one state`() {
    let top = graph.stored(1)
    let left = graph.computed { _ in top.value + 1 }
    let right = graph.computed { _ in top.value * 10 }
    let bottom = graph.computed { _ in "\(left.value) \(right.value)" }
    #expect(bottom.value == "2 10")
    top.set(2)
    #expect(bottom.value == "3 20")
    for count in [
      graph.recomputeCount(of: left), graph.recomputeCount(of: right),
      graph.recomputeCount(of: bottom),
    ] { #expect(count == 2) }
  }

  @Test func `the branch that is not taken is no dependency`() {
    let condition = graph.stored(true)
    let source = graph.stored(1)
    let branch = graph.computed { _ in source.value * 2 }
    let choice = graph.computed { _ in condition.value ? branch.value : 0 }
    #expect(choice.value == 2)
    condition.set(false)
    #expect(choice.value == 0)
    source.set(5)
    #expect(choice.value == 0)
    #expect(graph.recomputeCount(of: branch) == 1)
    #expect(graph.recomputeCount(of: choice) == 2)
    #expect(branch.subscriberCount == 0)
    condition.set(true)
    #expect(choice.value == 10)
  }

  /// A condition guards a branch that must not be evaluated when it does not hold.
  @Test func `dependencies are checked in the order in which they were read`() {
    let index = graph.stored(0)
    let list = graph.stored(["a"])
    let isValid = graph.computed { _ in index.value < list.value.count }
    let element = graph.computed { _ in list.value[index.value] }
    let shown = graph.computed { _ in isValid.value ? element.value : "none" }
    #expect(shown.value == "a")
    graph.transaction {
      list.set([])
      index.set(3)
    }
    #expect(shown.value == "none")
    #expect(graph.recomputeCount(of: element) == 1)
  }

  @Test func `a change seen only by an inner read is not lost`() {
    let source = graph.stored(1)
    let second = graph.computed { _ in source.value * 10 }
    let first = graph.computed { _ in second.value > 0 }
    let last = graph.computed { _ in first.value ? second.value : -1 }
    #expect(last.value == 10)
    source.set(2)
    #expect(last.value == 20)
  }

  @Test func `reading a node several times in one rule is one dependency`() {
    let source = graph.stored(1)
    let sum = graph.computed { _ in source.value + source.value + source.value }
    #expect(sum.value == 3)
    source.set(2)
    #expect(sum.value == 6)
    #expect(graph.recomputeCount(of: sum) == 2)
    #expect(source.subscriberCount == 1)
  }

  @Test func `an untracked read uses the newest value but is no dependency`() {
    let source = graph.stored(1)
    let quiet = graph.stored(10)
    let sum = graph.computed { reader in source.value + reader.untracked { quiet.value } }
    let other = graph.computed { _ in source.value + quiet.untrackedValue }
    #expect([sum.value, other.value] == [11, 11])
    quiet.set(20)
    #expect([sum.value, other.value] == [11, 11])
    source.set(2)
    #expect([sum.value, other.value] == [22, 22])
    #expect(graph.recomputeCount(of: sum) == 2)
  }

  @Test func `nodes in a node are tracked where they are read`() {
    let nodes = graph.stored([Stored<Int>](), areEqual: { $0.count == $1.count })
    let big = graph.computed { _ in nodes.value.filter { $0.value > 5 }.count }
    nodes.set((0..<10).map { _ in graph.stored(10) })
    #expect(big.value == 10)
    nodes.wrappedValue.append(graph.stored(9))
    #expect(big.value == 11)
    nodes.value[0].set(1)
    #expect(big.value == 10)
  }

  @Test func `the values of many nodes are read and tracked like the nodes themselves`() {
    let nodes = (0..<5).map { graph.stored($0) }
    let values = NodeValues(nodes)
    let sum = graph.computed { _ in values.reduce(0, +) }
    #expect(sum.value == 10)
    nodes[3].set(13)
    #expect(sum.value == 20)
    #expect(nodes[0].subscriberCount == 1)
  }

  @Test func `a mapped node follows its source`() {
    let source = graph.stored(2)
    let text = source.map { "\($0)!" }
    #expect(text.value == "2!")
    source.set(3)
    #expect(text.value == "3!")
  }
}

@Suite struct EqualityTests {
  private struct Point: Equatable { var x = 0 }
  private struct Opaque { var x = 0 }
  private final class Box { var x = 0 }

  private let graph = Graph()

  private func notifications<Value>(of node: Stored<Value>, setting values: [Value]) -> Int {
    var count = 0
    let token = graph.observe(node, initial: false) { _ in count += 1 }
    for value in values { node.set(value) }
    token.cancel()
    return count
  }

  @Test func `equal content is no change`() {
    #expect(notifications(of: graph.stored(1), setting: [1, 1, 2, 2]) == 1)
    #expect(notifications(of: graph.stored(Point()), setting: [Point(), Point(x: 1)]) == 1)
    #expect(notifications(of: graph.stored([1]), setting: [[1], [1, 2], [1, 2]]) == 1)
  }

  @Test func `what cannot be compared changes with every assignment`() {
    #expect(notifications(of: graph.stored(Opaque()), setting: [Opaque(), Opaque()]) == 2)
  }

  @Test func `objects are the same when they are the same object`() {
    struct Holder { @GraphStored var box = Box() }
    let holder = Holder()
    var count = 0
    let token = withGraphTracking { holder.$box.onChange(initial: false) { _ in count += 1 } }
    holder.box = holder.box
    #expect(count == 0)
    holder.box = Box()
    #expect(count == 1)
    token.cancel()
  }

  @Test func `equality is the comparator's business`() {
    let node = graph.stored(Double.nan, areEqual: { $0 == $1 || ($0.isNaN && $1.isNaN) })
    #expect(notifications(of: node, setting: [.nan, 1, 1, .nan]) == 2)
    #expect(notifications(of: graph.stored(Double.nan), setting: [.nan]) == 1)
  }

  @Test func `a rule follows exactly what it read last, in any order`() {
    let inputs = (0..<5).map { graph.stored($0) }
    let picks = graph.stored([Int]())
    let sum = graph.computed { _ in picks.value.reduce(0) { $0 + inputs[$1].value } }
    let orders = [
      [], [0], [0, 1, 2], [2, 1, 0], [1], [3, 1, 4, 0], [1, 4], [4], [], [4, 4, 3], [0, 3, 4],
      [2, 0, 3, 4], [2, 0], [2, 1, 0, 4, 3], [3, 4],
    ]
    for order in orders {
      picks.set(order)
      #expect(sum.value == order.reduce(0) { $0 + inputs[$1].value })
      #expect(graph.edgeCount == 1 + Set(order).count)
      for (index, input) in inputs.enumerated() {
        #expect(input.subscriberCount == (order.contains(index) ? 1 : 0))
        input.set(input.untrackedValue + 10)
      }
      #expect(sum.value == order.reduce(0) { $0 + inputs[$1].value })
    }
  }

  @Test func `a computed node that cannot be compared notifies with every evaluation`() {
    let source = graph.stored(0)
    let opaque = graph.computed { _ in Opaque(x: source.value / 10) }
    var count = 0
    let token = graph.observe(opaque, initial: false) { _ in count += 1 }
    for value in 1...3 { source.set(value) }
    #expect(count == 3)
    token.cancel()
  }
}
