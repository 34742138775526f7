import Glibc
import ScenarioRuns

/// A folder of its own for a test's files, removed with all that is in it.
package final class TemporaryFolder {
  package let path: String

  package init() throws {
    var template = Array("/tmp/rehearsal-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw FolderNotMade(reason: lastSystemError()) }
    path = String(cString: made)
  }

  deinit { _ = system("rm -rf '\(path)'") }

  package func file(_ name: String) -> String { path + "/" + name }

  /// Returns whether the file could be written.
  package func write(_ name: String, _ text: String) -> Bool {
    writeFile(file(name), text) == nil
  }

  /// Returns the text of a file; nil if there is none.
  package func text(_ name: String) -> String? { fileText(file(name)) }
}

/// Why a test has no folder.
package struct FolderNotMade: Error {
  package var reason: String
}
