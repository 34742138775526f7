import StateGraph
import Testing

@Suite struct ObserverTests {
  private let graph = Graph()

  @Test func `an observer hears the present value at once and then every real change`() {
    let source = graph.stored(10)
    var heard: [Int] = []
    let token = graph.observe(source) { heard.append($0) }
    #expect(heard == [10])
    for value in [20, 20, 30] { source.set(value) }
    #expect(heard == [10, 20, 30])
    token.cancel()
  }

  @Test func `without the initial call the present value is still what changes are compared with`()
  {
    let source = graph.stored(10)
    var heard: [Int] = []
    let token = graph.observe(source, initial: false) { heard.append($0) }
    source.set(10)
    #expect(heard.isEmpty)
    source.set(11)
    #expect(heard == [11])
    token.cancel()
  }

  @Test func `with delivery by hand a burst is one delivery of the last value`() {
    graph.flushesAutomatically = false
    let source = graph.stored(0)
    let isOdd = graph.computed { _ in source.value % 2 == 1 }
    var heard: [Int] = []
    var parity: [Bool] = []
    let tokens = [
      graph.observe(source) { heard.append($0) }, graph.observe(isOdd) { parity.append($0) },
    ]
    for value in 1...5 { source.set(value) }
    #expect(heard == [0])
    graph.flush()
    #expect(heard == [0, 5])
    #expect(parity == [false, true])
    AnyCancellable(tokens).cancel()
  }

  @Test func `changes that compensate each other are none`() {
    let a = graph.stored(1)
    let b = graph.stored(9)
    let sum = graph.computed { _ in a.value + b.value }
    var heard: [Int] = []
    let token = graph.observe(sum, initial: false) { heard.append($0) }
    graph.transaction {
      a.set(2)
      b.set(8)
    }
    #expect(heard.isEmpty)
    b.set(9)
    #expect(heard == [11])
    token.cancel()
  }

  @Test func `delivery is in the order of registration whatever the graph looks like`() {
    let source = graph.stored(0)
    let nodes = (0..<20).map { index in graph.computed { _ in source.value + index } }
    var heard: [Int] = []
    let order = [7, 3, 19, 0, 11, 5, 2, 18, 1, 4, 6, 8]
    let tokens = order.map { index in
      graph.observe(nodes[index], initial: false) { _ in heard.append(index) }
    }
    source.set(1)
    #expect(heard == order)
    AnyCancellable(tokens).cancel()
  }

  @Test(arguments: [(20, 0), (100, 0), (100, 10)])
  func `many observers are called in the order of registration`(count: Int, gap: Int) {
    let source = graph.stored(0)
    let nodes = (0..<count).map { index in graph.computed { _ in source.value + index } }
    for node in nodes { _ = node.value }
    var heard: [Int] = []
    let order = Array((0..<count).reversed())
    let tokens = order.map { index in
      for _ in 0..<gap { _ = graph.stored(0) }
      return graph.observe(nodes[index], initial: false) { _ in heard.append(index) }
    }
    source.set(1)
    #expect(heard == order)
    AnyCancellable(tokens).cancel()
  }

  @Test func `parents registered first are heard first`() {
    let source = graph.stored(0)
    let child = graph.computed { _ in source.value + 1 }
    let grandchild = graph.computed { _ in child.value + 1 }
    var heard: [String] = []
    let tokens = [
      graph.observe(source, initial: false) { heard.append("source \($0)") },
      graph.observe(child, initial: false) { heard.append("child \($0)") },
      graph.observe(grandchild, initial: false) { heard.append("grandchild \($0)") },
    ]
    source.set(1)
    #expect(heard == ["source 1", "child 2", "grandchild 3"])
    AnyCancellable(tokens).cancel()
  }

  @Test func `what a handler reads is not tracked`() {
    let source = graph.stored(0)
    let other = graph.stored(0)
    var heard: [Int] = []
    let token = graph.observe(source) { heard.append($0 + other.value) }
    other.set(100)
    #expect(heard == [0])
    source.set(1)
    #expect(heard == [0, 101])
    #expect(other.subscriberCount == 0)
    token.cancel()
  }

  @Test func `what a handler writes is the next turn`() {
    let a = graph.stored(0)
    let b = graph.stored(0)
    var log: [String] = []
    let tokens = [
      graph.observe(a) {
        log.append("a\($0)")
        if $0 == 1 {
          b.set(2)
          log.append("written, turn \(graph.turn)")
        }
      },
      graph.observe(b) { log.append("b\($0)" + (graph.turn > 0 ? ", turn \(graph.turn)" : "")) },
    ]
    a.set(1)
    #expect(log == ["a0", "b0", "a1", "written, turn 1", "b2, turn 2"])
    #expect(graph.turn == 0)
    #expect(graph.generation == 2)
    AnyCancellable(tokens).cancel()
  }

  @Test func `all handlers of a turn see the change that made it`() {
    let x = graph.stored(0)
    var heard: [Int] = []
    let tokens = [
      graph.observe(x, initial: false) { if $0 == 1 { x.set(2) } },
      graph.observe(x, initial: false) { heard.append($0) },
    ]
    x.set(1)
    #expect(heard == [1, 2])
    AnyCancellable(tokens).cancel()
  }

  @Test func `a handler that writes what it observes is not called for that, but stays`() {
    var diagnostics: [GraphDiagnostic] = []
    graph.onDiagnostic = { diagnostics.append($0) }
    let x = graph.stored(0, name: "x")
    var own: [Int] = []
    var peer: [Int] = []
    let tokens = [
      graph.observe(x, initial: false) {
        own.append($0)
        if $0 == 20 { x.set(21) }
      },
      graph.observe(x, initial: false) { peer.append($0) },
    ]
    x.set(20)
    #expect(x.value == 21)
    #expect(own == [20])
    #expect(peer == [20, 21])
    #expect(diagnostics == [.selfWrite(node: "x")])
    x.set(20)
    #expect(own == [20, 20])
    x.set(5)
    #expect(own == [20, 20, 5])
    AnyCancellable(tokens).cancel()
  }

  @Test func `a handler that writes behind what it observes stays subscribed too`() {
    let x = graph.stored(0)
    let twice = graph.computed { _ in x.value * 2 }
    var own: [Int] = []
    let token = graph.observe(twice, initial: false) {
      own.append($0)
      if $0 == 2 { x.set(10) }
    }
    x.set(1)
    #expect(own == [2])
    x.set(11)
    #expect(own == [2, 22])
    token.cancel()
  }

  @Test func `a handler that writes an equal value changes nothing`() {
    let x = graph.stored(0)
    var count = 0
    let token = graph.observe(x, initial: false) {
      count += 1
      x.set($0)
    }
    x.set(1)
    #expect(count == 1)
    token.cancel()
  }

  @Test func `observers that keep answering each other are cut off and named, and stay`() {
    var diagnostics: [GraphDiagnostic] = []
    graph.onDiagnostic = { diagnostics.append($0) }
    let ping = graph.stored(0, name: "ping")
    let pong = graph.stored(0, name: "pong")
    let isPlaying = graph.stored(true)
    var count = 0
    let tokens = [
      graph.observe(ping, initial: false) { if isPlaying.value { pong.set($0 + 1) } },
      graph.observe(pong, initial: false) {
        count += 1
        if isPlaying.value { ping.set($0 + 1) }
      },
    ]
    ping.set(1)
    #expect(diagnostics == [.pingPong(nodes: ["ping", "pong"], turns: Graph.turnLimit)])
    #expect(count == Graph.turnLimit / 2)
    isPlaying.set(false)
    pong.set(-1)
    #expect(count == Graph.turnLimit / 2 + 1)
    AnyCancellable(tokens).cancel()
  }

  @Test func `a filter compares with the last value that passed`() {
    let source = graph.stored(0)
    var heard: [Int] = []
    let token = graph.observe(source, isNews: { abs($1 - $0) > 5 }, onChange: { heard.append($0) })
    for value in [3, 6, 8, 15] { source.set(value) }
    #expect(heard == [0, 6, 15])
    token.cancel()
  }

  @Test func `a rule must not write`() {
    var diagnostics: [GraphDiagnostic] = []
    graph.onDiagnostic = { diagnostics.append($0) }
    let source = graph.stored(1, name: "source")
    let other = graph.stored(0, name: "other")
    let bad = graph.computed(name: "bad") { reader in
      other.set(source.value)
      reader.untracked { other.set(7) }
      return source.value
    }
    #expect(bad.value == 1)
    #expect(other.value == 0)
    #expect(
      diagnostics == Array(repeating: .writeInsideComputed(node: "other", in: "bad"), count: 2))
  }

  @Test func `observers made and dropped by handlers come and go cleanly`() {
    let x = graph.stored(0)
    var heard: [String] = []
    var second: AnyCancellable?
    var third: AnyCancellable?
    let first = graph.observe(x, initial: false) {
      heard.append("first \($0)")
      second?.cancel()
      if third == nil {
        third = self.graph.observe(x) { heard.append("third \($0)") }
      }
    }
    second = graph.observe(x, initial: false) { heard.append("second \($0)") }
    x.set(1)
    x.set(2)
    #expect(heard == ["first 1", "third 1", "first 2", "third 2"])
    first.cancel()
    third?.cancel()
    #expect(graph.edgeCount == 0)
  }
}
