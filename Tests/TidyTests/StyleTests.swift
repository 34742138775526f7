import Glibc
import TestKit
import Testing

private let largestFile = 400
private let longestLine = 100
private let longestFunction = 50
private let medianFunction = 10

private let sources = sourceTexts
private let everything = sourceTexts + testTexts
private let everyFunction = everything.map { (text: $0, functions: functionLengths(in: $0)) }

/// A word that must not be written, and why.
struct ForbiddenWord: Sendable, CustomTestStringConvertible {
  var word: String
  var reason: String
  var testDescription: String { word }
}

/// A place where a forbidden word is right: a file, or a folder with a slash at its end.
private struct Exception {
  var path: String
  var word: String
  var reason: String
}

/// The rooms for programs that `await`. The engine does not use them.
private let awaitingRooms = [
  "Licensing", "Reactors", "StateGraph", "RealSchedulers", "ConnectionLoops", "LiveDatabases",
  "Lists", "LiveCommunication",
]

private let exceptions =
  [
    Exception(
      path: "Sources/LiveProviders/", word: "await", reason: "the engine does not use this room")
  ]
  + awaitingRooms.flatMap { room in
    ["Task {", "await"].map {
      Exception(path: "Sources/\(room)/", word: $0, reason: "the engine does not use this room")
    }
  }
  + [
    Exception(
      path: "Sources/ScenarioTesting/", word: "await", reason: "Swift objects under test await"),
    Exception(
      path: "Sources/ConnectionLoops/Loops/VirtualLoop.swift", word: "Task.sleep",
      reason: "it waits for what is outside of its time"),
    Exception(path: "Sources/VirtualTime/", word: "await", reason: "its clock sleeps"),
    Exception(path: "Sources/VirtualTime/", word: "Task {", reason: "it runs the jobs of tasks"),
    Exception(path: "Sources/VirtualTime/", word: "Task(", reason: "it runs the jobs of tasks"),
    Exception(
      path: "Sources/VirtualTime/", word: "Task.detached",
      reason: "jobs that outlive a run go to the pool"),
  ]

private let forbiddenEverywhere = [
  ForbiddenWord(word: "import Foundation", reason: "it adds 12 ms to every start"),
  ForbiddenWord(word: "import FoundationEssentials", reason: "it adds 12 MB to the program"),
]

private let forbiddenInSources = [
  ForbiddenWord(word: "Task {", reason: "its jobs escape the scenario's thread"),
  ForbiddenWord(word: "Task(", reason: "its jobs escape the scenario's thread"),
  ForbiddenWord(word: "Task.detached", reason: "its jobs escape the scenario's thread"),
  ForbiddenWord(word: "Task.sleep", reason: "it sleeps by the real clock"),
  ForbiddenWord(word: "await", reason: "the engine is synchronous"),
  ForbiddenWord(word: "Date()", reason: "time comes from the world"),
  ForbiddenWord(word: "SystemRandomNumberGenerator", reason: "chance comes from the world"),
  ForbiddenWord(word: ".random(", reason: "chance comes from the world"),
  ForbiddenWord(word: ".randomElement()", reason: "chance comes from the world"),
  ForbiddenWord(word: ".shuffle()", reason: "chance comes from the world"),
  ForbiddenWord(word: ".shuffled()", reason: "chance comes from the world"),
]

private let forbiddenTypeNames: Set<String> = [
  "Expectation", "Issue", "SourceLocation", "Expression", "Scanner", "Tag", "Test", "Process",
  "Progress", "Stream", "Operation", "Runtime", "Testing", "Observation",
]

@Suite struct StyleTests {
  @Test func `the trees are found`() {
    #expect(sources.count > 20)
    #expect(everything.count > sources.count + 10)
  }

  @Test func `no file has more than 400 lines`() {
    let found = everything.filter { $0.lines.count > largestFile }
    #expect(found.map { "\($0.path): \($0.lines.count) lines" } == [])
  }

  @Test func `no line has more than 100 columns`() {
    let found = everything.flatMap { text in
      text.lines.indices.filter { text.lines[$0].count > longestLine }.map(text.place)
    }
    #expect(found == [])
  }

  @Test func `no function has more than 50 lines`() {
    let found = everyFunction.flatMap { text, functions in
      functions.filter { $0.length > longestFunction }.map {
        "\(text.place($0.line)): \($0.length) lines"
      }
    }
    #expect(found == [])
  }

  @Test(arguments: ["Sources", "Tests"])
  func `half of all functions have less than 10 lines`(_ tree: String) {
    let lengths = everyFunction.filter { $0.text.path.hasPrefix(tree) }.flatMap(\.functions)
      .map(\.length)
    #expect(lengths.count > 20)
    #expect(median(lengths) < medianFunction)
  }

  @Test(arguments: forbiddenEverywhere)
  func `nothing imports Foundation`(_ forbidden: ForbiddenWord) {
    #expect(places(of: forbidden, in: everything) == [])
  }

  @Test(arguments: forbiddenInSources)
  func `time, chance and threads come from the world alone`(_ forbidden: ForbiddenWord) {
    #expect(places(of: forbidden, in: sources) == [])
  }

  @Test func `every exception is still needed`() {
    for exception in exceptions {
      let texts = everything.filter { $0.path.hasPrefix(exception.path) }
      let isNeeded = texts.contains { $0.code.contains { holds($0, exception.word) } }
      #expect(isNeeded, "\(exception.path)")
    }
  }

  @Test func `the program that runs scenarios uses no room that awaits`() throws {
    let targets = manifestTargets(in: try #require(fileText("Package.swift")))
    var used: Set = ["rehearse"]
    for target in targets where used.contains(target.name) { used.formUnion(target.dependencies) }
    #expect(used.count > 20)
    #expect(used.isDisjoint(with: awaitingRooms + ["ScenarioTesting", "VirtualTime"]))
  }

  @Test func `files are named after what they hold`() {
    let found = everything.filter { text in
      ["util", "helper", "common", "manager", "misc"].contains {
        text.name.lowercased().contains($0)
      }
    }
    #expect(found.map(\.path) == [])
  }

  @Test func `types have names that say something and collide with none of the toolchain's`() {
    // The adapter has the names of a foreign system.
    let ours = everything.filter { !$0.path.hasPrefix("Sources/LiveCommunication/") }
    let found = ours.flatMap { text in
      text.code.indices.filter { isForbidden(declaredTypes(in: text.code[$0])) }.map(text.place)
    }
    #expect(found == [])
  }

  private func places(of forbidden: ForbiddenWord, in texts: [SwiftText]) -> [String] {
    texts.flatMap { text in
      let isExcepted = exceptions.contains {
        text.path.hasPrefix($0.path) && $0.word == forbidden.word
      }
      let lines = text.code.indices.filter { holds(text.code[$0], forbidden.word) }
      return isExcepted ? [] : lines.map { "\(text.place($0)): \(forbidden.reason)" }
    }
  }

  private func isForbidden(_ names: [String]) -> Bool {
    names.contains { name in
      forbiddenTypeNames.contains(name)
        || ["Manager", "Helper", "Helpers", "Utils", "Utilities"].contains(where: name.hasSuffix)
    }
  }
}

/// Returns whether a line of code has a phrase that is not merely part of a longer name.
func holds(_ line: String, _ phrase: String) -> Bool {
  // Hardly any line does, and a debug build compares characters slowly.
  if strstr(line, phrase) == nil { return false }
  return line.ranges(of: phrase).contains { range in
    let isName = { (letter: Character?) in letter.map { $0.isLetter || $0.isNumber || $0 == "_" } }
    let before = line[..<range.lowerBound].last
    let after = line[range.upperBound...].first
    let beginsInName = isName(phrase.first) == true && isName(before) == true
    let endsInName = isName(phrase.last) == true && isName(after) == true
    return !beginsInName && !endsInName
  }
}

/// Returns the names of the types that a line of code declares.
func declaredTypes(in line: String) -> [String] {
  let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "." }
  let keywords: Set<Substring> = [
    "struct", "class", "enum", "actor", "protocol", "typealias", "associatedtype",
  ]
  return zip(words, words.dropFirst()).filter { keywords.contains($0.0) }.map { String($0.1) }
}
