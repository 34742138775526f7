import StateGraph
import Testing

@Suite struct TransactionTests {
  private struct Refusal: Error {}
  private struct Opaque { var x = 0 }

  private let graph = Graph()

  @Test func `all writes of a transaction are one change, and are seen inside`() {
    let a = graph.stored(1)
    let b = graph.stored(2)
    let sum = graph.computed { _ in a.value + b.value }
    var heard: [Int] = []
    let token = graph.observe(sum) { heard.append($0) }
    let inside = graph.transaction {
      a.set(10)
      #expect(a.value == 10)
      b.set(20)
      return sum.value
    }
    #expect(inside == 30)
    #expect(heard == [3, 30])
    #expect(graph.recomputeCount(of: sum) == 2)
    token.cancel()
  }

  @Test func `a value that is taken back inside causes nothing`() {
    let a = graph.stored(1)
    let sum = graph.computed { _ in a.value + 1 }
    var heard: [Int] = []
    let tokens = [
      graph.observe(a) { heard.append($0) }, graph.observe(sum) { heard.append($0) },
    ]
    graph.transaction {
      a.set(5)
      #expect(a.value == 5)
      a.set(1)
    }
    #expect(heard == [1, 2])
    #expect(graph.recomputeCount(of: sum) == 1)
    AnyCancellable(tokens).cancel()
  }

  @Test func `a value taken back after it was used is recomputed but not delivered`() {
    let a = graph.stored(1)
    let sum = graph.computed { _ in a.value + 1 }
    var heard: [Int] = []
    let token = graph.observe(sum) { heard.append($0) }
    graph.transaction {
      a.set(5)
      #expect(sum.value == 6)
      a.set(1)
    }
    #expect(heard == [2])
    a.set(5)
    #expect(heard == [2, 6])
    token.cancel()
  }

  @Test func `a transaction that throws leaves no trace`() {
    let a = graph.stored(1)
    let opaque = graph.stored(Opaque(x: 1))
    let sum = graph.computed { _ in a.value + opaque.value.x }
    var heard: [Int] = []
    var opaques = 0
    let tokens = [
      graph.observe(sum) { heard.append($0) }, graph.observe(opaque) { _ in opaques += 1 },
    ]
    #expect(throws: Refusal.self) {
      try graph.transaction {
        a.set(10)
        a.set(11)
        opaque.set(Opaque(x: 5))
        throw Refusal()
      }
    }
    #expect(a.value == 1)
    #expect(opaque.value.x == 1)
    #expect(heard == [2])
    #expect(opaques == 1)
    #expect(graph.recomputeCount(of: sum) == 1)
    a.set(2)
    #expect(heard == [2, 3])
    AnyCancellable(tokens).cancel()
  }

  @Test func `what was computed from a value that is rolled back is computed again`() {
    let a = graph.stored(1)
    let twice = graph.computed { _ in a.value * 2 }
    #expect(twice.value == 2)
    #expect(throws: Refusal.self) {
      try graph.transaction {
        a.set(10)
        #expect(twice.value == 20)
        throw Refusal()
      }
    }
    #expect(twice.value == 2)
  }

  @Test func `a transaction in another is a savepoint`() {
    let a = graph.stored("a")
    let b = graph.stored("b")
    var heard: [String] = []
    let tokens = [
      graph.observe(a, initial: false) { heard.append($0) },
      graph.observe(b, initial: false) { heard.append($0) },
    ]
    graph.transaction {
      a.set("a1")
      try? graph.transaction {
        a.set("a2")
        b.set("b2")
        throw Refusal()
      }
      #expect(a.value == "a1")
      graph.transaction { b.set("b3") }
      #expect(heard.isEmpty)
    }
    #expect(heard == ["a1", "b3"])
    AnyCancellable(tokens).cancel()
  }

  @Test func `an outer transaction that throws takes the inner ones along`() {
    let a = graph.stored("a")
    #expect(throws: Refusal.self) {
      try graph.transaction {
        graph.transaction { a.set("a1") }
        a.set("a2")
        graph.transaction { a.set("a3") }
        throw Refusal()
      }
    }
    #expect(a.value == "a")
  }

  @Test func `a node that ends inside a transaction that throws is simply gone`() {
    let a = graph.stored(1)
    #expect(throws: Refusal.self) {
      try graph.transaction {
        do {
          let passing = graph.stored("passing")
          passing.set("changed")
          a.set(2)
        }
        let next = graph.stored(7)
        next.set(8)
        throw Refusal()
      }
    }
    #expect(a.value == 1)
    #expect(graph.nodeCount == 1)
  }

  @Test func `a transaction inside a handler is delivered in the next turn`() {
    let a = graph.stored(0)
    let b = graph.stored(0)
    let c = graph.stored(0)
    let sum = graph.computed { _ in b.value + c.value }
    var heard: [Int] = []
    let tokens = [
      graph.observe(a, initial: false) { value in
        graph.transaction {
          b.set(value)
          c.set(value)
        }
        #expect(heard.isEmpty)
      },
      graph.observe(sum, initial: false) { heard.append($0) },
    ]
    a.set(4)
    #expect(heard == [8])
    AnyCancellable(tokens).cancel()
  }

  @Test func `a comparison is asked once for all writes of a transaction`() {
    var asked: [[Int]] = []
    let x = graph.stored(
      0,
      areEqual: { left, right in
        asked.append([left, right])
        return abs(left - right) < 2
      })
    var heard: [Int] = []
    let token = graph.observe(x) { heard.append($0) }
    graph.transaction {
      for value in 1...3 { x.set(value) }
      #expect(x.value == 3)
    }
    #expect(asked == [[0, 3]])
    graph.transaction { x.set(4) }
    #expect(x.value == 3)
    #expect(asked == [[0, 3], [3, 4]])
    #expect(heard == [0, 3])
    try? graph.transaction {
      x.set(9)
      throw Refusal()
    }
    #expect(x.value == 3)
    #expect(asked.count == 2)
    x.set(7)
    #expect(heard == [0, 3, 7])
    token.cancel()
  }
}
