import DataProviders
import Testing

/// A view state, and the appearance of a list in it.
struct Look: Sendable {
  let state: LoadingState<ServiceError>
  let items: [String]
  let visual: VisualState
  var hasPlaceholderRows = false
}

@Suite struct ListViewStateTests {
  @Test(arguments: [
    Look(state: .idle, items: [], visual: .list),
    Look(state: .idle, items: ["a"], visual: .list),
    Look(state: .loading, items: [], visual: .spinner),
    Look(state: .loading, items: ["a"], visual: .list, hasPlaceholderRows: true),
    Look(state: .loaded, items: [], visual: .list),
    Look(state: .loaded, items: ["a"], visual: .list),
    Look(state: .error(.networkError), items: [], visual: .errorScreen),
    Look(state: .error(.networkError), items: ["a"], visual: .list),
  ])
  func `a list looks like one thing in each of its states`(_ look: Look) {
    let view = WordsView(look.state, items: look.items)
    #expect(view.visual == look.visual)
    #expect(view.hasPlaceholderRows == look.hasPlaceholderRows)
    #expect(view.shouldShowLoading == (look.visual == .spinner))
    #expect(view.shouldShowError == (look.visual == .errorScreen))
    #expect(view.shouldShowList == (look.visual == .list))
    #expect(view.isLoading == (look.state == .loading))
    #expect(view.isLoaded == (look.state == .loaded))
    #expect(view.error == look.state.error)
  }

  @Test func `states are the same when they are of one kind, and errors when they are the same`() {
    let states: [LoadingState<ServiceError>] = [
      .idle, .loading, .loaded, .error(.networkError), .error(.invalidURL),
    ]
    for (first, left) in states.enumerated() {
      for (second, right) in states.enumerated() {
        #expect(left.isSame(as: right) == (first == second))
        #expect((left == right) == (first == second))
      }
    }
  }

  @Test func `errors that cannot be compared are the same when they read the same`() {
    struct Opaque: Error, CustomStringConvertible {
      let description: String
      let number: Int
    }
    let error = LoadingState.error(Opaque(description: "gone", number: 1))
    #expect(error.isSame(as: .error(Opaque(description: "gone", number: 2))))
    #expect(!error.isSame(as: .error(Opaque(description: "lost", number: 1))))
  }

  @Test func `errors that can be compared are the same when their values are`() {
    struct Coded: Error, Equatable, CustomStringConvertible {
      let code: Int
      var description: String { "failed" }
    }
    typealias Known = LoadingState<Coded>
    typealias Unknown = LoadingState<any Error>
    #expect(!Known.error(Coded(code: 1)).isSame(as: .error(Coded(code: 2))))
    #expect(!Unknown.error(Coded(code: 1)).isSame(as: .error(Coded(code: 2))))
    #expect(Unknown.error(Coded(code: 1)).isSame(as: .error(Coded(code: 1))))
    #expect(!Unknown.error(Coded(code: 1)).isSame(as: .error(ServiceError.networkError)))
    #expect(
      Known.error(Coded(code: 1)).isSame(
        as: .error(Coded(code: 2)), comparingErrors: Known.haveSameText))
  }
}
