import Diagnostics
import Values

/// Returns a run in the format of GitLab's Code Quality: a list of findings, which a merge request
/// shows beside the lines that it changes.
///
/// Source: GitLab's documentation, "Code Quality report format".
package func codeQualityReport(_ run: RunReport) -> String {
  var counts: [String: Int] = [:]
  let findings = run.markedDiagnostics.map { mark in
    let key = mark.fingerprintKey
    counts[key, default: 0] += 1
    return JSONWriter.object { $0.addFinding(mark, "\(key)\0\(counts[key, default: 1])") }
  }
  return findings.isEmpty ? "[]\n" : "[\n" + findings.joined(separator: ",\n") + "\n]\n"
}

extension MarkedDiagnostic {
  /// The name of a finding in all runs: lines move, and messages have times in them.
  fileprivate var fingerprintKey: String {
    [place.path, diagnostic.id.rawValue, scenario ?? ""].joined(separator: "\0")
  }

  /// The place in the repository, to which paths are relative.
  fileprivate var place: (path: String, line: Int) {
    var (path, line) = (file.path, self.line ?? 1)
    if let range = diagnostic.labels.first?.range, let source = file.sources.file(of: range) {
      (path, line) = (source.path, source.place(of: Int(range.start)).line)
    }
    return (path.hasPrefix("./") ? String(path.dropFirst(2)) : path, line)
  }

  fileprivate var severity: String {
    switch diagnostic.severity {
    case .note: "info"
    case .warning: "minor"
    case .error: scenario == nil ? "critical" : "major"
    }
  }
}

extension JSONWriter {
  fileprivate mutating func addFinding(_ mark: MarkedDiagnostic, _ key: String) {
    let message = mark.mask.masked(page: mark.diagnostic.message)
    let name = mark.scenario.map { $0 + (mark.isFlaky ? " (flaky): " : ": ") } ?? ""
    member("description", name + message)
    member("check_name", mark.diagnostic.id.rawValue)
    member("fingerprint", SHA256.digest(of: Array(key.utf8)))
    member("severity", mark.severity)
    member("location") {
      $0.object {
        $0.member("path", mark.place.path)
        $0.member("lines") { $0.object { $0.member("begin", mark.place.line) } }
      }
    }
  }
}
