import Diagnostics
import Secrets
import Verdicts

/// The other facts of a run, besides its failures, as members of its object. A fact that did not
/// occur has no member.
extension JSONWriter {
  mutating func addFacts(of verdict: Verdict, _ mask: SecretMask, withTimes: Bool = true) {
    addFirst(of: verdict.faults, "faults", more: "moreFaults") {
      $0.fault($1, mask, withTimes)
    }
    addPendingAtEnd(of: verdict, mask, withTimes: withTimes)
    addNeverExercised(of: verdict)
    if verdict.leftOpen > 0 { member("openObligations", verdict.leftOpen) }
  }

  private mutating func addNeverExercised(of verdict: Verdict) {
    if verdict.neverExercised.isEmpty { return }
    member("neverExercised", listOf: verdict.neverExercised) { writer, part in
      writer.object {
        $0.member("part", part.part)
        $0.member("path", part.path)
        $0.member("line", part.line)
      }
    }
  }

  /// Appends the operations that were still open when the run ended.
  mutating func addPendingAtEnd(
    of verdict: Verdict, _ mask: SecretMask, withTimes: Bool = true
  ) {
    addFirst(of: verdict.pendingAtEnd, "leftOpen", more: "moreLeftOpen") {
      $0.pending($1, mask, withTimes)
    }
  }

  private mutating func pending(
    _ operation: PendingAtEnd, _ mask: SecretMask, _ withTimes: Bool
  ) {
    object {
      $0.member("kind", operation.kind)
      $0.member("name", mask.masked(operation.name))
      $0.member("endpoint", mask.masked(operation.endpoint))
      $0.member("state", operation.state)
      if withTimes { $0.member("sinceMicroseconds", operation.since) }
    }
  }

  private mutating func fault(
    _ fault: FaultStruck, _ mask: SecretMask, _ withTimes: Bool
  ) {
    object {
      if withTimes {
        $0.member("microseconds", fault.time)
        $0.member("event", fault.event.index)
      }
      $0.member("endpoint", mask.masked(fault.endpoint))
      $0.member("connection", fault.connection)
      $0.member("kind", fault.kind)
      if let isToServer = fault.isToServer { $0.member("to", isToServer ? "server" : "client") }
      if let delay = fault.delay { $0.member("delayMicroseconds", delay) }
    }
  }

  private mutating func addFirst<Element>(
    of all: FirstOfMany<Element>, _ name: String, more: String,
    _ write: (inout JSONWriter, Element) -> Void
  ) {
    if all.first.isEmpty { return }
    member(name) { $0.list(all.first, .oneLine, write) }
    if all.left != 0 { member(more, all.left) }
  }
}
