import Combine

@propertyWrapper @MainActor public struct State<Value> {
  private final class Box {
    var value: Value
    init(_ value: Value) { self.value = value }
  }
  private let box: Box
  public init(wrappedValue: Value) { box = Box(wrappedValue) }
  public var wrappedValue: Value {
    get { box.value }
    nonmutating set { box.value = newValue }
  }
  public var projectedValue: Binding<Value> {
    Binding(get: { box.value }, set: { box.value = $0 })
  }
}

extension State where Value: ExpressibleByNilLiteral {
  public init() { self.init(wrappedValue: nil) }
}

@propertyWrapper @MainActor public struct Binding<Value> {
  private let get: () -> Value
  private let set: (Value) -> Void
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    (self.get, self.set) = (get, set)
  }
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }
}

@propertyWrapper @MainActor public struct StateObject<Object: ObservableObject> {
  public let wrappedValue: Object
  public init(wrappedValue: @autoclosure () -> Object) { self.wrappedValue = wrappedValue() }
}

@propertyWrapper @MainActor public struct EnvironmentObject<Object: ObservableObject> {
  public init() {}
  public var wrappedValue: Object { fatalError("nothing is drawn") }
}
