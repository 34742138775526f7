import StateGraph
import Testing

@Suite struct DiagnosticTests {
  private let here = Graph()
  private let foreign = Graph().stored(1, name: "foreign")
  private let log = Log()

  private final class Log {
    var diagnostics: [GraphDiagnostic] = []
  }

  init() {
    here.onDiagnostic = { [log] in log.diagnostics.append($0) }
  }

  /// Optimised builds spend nothing on looking for such reads.
  private func inDebugBuilds(_ diagnostic: GraphDiagnostic) -> [GraphDiagnostic] {
    #if DEBUG
      [diagnostic]
    #else
      []
    #endif
  }

  @Test
  func `a rule that reads a node of another graph is named in debug builds, at no cost in others`()
  {
    let sum = here.computed(name: "sum") { [foreign] _ in foreign.value + 1 }
    #expect(sum.value == 2)
    #expect(log.diagnostics == inDebugBuilds(.foreignRead(node: "foreign", in: "sum")))
  }

  @Test func `a group that reads a node of another graph is named in debug builds alone`() {
    let group = withGraphTrackingGroup(in: here, name: "group") { [foreign] in _ = foreign.value }
    #expect(log.diagnostics == inDebugBuilds(.foreignRead(node: "foreign", in: "group")))
    group.cancel()
  }

  @Test func `a read that is not recorded may be one of another graph`() {
    let sum = here.computed(name: "sum") { [foreign] read in
      read.untracked { foreign.value } + foreign.untrackedValue
    }
    #expect(sum.value == 2)
    #expect(foreign.value == 1)
    #expect(log.diagnostics == [])
  }

  @Test func `graphs that follow nodes of their own do not disturb each other`() {
    let other = foreign.graph.computed(name: "other") { [foreign] _ in foreign.value + 1 }
    let own = here.stored(1)
    let sum = here.computed(name: "sum") { read in read(own) + read.untracked { other.value } }
    #expect(sum.value == 3)
    foreign.set(5)
    own.set(2)
    #expect(sum.value == 8)
    #expect(log.diagnostics == [])
  }

  @Test func `a handler that a foreign group calls reads its own graph`() {
    var received: [Int] = []
    let token = foreign.graph.observe(foreign, initial: false) { [foreign] _ in
      received.append(foreign.value)
    }
    let group = withGraphTrackingGroup(in: here) { [foreign] in foreign.set(7) }
    #expect(received == [7])
    #expect(log.diagnostics == [])
    group.cancel()
    token.cancel()
  }

  #if DEBUG
    // An optimised program does not look for it, and never comes back.
    @Test func `a property that sets itself in its observer ends the program by name`() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        Clamped().value = 50
      }
      let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(said.contains("A `didSet` sets its own property without an end: node 0"))
    }
  #endif

  @Test func `a property that sets itself once is left alone`() {
    let clamped = Clamped(isCareful: true)
    clamped.value = 50
    #expect(clamped.value == 10)
  }
}

private final class Clamped {
  private let isCareful: Bool
  @GraphStored var value = 0 {
    didSet { if !isCareful || value > 10 { value = min(value, 10) } }
  }

  init(isCareful: Bool = false) { self.isCareful = isCareful }
}
