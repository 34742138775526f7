import StateGraph
import Testing

/// Groups, maps and scopes that are made and unmade while they run.
@Suite struct TrackingTests {
  private let graph: Graph

  init() {
    graph = Graph()
    Graph.current = graph
  }

  @Test func `a group runs again when something that it read has changed`() {
    let a = graph.stored(0)
    let b = graph.stored(0)
    var runs = 0
    let token = withGraphTracking {
      withGraphTrackingGroup {
        runs += 1
        _ = a.value + b.value + a.value
      }
    }
    #expect(runs == 1)
    a.set(1)
    #expect(runs == 2)
    graph.transaction {
      a.set(2)
      b.set(2)
    }
    #expect(runs == 3)
    b.set(2)
    #expect(runs == 3)
    token.cancel()
    a.set(9)
    #expect(runs == 3)
    #expect(graph.edgeCount == 0)
  }

  @Test func `a group that writes what it reads runs once and stays`() {
    let x = graph.stored(0)
    let twice = graph.computed { _ in x.value * 2 }
    var runs: [Int] = []
    var peer = 0
    let token = withGraphTracking {
      withGraphTrackingGroup {
        runs.append(twice.value)
        if x.value == 20 { x.set(21) }
      }
      withGraphTrackingGroup {
        _ = x.value
        peer += 1
      }
    }
    x.set(20)
    #expect(x.value == 21)
    #expect(runs == [0, 40])
    #expect(peer == 2)
    x.set(4)
    #expect(runs == [0, 40, 8])
    token.cancel()
  }

  @Test func `a projection is heard when its result is another`() {
    let x = graph.stored(1)
    let y = graph.stored(2)
    let z = graph.stored(0)
    var heard: [Int] = []
    let token = withGraphTracking {
      withGraphTrackingMap {
        x.value + y.value
      } onChange: {
        heard.append($0)
      }
    }
    z.set(1)
    x.set(5)
    y.set(10)
    graph.transaction {
      x.set(6)
      y.set(9)
    }
    #expect(heard == [3, 7, 15])
    token.cancel()
    #expect(graph.edgeCount == 0)
    #expect(graph.nodeCount == 3)
  }

  @Test func `a projection hears only of what it reads at the time`() {
    let name = graph.stored("John Doe")
    let nickname = graph.stored("JJ")
    let usesNickname = graph.stored(false)
    var heard: [String] = []
    let token = withGraphTracking {
      withGraphTrackingMap {
        usesNickname.value ? nickname.value : name.value
      } onChange: {
        heard.append($0)
      }
    }
    nickname.set("Johnny")
    nickname.set("JJ")
    name.set("Jane Doe")
    usesNickname.set(true)
    name.set("Nobody")
    nickname.set("Jay")
    #expect(heard == ["John Doe", "Jane Doe", "JJ", "Jay"])
    token.cancel()
  }

  @Test func `a group inside a group ends when the outer one runs again`() {
    let outer = graph.stored(0)
    let inner = graph.stored(0)
    var log: [String] = []
    let token = withGraphTracking {
      withGraphTrackingGroup {
        log.append("outer \(outer.value)")
        withGraphTrackingGroup { log.append("inner \(inner.value)") }
        log.append("outer ends")
      }
    }
    #expect(log == ["outer 0", "inner 0", "outer ends"])
    log = []
    inner.set(1)
    #expect(log == ["inner 1"])
    log = []
    outer.set(1)
    #expect(log == ["outer 1", "inner 1", "outer ends"])
    log = []
    inner.set(2)
    #expect(log == ["inner 2"])
    token.cancel()
    inner.set(3)
    #expect(log == ["inner 2"])
  }

  @Test func `when outer and inner read the same node, the inner one runs once`() {
    let x = graph.stored(0)
    var outerRuns = 0
    var innerRuns = 0
    let token = withGraphTracking {
      withGraphTrackingGroup {
        outerRuns += 1
        _ = x.value
        withGraphTrackingGroup {
          innerRuns += 1
          _ = x.value
        }
      }
    }
    x.set(1)
    #expect([outerRuns, innerRuns] == [2, 2])
    token.cancel()
  }

  @Test func `of three levels, only those below the change run`() {
    let nodes = (0..<3).map { graph.stored($0) }
    var runs = [0, 0, 0]
    let token = withGraphTracking {
      withGraphTrackingGroup {
        runs[0] += 1
        _ = nodes[0].value
        withGraphTrackingGroup {
          runs[1] += 1
          _ = nodes[1].value
          withGraphTrackingGroup {
            runs[2] += 1
            _ = nodes[2].value
          }
        }
      }
    }
    nodes[1].set(10)
    #expect(runs == [1, 2, 2])
    nodes[2].set(10)
    #expect(runs == [1, 2, 3])
    nodes[0].set(10)
    #expect(runs == [2, 3, 4])
    token.cancel()
  }

  @Test func `siblings run by themselves, and all when their parent does`() {
    let parent = graph.stored(0)
    let left = graph.stored(0)
    let right = graph.stored(0)
    var log: [String] = []
    let token = withGraphTracking {
      withGraphTrackingGroup {
        _ = parent.value
        withGraphTrackingGroup { log.append("left \(left.value)") }
        withGraphTrackingGroup { log.append("right \(right.value)") }
      }
    }
    log = []
    left.set(1)
    right.set(1)
    #expect(log == ["left 1", "right 1"])
    parent.set(1)
    #expect(log == ["left 1", "right 1", "left 1", "right 1"])
    token.cancel()
  }

  @Test func `what is tracked under a condition exists only while it holds`() {
    let isShown = graph.stored(true)
    let age = graph.stored(25)
    var names = 0
    var ages: [Int] = []
    let token = withGraphTracking {
      withGraphTrackingGroup {
        names += 1
        if isShown.value {
          withGraphTrackingMap(initial: false) {
            age.value
          } onChange: {
            ages.append($0)
          }
        }
      }
    }
    age.set(26)
    isShown.set(false)
    age.set(30)
    isShown.set(true)
    age.set(27)
    #expect(ages == [26, 27])
    #expect(names == 3)
    token.cancel()
  }

  @Test func `a nested map fires again when its parent runs, even if its value is equal`() {
    let parent = graph.stored(0)
    let value = graph.stored(100)
    var heard: [Int] = []
    let token = withGraphTracking {
      withGraphTrackingGroup {
        _ = parent.value
        withGraphTrackingMap {
          value.value
        } onChange: {
          heard.append($0)
        }
      }
    }
    parent.set(1)
    value.set(200)
    #expect(heard == [100, 100, 200])
    token.cancel()
  }

  @Test func `a list of groups is made anew without leaving handlers behind`() {
    let items = graph.stored([graph.stored(1), graph.stored(2)], areEqual: { _, _ in false })
    var created = 0
    var heard: [Int] = []
    let token = withGraphTracking {
      withGraphTrackingGroup {
        for item in items.value {
          created += 1
          withGraphTrackingMap(initial: false) {
            item.value
          } onChange: {
            heard.append($0)
          }
        }
      }
    }
    let old = items.value[0]
    for _ in 0..<3 { items.set(items.value) }
    #expect(created == 8)
    old.set(4)
    #expect(heard == [4])
    items.set([graph.stored(7)])
    old.set(9)
    #expect(heard == [4])
    #expect(old.subscriberCount == 0)
    items.value[0].set(5)
    #expect(heard == [4, 5])
    token.cancel()
  }

  @Test func `reads in the handler of a nested map belong to nobody`() {
    let a = graph.stored(0)
    let b = graph.stored(0)
    var runs = 0
    let token = withGraphTracking {
      withGraphTrackingGroup {
        runs += 1
        withGraphTrackingMap {
          a.value
        } onChange: { _ in
          _ = b.value
        }
      }
    }
    b.set(1)
    a.set(1)
    #expect(runs == 1)
    token.cancel()
  }
}

@Suite struct LifetimeTests {
  private final class Owner {
    let node: Stored<Int>
    init(_ graph: Graph) { node = graph.stored(0) }
  }

  private final class Captured {}

  private let graph: Graph

  init() {
    graph = Graph()
    Graph.current = graph
  }

  @Test func `a subscription that is not kept ends at once`() {
    let x = graph.stored(0)
    var heard: [Int] = []
    _ = withGraphTracking { x.onChange { heard.append($0) } }
    x.onChange { heard.append($0 + 100) }
    x.set(1)
    #expect(heard == [0, 100])
    #expect(graph.edgeCount == 0)
  }

  @Test(arguments: ["group", "map", "map from", "onChange", "observe"])
  func `cancelling frees what the handler captured at once`(kind: String) {
    let x = graph.stored(0)
    let owner = Owner(graph)
    weak var freed: Captured?
    let token: AnyCancellable
    do {
      let captured = Captured()
      freed = captured
      token = withGraphTracking {
        switch kind {
        case "group": withGraphTrackingGroup { _ = (x.value, captured) }
        case "map":
          withGraphTrackingMap {
            _ = captured
            return x.value
          } onChange: { _ in
          }
        case "map from":
          withGraphTrackingMap(
            from: owner, map: { $0.node.value + x.value }, onChange: { _ in _ = captured })
        case "onChange": x.onChange { _ in _ = captured }
        default:
          TrackingTokens.keep = graph.observe(x) { _ in _ = captured }
        }
      }
    }
    #expect(freed != nil)
    token.cancel()
    TrackingTokens.keep = nil
    #expect(freed == nil)
    #expect(x.subscriberCount == 0)
  }

  @Test func `a map from an owner does not keep the owner, and ends with it`() {
    let x = graph.stored(0)
    var owner: Owner? = Owner(graph)
    weak let watched = owner
    var heard: [Int] = []
    let token = withGraphTrackingMap(
      from: owner.unsafelyUnwrapped, map: { $0.node.value + x.value },
      onChange: { heard.append($0) })
    x.set(1)
    owner = nil
    #expect(watched == nil)
    x.set(2)
    #expect(heard == [0, 1])
    token.cancel()
  }

  @Test func `a graph is empty again when its nodes are dropped`() {
    let source = graph.stored([1])
    do {
      let count = graph.computed { _ in source.value.count }
      let text = graph.computed { _ in "\(count.value)" }
      #expect(text.value == "1")
      #expect(source.subscriberCount == 1)
    }
    #expect(source.subscriberCount == 0)
    #expect(graph.nodeCount == 1)
    #expect(graph.edgeCount == 0)
  }

  @Test func `a released node leaves those that read it with what they have`() {
    let x = graph.stored(1)
    var middle: Computed<Int>? = graph.computed { _ in x.value + 1 }
    let sum = graph.computed { [weak middle] _ in x.value + (middle?.value ?? 100) }
    #expect(sum.value == 3)
    middle = nil
    #expect(sum.value == 3)
    #expect(x.subscriberCount == 1)
    x.set(2)
    #expect(sum.value == 102)
  }

  @Test func `a rule may drop the node it belongs to`() {
    let x = graph.stored(1)
    var node: Computed<Int>?
    node = graph.computed { _ in
      node = nil
      return x.value
    }
    #expect(node?.value == 1)
    #expect(graph.nodeCount == 1)
  }

  @Test func `a handler may cancel itself, and another that was about to be called`() {
    let x = graph.stored(0)
    var heard: [String] = []
    var tokens: [AnyCancellable] = []
    tokens.append(
      graph.observe(x, initial: false) { _ in
        heard.append("first")
        tokens.removeAll()
      })
    tokens.append(graph.observe(x, initial: false) { _ in heard.append("second") })
    x.set(1)
    x.set(2)
    #expect(heard == ["first"])
    #expect(graph.edgeCount == 0)
  }

  @Test func `two scopes on one node are independent`() {
    let x = graph.stored(0)
    var heard: [String] = []
    var bag = Set<AnyCancellable>()
    let first = withGraphTracking { x.onChange(initial: false) { heard.append("first \($0)") } }
    withGraphTracking { x.onChange(initial: false) { heard.append("second \($0)") } }
      .store(in: &bag)
    x.set(1)
    first.cancel()
    x.set(2)
    bag.removeAll()
    x.set(3)
    #expect(heard == ["first 1", "second 1", "second 2"])
  }

  @Test func `cancelling twice, even from within, cancels once`() {
    var count = 0
    var token: AnyCancellable?
    token = AnyCancellable {
      count += 1
      token?.cancel()
    }
    token?.cancel()
    token?.cancel()
    token = nil
    #expect(count == 1)
  }

  @Test func `what is added to a cancelled one is cancelled at once`() {
    var log: [String] = []
    let parent = AnyCancellable { log.append("parent") }
    parent.add(AnyCancellable { log.append("child") })
    parent.cancel()
    parent.add(AnyCancellable { log.append("late") })
    #expect(log == ["parent", "child", "late"])
  }

  @Test func `many subscriptions that come and go reuse their place`() {
    let x = graph.stored(0)
    for _ in 0..<1_000 {
      let token = graph.observe(x, initial: false) { _ in }
      x.set(x.value + 1)
      token.cancel()
    }
    #expect(graph.nodeCount == 1)
    #expect(graph.edgeCount == 0)
  }
}

private enum TrackingTokens {
  nonisolated(unsafe) static var keep: AnyCancellable?
}
