import TestKit
import Testing

@testable import rehearse

/// The recipes for build servers, line by line.
@Suite struct RecipeTests {
  @Test(arguments: [
    "docs/ci/github.yml", "docs/ci/gitlab.yml", "docs/ci/Jenkinsfile", "docs/ci/kubernetes.yaml",
    "docs/ci.md", "action.yml",
  ])
  func `every command of a recipe is one that is understood`(path: String) throws {
    let commands = try #require(fileText(path)).split(separator: "\n").compactMap(command)
    for words in commands {
      switch parseArguments(words) {
      case .success: break
      case .failure(let problem): Issue.record("\(words): \(problem.diagnostic.message)")
      }
    }
    #expect(!commands.isEmpty)
  }

  /// The words behind `rehearse` in a line that begins with it, or is a list that does.
  private func command(_ line: Substring) -> [String]? {
    for start in ["- run: rehearse ", "sh \"rehearse ", "- rehearse ", "rehearse "] {
      let trimmed = line.drop { $0 == " " }
      guard trimmed.hasPrefix(start), !trimmed.contains("PATH…") else { continue }
      let words = trimmed.dropFirst(start.count).split(separator: " ").map(String.init)
      return words.map(settled)
    }
    guard let list = line.split(separator: "[rehearse, ").dropFirst().first else { return nil }
    return list.prefix { $0 != "]" }.split(separator: ", ").map(String.init)
  }

  /// A word in which the variables of a shell or a pipeline have a value.
  private func settled(_ word: String) -> String {
    switch word {
    case "${part}/${parts}": "1/4"
    case "\"${paths[@]}\"", "\"${options[@]}\"": "scenarios"
    default: word.filter { $0 != "\"" && $0 != "'" }
    }
  }
}
