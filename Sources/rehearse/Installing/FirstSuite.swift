import CTexts
import ScenarioSpec
import TextSearch

/// A file that `rehearse init` writes.
struct FirstFile: Sendable {
  var name: String
  /// The subject that it teaches, in a few words.
  var purpose: String
  var isScript: Bool { name.hasSuffix(".sh") }

  /// The text for a folder, which stands for `FOLDER`. The schema is made from the tables.
  func text(_ folder: String) -> String {
    ctexts_first_file(name).map { String(cString: $0).replacing("FOLDER", with: folder) }
      ?? scenarioSchema()
  }
}

/// A small suite: each file is read in a minute and shows one thing.
let firstSuite = [
  FirstFile(
    name: "1-state.scenario.yaml", purpose: "values, and what follows from them"),
  FirstFile(
    name: "2-mock.scenario.yaml", purpose: "a mock of an HTTP endpoint, and requests"),
  FirstFile(
    name: "3-stream.scenario.yaml", purpose: "a stream that breaks, and a client that comes back"),
  FirstFile(
    name: "failure.yaml", purpose: "a scenario that fails, to see how a failure is shown"),
  FirstFile(
    name: "scenario.schema.json", purpose: "the schema by which editors help"),
  FirstFile(
    name: "ci.sh", purpose: "what a build server runs"),
]
