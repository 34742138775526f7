import StateGraph
import Testing

/// A todo list, a gallery, a coordinator, a form and a loading screen.
@Suite struct ExampleTests {

  @Test func `a todo list filters, counts and delivers each change once`() {
    let model = TodoModel()
    var lists: [[String]] = []
    var completed: [Int] = []
    var remaining: [Int] = []
    let token = withGraphTracking {
      model.$filtered.onChange { lists.append($0.map(\.title)) }
      model.$completedCount.onChange { completed.append($0) }
      model.$remainingCount.onChange { remaining.append($0) }
    }
    model.todos.append(Todo(title: "milk"))
    model.todos.append(Todo(title: "bread"))
    model.filter = .completed
    model.todos[0].isCompleted.toggle()
    #expect(lists == [[], ["milk"], ["milk", "bread"], [], ["milk"]])
    #expect(completed == [0, 1])
    #expect(remaining == [0, 1, 2, 1])
    model.todos.removeAll { $0.isCompleted }
    #expect(lists.last == [])
    #expect([completed.last, remaining.last] == [0, 1])
    #expect(model.filtered.count == 0)
    token.cancel()
  }

  @Test func `a form is valid when all its fields are`() {
    let form = FormModel()
    var valid: [Bool] = []
    var perField: [Int] = [0, 0, 0]
    let token = withGraphTracking {
      form.$isFormValid.onChange { valid.append($0) }
      for (index, node) in [form.$isNameValid, form.$isPasswordValid, form.$isConfirmed]
        .enumerated()
      {
        node.onChange(initial: false) { _ in perField[index] += 1 }
      }
    }
    for name in ["A", "An", "Ann", "Anna"] { form.name = name }
    form.password = "secret"
    form.password = "secret1"
    form.confirmation = "secret"
    form.confirmation = "secret1"
    #expect(valid == [false, true])
    #expect(perField == [1, 1, 2])
    token.cancel()
  }

  @Test func `loading comes before error, error before data, and data before emptiness`() {
    let model = LoadingModel()
    var states: [LoadingModel.ViewState] = []
    let token = withGraphTracking { model.$viewState.onChange { states.append($0) } }
    model.isLoading = true
    Graph.shared.transaction {
      model.isLoading = false
      model.data = ["a"]
    }
    model.isLoading = true
    Graph.shared.transaction {
      model.isLoading = false
      model.data = ["a", "b"]
    }
    #expect(states == [.empty, .loading, .loaded(["a"]), .loading, .loaded(["a", "b"])])
    model.error = "offline"
    #expect(states.last == .error("offline"))
    token.cancel()
  }

  @Test func `a coordinator navigates once per screen and frees itself`() {
    weak var freed: Coordinator?
    do {
      let coordinator = Coordinator()
      freed = coordinator
      coordinator.screen = "detail"
      coordinator.screen = "detail"
      coordinator.screen = "settings"
      #expect(coordinator.pushed == ["home", "detail", "settings"])
    }
    #expect(freed == nil)
  }

  @Test func `a nested optional model is tracked through`() {
    let child = Coordinator()
    let parent = Graph.shared.stored(Coordinator?.none, areEqual: { $0 === $1 })
    var heard: [String?] = []
    let token = withGraphTrackingMap(
      { parent.value?.screen }, onChange: { heard.append($0) })
    parent.set(child)
    child.screen = "nested"
    parent.set(nil)
    child.screen = "unseen"
    #expect(heard == [nil, "home", "nested", nil])
    token.cancel()
  }

  @Test func `property observers see every assignment, and computed nodes see it too`() {
    let model = ObservedModel()
    model.value = 4
    model.value = 4
    #expect(model.log == ["will 0 4", "did 0 4 double 8", "will 4 4", "did 4 4 double 8"])
  }

  @Test func `a node can be shared between models`() {
    let service = TodoModel()
    let copy = SharedModel(service.$todos)
    service.todos.append(Todo(title: "shared"))
    #expect(copy.todos.map(\.title) == ["shared"])
    copy.todos = []
    #expect(service.todos.isEmpty)
  }
}

private struct Todo: Equatable {
  var title: String
  var isCompleted = false
}

private final class TodoModel {
  enum Filter { case all, active, completed }

  @GraphStored var todos: [Todo] = []
  @GraphStored var filter: Filter = .all
  @GraphComputed var filtered: [Todo]
  @GraphComputed var completedCount: Int
  @GraphComputed var remainingCount: Int

  init() {
    self.$filtered = .init { [$todos, $filter] _ in
      switch $filter.wrappedValue {
      case .all: $todos.wrappedValue
      case .active: $todos.wrappedValue.filter { !$0.isCompleted }
      case .completed: $todos.wrappedValue.filter(\.isCompleted)
      }
    }
    self.$completedCount = .init { [$todos] _ in $todos.wrappedValue.count(where: \.isCompleted) }
    self.$remainingCount = .init { [$todos] _ in
      $todos.wrappedValue.count { !$0.isCompleted }
    }
  }
}

private final class SharedModel {
  @GraphStored var todos: [Todo] = []

  init(_ node: Stored<[Todo]>) { self.$todos = node }
}

private final class FormModel {
  @GraphStored var name = ""
  @GraphStored var password = ""
  @GraphStored var confirmation = ""
  @GraphComputed var isNameValid: Bool
  @GraphComputed var isPasswordValid: Bool
  @GraphComputed var isConfirmed: Bool
  @GraphComputed var isFormValid: Bool

  init() {
    self.$isNameValid = .init { [$name] _ in $name.wrappedValue.count >= 3 }
    self.$isPasswordValid = .init { [$password] _ in $password.wrappedValue.count >= 6 }
    self.$isConfirmed = .init { [$password, $confirmation] _ in
      $password.wrappedValue == $confirmation.wrappedValue
    }
    self.$isFormValid = .init { [$isNameValid, $isPasswordValid, $isConfirmed] _ in
      [$isNameValid, $isPasswordValid, $isConfirmed].allSatisfy(\.wrappedValue)
    }
  }
}

private final class LoadingModel {
  enum ViewState: Equatable {
    case loading
    case error(String)
    case loaded([String])
    case empty
  }

  @GraphStored var isLoading = false
  @GraphStored var error: String? = nil
  @GraphStored var data: [String] = []
  @GraphComputed var viewState: ViewState

  init() {
    self.$viewState = .init { [$isLoading, $error, $data] _ in
      if $isLoading.wrappedValue { return .loading }
      if let error = $error.wrappedValue { return .error(error) }
      return $data.wrappedValue.isEmpty ? .empty : .loaded($data.wrappedValue)
    }
  }
}

private final class Coordinator {
  @GraphStored var screen = "home"
  private(set) var pushed: [String] = []
  private var subscription: AnyCancellable?

  init() {
    subscription = withGraphTracking {
      self.$screen.onChange { [weak self] in self?.pushed.append($0) }
    }
  }
}

private final class ObservedModel {
  @GraphComputed var double: Int
  @GraphStored var value: Int = 0 {
    willSet { log.append("will \(value) \(newValue)") }
    didSet { log.append("did \(oldValue) \(value) double \(double)") }
  }
  var log: [String] = []

  init() {
    self.$double = .init { [$value] _ in $value.wrappedValue * 2 }
  }
}
