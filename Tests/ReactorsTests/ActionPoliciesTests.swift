import Reactors
import Testing

@Suite struct ActionPoliciesTests {
  private typealias Policies = ActionPolicies<String, Int>

  @Test func `plain actions start independently of each other`() {
    var policies = Policies()
    #expect(policies.actionSent(1) == [.start(1)])
    #expect(policies.actionSent(2) == [.start(2)])
    #expect(policies.lifecycleEnded() == [])
  }

  @Test func `in flight, the new one cancels the one that runs`() {
    var policies = Policies()
    let policy = ActionPolicy(.inFlight("search"))
    #expect(policies.actionSent(1, policy) == [.start(1)])
    #expect(policies.actionSent(2, policy) == [.cancel(1), .start(2)])
    policies.actionEnded(1)
    #expect(policies.actionSent(3, policy) == [.cancel(2), .start(3)])
    policies.actionEnded(3)
    #expect(policies.actionSent(4, policy) == [.start(4)])
  }

  @Test func `keys are independent of each other`() {
    var policies = Policies()
    #expect(policies.actionSent(1, ActionPolicy(.inFlight("a"))) == [.start(1)])
    #expect(policies.actionSent(2, ActionPolicy(.inFlight("b"))) == [.start(2)])
    #expect(policies.actionSent(3, ActionPolicy(.join("c"))) == [.start(3)])
  }

  @Test func `joining, the new one waits for the one that runs`() {
    var policies = Policies()
    let policy = ActionPolicy(.join("load"))
    #expect(policies.actionSent(1, policy) == [.start(1)])
    #expect(policies.actionSent(2, policy) == [.join(1)])
    #expect(policies.actionSent(3, policy) == [.join(1)])
    policies.actionEnded(2)
    #expect(policies.actionSent(4, policy) == [.join(1)])
    policies.actionEnded(1)
    #expect(policies.actionSent(5, policy) == [.start(5)])
  }

  @Test func `the end of the lifecycle cancels what belongs to it, in the order of its start`() {
    var policies = Policies()
    _ = policies.actionSent(1)
    _ = policies.actionSent(2, ActionPolicy(endsWithLifecycle: true))
    _ = policies.actionSent(3, ActionPolicy(.inFlight("a")))
    _ = policies.actionSent(4, ActionPolicy(.inFlight("b"), endsWithLifecycle: true))
    _ = policies.actionSent(5, ActionPolicy(endsWithLifecycle: true))
    policies.actionEnded(2)
    #expect(policies.lifecycleEnded() == [.cancel(4), .cancel(5)])
    #expect(policies.lifecycleEnded() == [])
    #expect(policies.actionSent(6, ActionPolicy(.inFlight("a"))) == [.cancel(3), .start(6)])
  }

  @Test func `an end that is not known is nothing`() {
    var policies = Policies()
    policies.actionEnded(7)
    #expect(policies.actionSent(7, ActionPolicy(.join("a"))) == [.start(7)])
  }
}
