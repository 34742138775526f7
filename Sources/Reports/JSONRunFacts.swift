import Values
import Verdicts

/// Returns the other facts of a run, besides its failures, as members of its object. A fact that
/// did not occur has no member.
func factMembers(of verdict: Verdict, _ mask: SecretMask) -> [String] {
  faultMembers(of: verdict, mask) + openMembers(of: verdict, mask)
}

/// Returns the operations that were still open when the run ended.
func openMembers(of verdict: Verdict, _ mask: SecretMask) -> [String] {
  members("leftOpen", "moreLeftOpen", verdict.pendingAtEnd) { thing in
    var map = ValueMap()
    map["kind"] = .string(thing.kind)
    map["name"] = .string(mask.masked(thing.name))
    map["endpoint"] = .string(mask.masked(thing.endpoint))
    map["state"] = .string(thing.state)
    map["sinceMicroseconds"] = .int(Int(thing.since))
    return map
  }
}

private func faultMembers(of verdict: Verdict, _ mask: SecretMask) -> [String] {
  members("faults", "moreFaults", verdict.faults) { fault in
    var map = ValueMap()
    map["microseconds"] = .int(Int(fault.time))
    map["event"] = .int(fault.event)
    map["endpoint"] = .string(mask.masked(fault.endpoint))
    map["connection"] = .int(fault.connection)
    map["kind"] = .string(fault.kind)
    map["to"] = fault.isToServer.map { $0 ? "server" : "client" }
    map["delayMicroseconds"] = fault.delay.map { .int(Int($0)) }
    return map
  }
}

private func members<Element>(
  _ name: String, _ nameOfMore: String, _ all: FirstOfMany<Element>, _ map: (Element) -> ValueMap
) -> [String] {
  guard !all.first.isEmpty else { return [] }
  let list = "\"\(name)\":" + Value.list(all.first.map { .map(map($0)) }).json()
  return all.left == 0 ? [list] : [list, "\"\(nameOfMore)\":\(all.left)"]
}
