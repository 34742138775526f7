import DataProviders
import Publishers
import Testing

/// An event of a list or of its loads: the last load, or one by its number.
enum Happening: Sendable {
  case load
  case refresh
  case cancel
  case give(String, from: Int? = nil)
  case fail(ServiceError, from: Int? = nil)
  case finish(from: Int? = nil)
}

/// A row of a table: the events of a list, and its view states after each.
struct ListCase: Sendable, CustomTestStringConvertible {
  let promise: String
  let items: String
  let happenings: [Happening]
  let expected: String

  init(_ promise: String, items: String = "", _ happenings: [Happening], _ expected: String) {
    self.promise = promise
    self.items = items
    self.happenings = happenings
    self.expected = expected
  }

  var testDescription: String { promise }
}

@Suite struct SequenceTests {
  @Test(arguments: singleLoads + reloads + overtaken + endings)
  func `a list shows these states, one after the other`(_ line: ListCase) {
    let lab = SourceLab()
    let model = Words(items: words(line.items))
    let diary = Diary()
    diary.watch(model)
    for happening in line.happenings { happen(happening, to: model, lab) }
    #expect(diary.text == line.expected)
    #expect(diary.changes == Array(diary.states.dropFirst()))
    #expect(model.viewState.text == diary.states.last)
  }

  private func happen(_ happening: Happening, to model: Words, _ lab: SourceLab) {
    let source = { (number: Int?) in number.map { lab.sources[$0 - 1] } ?? lab.last }
    switch happening {
    case .load: model.loadItems(from: lab.provider)
    case .refresh: model.refresh()
    case .cancel: model.cancel()
    case .give(let text, let number): source(number).give(words(text))
    case .fail(let error, let number): source(number).end(.failure(error))
    case .finish(let number): source(number).end(.finished)
    }
  }
}

private func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

private let singleLoads = [
  ListCase("static items are idle", items: "a b", [], "idle[a,b]"),
  ListCase("an empty list is idle", [], "idle[]"),
  ListCase("a static list has nothing to refresh", items: "a", [.refresh, .cancel], "idle[a]"),
  ListCase("a load that is answered", [.load, .give("a")], "idle[] loading[] loaded[a]"),
  ListCase(
    "items are shown while the first load runs", items: "s", [.load, .give("a")],
    "idle[s] loading[s] loaded[a]"),
  ListCase(
    "a source that goes on replaces the items and does not load again",
    [.load, .give("a"), .give("a b"), .give("b")],
    "idle[] loading[] loaded[a] loaded[a,b] loaded[b]"),
  ListCase(
    "equal items are not told again", [.load, .give("a"), .give("a"), .give("b")],
    "idle[] loading[] loaded[a] loaded[b]"),
  ListCase("nothing is an answer as well", [.load, .give("")], "idle[] loading[] loaded[]"),
  ListCase(
    "an answer of nothing clears the items", items: "s", [.load, .give("a"), .give("")],
    "idle[s] loading[s] loaded[a] loaded[]"),
  ListCase(
    "a first load that fails", [.load, .fail(.networkError)],
    "idle[] loading[] error(Connection error)[]"),
  ListCase(
    "a first load that fails keeps initial items", items: "s", [.load, .fail(.networkError)],
    "idle[s] loading[s] error(Connection error)[s]"),
]

private let reloads = [
  ListCase(
    "a refresh that is answered", [.load, .give("a"), .refresh, .give("b")],
    "idle[] loading[] loaded[a] loading[a] loaded[b]"),
  ListCase(
    "a refresh that is answered with the same is told", [.load, .give("a"), .refresh, .give("a")],
    "idle[] loading[] loaded[a] loading[a] loaded[a]"),
  ListCase(
    "a refresh that fails keeps the items",
    [.load, .give("a"), .refresh, .fail(.networkError)],
    "idle[] loading[] loaded[a] loading[a] error(Connection error)[a]"),
  ListCase(
    "a refresh clears the error", [.load, .fail(.networkError), .refresh, .give("a")],
    "idle[] loading[] error(Connection error)[] loading[] loaded[a]"),
  ListCase(
    "a load that fails again is told again",
    [.load, .fail(.networkError), .refresh, .fail(.networkError)],
    "idle[] loading[] error(Connection error)[] loading[] error(Connection error)[]"),
  ListCase(
    "a refresh during the first load is not told", [.load, .refresh, .refresh, .give("a")],
    "idle[] loading[] loaded[a]"),
  ListCase(
    "another source shows the old items until it answers",
    [.load, .give("a"), .load, .give("n")], "idle[] loading[] loaded[a] loading[a] loaded[n]"),
  ListCase(
    "a source that fails after it gave something", [.load, .give("a"), .fail(.invalidURL)],
    "idle[] loading[] loaded[a] error(Invalid URL)[a]"),
]

private let overtaken = [
  ListCase(
    "a slow load that was overtaken is not seen",
    [.load, .load, .give("fast"), .give("slow", from: 1)],
    "idle[] loading[] loaded[fast]"),
  ListCase(
    "a slow load that was overtaken is not seen before the other answers",
    [.load, .load, .give("slow", from: 1), .give("fast")], "idle[] loading[] loaded[fast]"),
  ListCase(
    "an old source that goes on is not seen",
    [.load, .give("a"), .load, .give("b"), .give("a2", from: 1)],
    "idle[] loading[] loaded[a] loading[a] loaded[b]"),
  ListCase(
    "neither the failure nor the end of an overtaken load is seen",
    [.load, .refresh, .fail(.networkError, from: 1), .refresh, .finish(from: 2), .give("c")],
    "idle[] loading[] loaded[c]"),
  ListCase(
    "after its failure a source is not heard",
    [.load, .fail(.networkError), .give("a"), .finish()],
    "idle[] loading[] error(Connection error)[]"),
  ListCase(
    "after its end a source is not heard",
    [.load, .finish(), .give("a"), .fail(.networkError)], "idle[] loading[] idle[]"),
]

private let endings = [
  ListCase(
    "an end after an answer changes nothing", [.load, .give("a"), .finish()],
    "idle[] loading[] loaded[a]"),
  ListCase(
    "a first load that ends without an answer leaves the list idle", items: "s",
    [.load, .finish()], "idle[s] loading[s] idle[s]"),
  ListCase(
    "a reload that ends without an answer leaves the list loaded",
    [.load, .give("a"), .refresh, .finish()], "idle[] loading[] loaded[a] loading[a] loaded[a]"),
  ListCase(
    "a reload that ends without an answer takes the error along",
    [.load, .fail(.networkError), .refresh, .finish()],
    "idle[] loading[] error(Connection error)[] loading[] idle[]"),
  ListCase(
    "a first load that is cancelled leaves the list idle", [.load, .cancel, .give("a")],
    "idle[] loading[] idle[]"),
  ListCase(
    "a reload that is cancelled leaves the list loaded",
    [.load, .give("a"), .refresh, .cancel, .give("b")],
    "idle[] loading[] loaded[a] loading[a] loaded[a]"),
  ListCase(
    "a source that goes on can be cancelled", [.load, .give("a"), .cancel, .give("b")],
    "idle[] loading[] loaded[a]"),
  ListCase(
    "a cancelled list can be refreshed", [.load, .cancel, .refresh, .give("a")],
    "idle[] loading[] idle[] loading[] loaded[a]"),
  ListCase(
    "cancelling a failed list keeps its error", [.load, .fail(.networkError), .cancel],
    "idle[] loading[] error(Connection error)[]"),
]
