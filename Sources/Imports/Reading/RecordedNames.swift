import Secrets
import Traces

/// The names that stand for secrets in a trace: those of its header, and those that a recording
/// gives to what it finds.
struct RecordedNames {
  private let declared: Set<String>
  /// True if Rehearsal recorded the trace, and so has named the tokens in it.
  private let findsTokens: Bool

  init(_ header: TraceHeader) {
    declared = Set(header.secrets)
    findsTokens = header.by?.hasPrefix("rehearse") == true
  }

  /// Returns whether `‹name›` stands for a secret.
  func contains(_ name: String) -> Bool {
    if declared.contains(name) { return true }
    let parts = name.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty, parts[1].utf8.allSatisfy(isDigit) else {
      return false
    }
    let stem = String(parts[0])
    // What expressions compute from a secret has its name, with a number.
    return declared.contains(stem) || findsTokens && isNameOfRecordings(stem)
  }
}

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
