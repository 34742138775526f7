import Diagnostics

/// The page of `rehearse explain ID` about a diagnostic: the rule in detail, a wrong and a right
/// example.
package struct DiagnosticPage: Sendable, Equatable {
  /// The subject of the diagnostics in one or more files of pages, by the heading of the files.
  package enum Topic: String, Sendable, CaseIterable {
    case commandLine = "Command line"
    case commands = "Commands"
    case yaml = "YAML"
    case documents = "Documents"
    case expressions = "Expressions"
    case meaning = "Meaning"
    case files = "Files that scenarios use"
    case suites = "Suites"
    case configurations = "Configurations"
    case snapshots = "Snapshots"
    case swiftObjects = "Swift objects"
    case worlds = "Worlds"
    case traces = "Traces"
    case failures = "Failures"
    case sweeps = "Sweeps"
    case virtualTime = "Programs in virtual time"
    case protocols = "Rules of protocols"
  }

  package var topic: Topic
  package var id: DiagnosticID
  package var title: String
  package var text: String
  /// A few lines that break the rule.
  package var wrong: String
  /// The same lines as they should be written.
  package var right: String
  /// Other files that the examples use.
  package var files: [File] = []

  package struct File: Sendable, Equatable {
    package var path: String
    package var text: String
  }
}
