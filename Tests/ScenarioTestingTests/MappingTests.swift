import Reactors
import ScenarioTesting
import Testing
import Values

@Suite struct MappingTests {
  struct Person: Codable, Equatable {
    var name: String
    var age: Int?
  }

  enum Shape {
    case point
    case circle(radius: Double)
    case label(String)
    case box(Int, Int)
  }

  enum Level: String { case low = "LOW" }

  struct Status: Error { var status: Int }

  final class Loop { var next: Loop? }

  @Test func `a Swift value has one form in scenarios`() {
    let values: [(Any, Value)] = [
      (1, 1), (UInt8(3), 3), (1.5, 1.5), (true, true), ("a", "a"), (Int?.none as Any, .null),
      (Optional(2) as Any, 2), ([1, 2], [1, 2]), (["b": 1, "a": 2], ["a": 2, "b": 1]),
      (Set([3, 1, 2]), [1, 2, 3]), (Person(name: "Ada", age: nil), ["name": "Ada", "age": .null]),
      (Shape.point, "point"), (Shape.circle(radius: 2), ["circle": ["radius": 2.0]]),
      (Shape.label("x"), ["label": "x"]), (Shape.box(1, 2), ["box": [1, 2]]),
      (Level.low, "LOW"), (AsyncLoad<Int>.none, "none"), (AsyncLoad<Int>.loading, "loading"),
      (AsyncLoad.loaded([1]), ["loaded": [1]]),
      (AsyncLoad<Int>.error(Status(status: 503)), ["error": ["status": 503]]),
      (CachedAsyncLoad.loading(Optional(4)), ["loading": 4]),
      (Duration.milliseconds(1500), .duration(TimeSpan(seconds: 1, nanoseconds: 500_000_000))),
    ]
    for (value, form) in values { #expect(Value(reflecting: value) == form, "\(value)") }
  }

  @Test func `a circle of objects has an end`() {
    let loop = Loop()
    loop.next = loop
    #expect(Value(reflecting: loop).plainText.isEmpty == false)
    loop.next = nil
  }

  @Test func `values become Swift values`() throws {
    let person: Person = try (["name": "Ada", "age": 36] as Value).decoded()
    #expect(person == Person(name: "Ada", age: 36))
    let people: [Person] = try ([["name": "Ada"]] as Value).decoded()
    #expect(people == [Person(name: "Ada", age: nil)])
    #expect(throws: ScenarioValueError.self) { try (["name": 1] as Value).decoded(as: Person.self) }
  }

  @Test func `an error names the part that does not fit`() {
    let error = #expect(throws: ScenarioValueError.self) {
      try ([["name": "Ada"], ["name": 7]] as Value).decoded(as: [Person].self)
    }
    #expect(error?.description == "`[1].name`: text is needed, not 7")
  }
}
