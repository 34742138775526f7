import CEL
import Testing
import Values

@Suite struct ScopeTests {
  private static func stage() -> CELScope {
    var scope = CELScope()
    scope.declare("count", type: .int, slot: 0)
    scope.declare("catFacts", slot: 1)
    scope.declare("catFacts.fact", type: .string, slot: 2)
    scope.declare("prices.state", type: .string, slot: 3)
    scope.declareConstant("limit", value: 10)
    return scope
  }

  @Test(arguments: [
    ("count", 0), ("catFacts.fact", 2), ("catFacts.other", 1), ("prices.state", 3),
    ("catFacts.fact.size()", 2),
  ])
  func `the longest declared address wins`(text: String, slot: Int) throws {
    #expect(try program(text, ScopeTests.stage()).readSlots == [slot])
  }

  @Test func `a program lists what it reads`() throws {
    let program = try program("prices.state == 'up' && count + count > limit", ScopeTests.stage())
    #expect(program.readSlots == [0, 3])
    #expect(program.readAddresses == ["prices.state", "count"])
    #expect(program.type == .bool)
  }

  @Test func `an inner scope hides names and leaves the outer one alone`() throws {
    let outer = ScopeTests.stage()
    var inner = outer
    inner.declare("count", type: .string, slot: 9)
    var other = outer
    other.declare("extra", slot: 7)
    #expect(try program("count", inner).readSlots == [9])
    #expect(try program("count", outer).readSlots == [0])
    #expect(problem("extra", inner)?.id == "unknown-name")
    #expect(problem("extra", outer)?.id == "unknown-name")
    #expect(try program("extra", other).readSlots == [7])
  }

  @Test func `a macro's variable hides even a longer address`() throws {
    let program = try program("[{'fact': 5}].map(catFacts, catFacts.fact)", ScopeTests.stage())
    #expect(program.readSlots == [])
    #expect(program.evaluate(FixedSlots()) == .success([5]))
  }

  @Test func `constants become part of the program`() throws {
    #expect(try program("limit * 2 + 1", ScopeTests.stage()).constant == 21)
  }

  @Test func `names nobody declared are fields of the fallback value`() throws {
    var scope = ScopeTests.stage()
    scope.fallbackSlot = 5
    let program = try program("amount.net > 3 && count == 0", scope)
    #expect(program.readSlots == [0, 5])
    let slots = FixedSlots([0, 0, 0, 0, 0, ["amount": ["net": 4]]])
    #expect(program.evaluate(slots) == .success(true))
  }

  @Test(arguments: [
    ("env.NOPE", "no such key: 'NOPE'"), ("env['NOPE']", "no such key: 'NOPE'"),
    ("env.HOEM", "no such key: 'HOEM'; did you mean 'HOME'?"),
    ("open.NOPE", "no such key: 'NOPE'; there is 'HOME', 'SHELL'"),
  ])
  func `a failed look-up does not tell hidden keys`(text: String, message: String) throws {
    var scope = CELScope()
    let value: Value = ["HOME": "/", "SHELL": "sh"]
    scope.declareConstant("env", value: value, hidesKeys: true)
    scope.declareConstant("open", value: value)
    guard case .failure(let failure) = try program(text, scope).evaluate(FixedSlots()) else {
      Issue.record("\(text) has a value")
      return
    }
    #expect(failure.message == message)
  }

  @Test func `a function of addresses is given the address and reads its slot`() throws {
    var scope = ScopeTests.stage()
    scope.declareAddressFunction("changes", type: .int) { $0 == "catFacts.fact" ? 12 : nil }
    let program = try program("changes(catFacts.fact) == 2", scope)
    #expect(program.readSlots == [12])
    #expect(program.readAddresses == ["catFacts.fact"])
    #expect(problem("changes(catFacts.fcat)", scope)?.help == "did you mean `catFacts.fact`?")
    #expect(problem("changes(1 + 1)", scope)?.id == "not-an-address")
    #expect(
      problem("changes(count)", scope)?.message
        == "`changes` takes the name of a source, which `count` is not")
  }

  @Test func `functions of the scope come before built-in ones`() throws {
    var scope = CELScope()
    scope.declareSlotFunction("now", type: .timestamp, slot: 4)
    scope.declareFunction("size", parameters: [.dyn], result: .string) { values throws(CELFault) in
      .string("custom \(values.count)")
    }
    scope.declareFunction("twice", parameters: [.int], result: .int, isMember: true) {
      values throws(CELFault) in
      guard case .int(let number) = values[0] else { throw CELFault("twice of nothing") }
      return .int(number * 2)
    }
    #expect(try program("now() - now()", scope).readSlots == [4])
    #expect(try program("size([1])", scope).evaluate(FixedSlots()) == .success("custom 1"))
    #expect(try program("4.twice()", scope).evaluate(FixedSlots()) == .success(8))
    #expect(problem("now(1)", scope)?.message == "`now` takes no arguments")
  }

  @Test func `a name is looked up in its container first`() throws {
    var scope = CELScope()
    scope.declare("org.inner.x", slot: 1)
    scope.declare("x", slot: 2)
    scope.container = "org.inner"
    #expect(try program("x", scope).readSlots == [1])
    #expect(try program(".x", scope).readSlots == [2])
  }

  @Test func `slots are read from left to right, and only as far as needed`() throws {
    final class Recorder: CELSlots {
      var reads: [Int] = []
      func value(of slot: Int) -> Value {
        reads.append(slot)
        return .bool(slot == 1)
      }
    }
    var scope = CELScope()
    for (slot, name) in ["a", "b", "c"].enumerated() { scope.declare(name, slot: slot) }
    let recorder = Recorder()
    #expect(try program("a || b || c", scope).evaluate(recorder) == .success(true))
    #expect(recorder.reads == [0, 1])
  }
}
