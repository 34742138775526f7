import DataProviders
import Publishers
import Testing

struct Chore: Equatable {
  var title: String
  var isDone = false
}

/// Lists as programs use them, fed by a service.
@Suite struct ServiceTests {
  @Test func `the example of the documentation does what it says`() {
    final class ChoreService {
      func loadChores() -> AnyPublisher<[Chore], ServiceError> {
        Just([Chore(title: "Water the plants")])
          .setFailureType(to: ServiceError.self).eraseToAnyPublisher()
      }
    }
    var printed: [String] = []
    let service = ChoreService()
    let chores = ListModel { service.loadChores() }
    let token = chores.viewStates.sink { printed.append("\($0.visual) \($0.items.count)") }
    chores.refresh()
    #expect(printed == ["list 1", "list 1", "list 1"])
    token.cancel()
  }

  @Test func `a list of a publisher subscribes to it again when it is refreshed`() {
    var count = 0
    let chores = Deferred {
      count += 1
      return Just([Chore(title: "Load \(count)")]).setFailureType(to: ServiceError.self)
    }
    let model = ListModel(publisher: chores, initialItems: [Chore(title: "Old")])
    #expect(model.items.map(\.title) == ["Load 1"])
    model.refresh()
    #expect(model.items.map(\.title) == ["Load 2"])
  }

  @Test func `an answer that cannot be read is an error of that name`() {
    let answers = PassthroughSubject<String, ServiceError>()
    let model = ListModel { answers.tryMap(decode).mapError { $0 as! ServiceError } }
    answers.send("Water the plants;Feed the cat")
    #expect(model.items.map(\.title) == ["Water the plants", "Feed the cat"])
    answers.send("<html>")
    #expect(model.error == .decodingError)
    #expect(model.error.map { "\($0)" } == "Error processing data")
    #expect(model.visual == .list)
  }

  @Test func `a file that is missing is an error screen at once`() {
    let model = ListModel<Chore, ServiceError> { Fail(error: .fileNotFound) }
    #expect(model.error == .fileNotFound)
    #expect(model.visual == .errorScreen)
  }

  @Test func `when the network is back a refresh clears the error`() {
    var isOnline = false
    let model = ListModel<Chore, ServiceError> {
      isOnline
        ? Just([Chore(title: "a")]).setFailureType(to: ServiceError.self).eraseToAnyPublisher()
        : Fail(error: .networkError).eraseToAnyPublisher()
    }
    #expect(model.error.map { "\($0)" } == "Connection error")
    isOnline = true
    model.refresh()
    #expect(model.error == nil)
    #expect(model.viewState.isLoaded)
    #expect(model.items.map(\.title) == ["a"])
  }

  @Test func `what is written to a database is seen without a refresh`() {
    let table = CurrentValueSubject<[Chore], ServiceError>([])
    let model = ListModel { table }
    var states: [LoadingState<ServiceError>] = []
    model.onChange = { states.append($0.loadingState) }
    table.value.append(Chore(title: "a"))
    table.value.append(Chore(title: "b"))
    #expect(model.items.map(\.title) == ["a", "b"])
    #expect(states == [.loaded, .loaded])
  }

  @Test func `a listener without a snapshot shows an empty list, and its error is its end`() {
    let snapshots = PassthroughSubject<[Chore]?, ServiceError>()
    let model = ListModel { snapshots.map { $0 ?? [] } }
    snapshots.send([Chore(title: "a")])
    snapshots.send(nil)
    #expect(model.viewState == ListViewState(.loaded))
    #expect(model.visual == .list)
    snapshots.send(completion: .failure(.networkError))
    snapshots.send([Chore(title: "b")])
    #expect(model.viewState == ListViewState(.error(.networkError)))
  }

  @Test func `another filter shows the old items until its own are there`() {
    let scheduler = VirtualScheduler()
    let all = [Chore(title: "a", isDone: true), Chore(title: "b")]
    func chores(where isMeant: @escaping (Chore) -> Bool) -> DataProvider<Chore, ServiceError> {
      DataProvider {
        Just(all.filter(isMeant)).delay(for: .seconds(1), scheduler: scheduler)
          .setFailureType(to: ServiceError.self)
      }
    }
    let model = ListModel(dataProvider: chores { _ in true })
    #expect(scheduler.run())
    model.loadItems(from: chores { $0.isDone })
    #expect(model.isLoading)
    #expect(model.items == all)
    #expect(scheduler.run())
    #expect(model.items == [all[0]])
  }

  @Test func `a list of errors that are nothing but errors works as well`() {
    let subject = PassthroughSubject<[Int], any Error>()
    let model = ListModel { subject }
    subject.send([1])
    subject.send(completion: .failure(ServiceError.invalidURL))
    #expect(model.viewState.loadingState.isSame(as: .error(ServiceError.invalidURL)))
    #expect(model.items == [1])
  }
}

private func decode(_ text: String) throws -> [Chore] {
  if text.hasPrefix("<") { throw ServiceError.decodingError }
  return text.split(separator: ";").map { Chore(title: String($0)) }
}
