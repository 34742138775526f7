import Values

extension [ReportPart] {
  /// Returns the parts with one entry for each set-up, which each part runs for itself. One that
  /// failed takes precedence.
  func withEachSetupOnce() -> [ReportPart] {
    var kept: [String: (part: Int, line: Value)] = [:]
    for (number, part) in enumerated() {
      for line in part.scenarios where line.isOfSetup {
        let known = kept[line.placeOfSetup]
        if known == nil || (known?.line.hasPassed == true && !line.hasPassed) {
          kept[line.placeOfSetup] = (number, line)
        }
      }
    }
    guard !kept.isEmpty else { return self }
    var parts = self
    for number in parts.indices {
      parts[number].scenarios.removeAll {
        $0.isOfSetup && kept[$0.placeOfSetup]?.part != number
      }
    }
    return parts
  }
}

extension Value {
  /// True for the entry of a set-up, which is the only one that a configuration has.
  var isOfSetup: Bool {
    let name = (text("path") ?? "").split(separator: "/").last
    return name == "rehearse.yaml" || name == "rehearse.yml"
  }

  fileprivate var placeOfSetup: String { "\(text("path") ?? ""):\(number("line") ?? 0)" }

  fileprivate var hasPassed: Bool { text("outcome") == "passed" || text("outcome") == "flaky" }
}
