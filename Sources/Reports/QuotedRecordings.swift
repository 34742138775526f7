import Diagnostics
import Secrets
import TextSearch

extension SourceMap {
  /// Returns where a quoted line has credentials that nobody has declared. Lines of recordings come
  /// from others; what the files of the scenario hold, their readers know.
  package func credentials(in line: String) -> [Range<Int>] {
    let known = files.filter { !$0.isRecording }
    if known.count == files.count { return [] }
    return credentialPlaces(in: line) { text in
      known.contains { String(decoding: $0.bytes, as: UTF8.self).contains(text) }
    }
  }
}
