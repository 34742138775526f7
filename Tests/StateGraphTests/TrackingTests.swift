import StateGraph
import Testing

/// Groups, maps and scopes that are made and removed while they run.
@Suite struct TrackingTests {
  private let graph: Graph

  init() {
    graph = Graph()
  }

  @Test func `a group runs again when something that it read has changed`() {
    let a = graph.stored(0)
    let b = graph.stored(0)
    var runs = 0
    let token = withGraphTracking {
      withGraphTrackingGroup(in: graph) {
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
      withGraphTrackingGroup(in: graph) {
        runs.append(twice.value)
        if x.value == 20 { x.set(21) }
      }
      withGraphTrackingGroup(in: graph) {
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
      withGraphTrackingMap(in: graph) {
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
      withGraphTrackingMap(in: graph) {
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
      withGraphTrackingGroup(in: graph) {
        log.append("outer \(outer.value)")
        withGraphTrackingGroup(in: graph) { log.append("inner \(inner.value)") }
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
      withGraphTrackingGroup(in: graph) {
        outerRuns += 1
        _ = x.value
        withGraphTrackingGroup(in: graph) {
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
      withGraphTrackingGroup(in: graph) {
        runs[0] += 1
        _ = nodes[0].value
        withGraphTrackingGroup(in: graph) {
          runs[1] += 1
          _ = nodes[1].value
          withGraphTrackingGroup(in: graph) {
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
      withGraphTrackingGroup(in: graph) {
        _ = parent.value
        withGraphTrackingGroup(in: graph) { log.append("left \(left.value)") }
        withGraphTrackingGroup(in: graph) { log.append("right \(right.value)") }
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
      withGraphTrackingGroup(in: graph) {
        names += 1
        if isShown.value {
          withGraphTrackingMap(in: graph, initial: false) {
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
      withGraphTrackingGroup(in: graph) {
        _ = parent.value
        withGraphTrackingMap(in: graph) {
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

  @Test func `a list of groups is made again without leaving handlers behind`() {
    let items = graph.stored([graph.stored(1), graph.stored(2)], areEqual: { _, _ in false })
    var created = 0
    var heard: [Int] = []
    let token = withGraphTracking {
      withGraphTrackingGroup(in: graph) {
        for item in items.value {
          created += 1
          withGraphTrackingMap(in: graph, initial: false) {
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
      withGraphTrackingGroup(in: graph) {
        runs += 1
        withGraphTrackingMap(in: graph) {
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
