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

  @Test func `a node's own observer is called for each assignment, also of an equal value`() {
    let node = Stored(0)
    let double = Computed { _ in node.wrappedValue * 2 }
    var log: [String] = []
    node.onDidSet { log.append("\($0) \($1) double \(double.value)") }
    node.set(10)
    node.wrappedValue = 10
    #expect(log == ["0 10 double 20", "10 10 double 20"])
    node.onDidSet { _, new in log.append("second \(new)") }
    node.set(11)
    #expect(log.last == "second 11" && log.count == 3)
    node.onDidSet(nil)
    node.set(12)
    #expect(log.count == 3)
  }

  @Test func `a node's own observer sees the assignments of a transaction, and no rollback`() {
    let graph = Graph()
    let (node, other) = (graph.stored(1), graph.stored(0))
    var log: [String] = []
    var delivered: [Int] = []
    let token = graph.observe(other, initial: false) { delivered.append($0) }
    node.onDidSet { [other] old, new in
      log.append("\(old) \(new)")
      other.set(new)
    }
    graph.transaction {
      node.set(2)
      node.set(3)
      #expect(other.value == 3 && delivered.isEmpty)
    }
    #expect(log == ["1 2", "2 3"] && delivered == [3])
    #expect(throws: CancellationError.self) {
      try graph.transaction {
        node.set(4)
        throw CancellationError()
      }
    }
    #expect(log.last == "3 4" && log.count == 3)
    #expect(node.value == 3 && other.value == 3 && delivered == [3])
    token.cancel()
  }

  @Test func `a node's own observer may set the node, and adds no reads to a group`() {
    let graph = Graph()
    let (node, limit) = (graph.stored(0), graph.stored(10))
    var runs = 0
    node.onDidSet { [unowned node, limit] _, new in
      if new > limit.value { node.set(limit.value) }
    }
    let group = withGraphTrackingGroup(in: graph) { [node] in
      runs += 1
      node.set(50)
    }
    #expect(node.value == 10)
    limit.set(20)
    #expect(runs == 1)
    group.cancel()
  }

  @Test func `an assignment that a rule is not allowed to make calls no observer`() {
    let graph = Graph()
    graph.onDiagnostic = { _ in }
    let node = graph.stored(1)
    var calls = 0
    node.onDidSet { _, _ in calls += 1 }
    let rule = graph.computed { [node] _ in
      node.set(2)
      return node.value
    }
    #expect(rule.value == 1 && calls == 0)
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
