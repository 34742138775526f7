import Publishers
import Testing

/// The results of operators on a source, and on the same source as a publisher of any type.
struct Pair: Sendable, CustomTestStringConvertible {
  let testDescription: String
  private let make: @Sendable () -> [(String, String)]
  var texts: [(String, String)] { make() }

  init(_ name: String, _ make: @escaping @Sendable () -> [(String, String)]) {
    testDescription = name
    self.make = make
  }
}

let pairs = [
  Pair("a value") { one(Just(1)) + one(Just(2)) },
  Pair("an optional") { optional(Optional.Publisher(1)) + optional(Optional.Publisher(2)) },
  Pair("a result") { result(Result.Publisher(1)) + result(Result.Publisher(2)) },
  Pair("a failure") { result(Result.Publisher(Oops())) },
  Pair("a list") { many([1, 2, 2, 3].publisher) + many([3].publisher) + many([].publisher) },
]

/// Hides the type of a publisher, so that it has the operators of any publisher.
private func hidden<P: Publisher>(_ publisher: P) -> some Publisher<P.Output, P.Failure> {
  publisher
}

/// Returns a number, or throws for an even one.
private func odd(_ number: Int) throws -> Int {
  if number.isMultiple(of: 2) { throw Oops() }
  return number
}

private func one(_ a: Just<Int>) -> [(String, String)] {
  let b = hidden(a)
  return [
    (text(a.map { $0 + 1 }), text(b.map { $0 + 1 })),
    (text(a.reduce(1, +)), text(b.reduce(1, +))),
    (text(a.scan(1, +)), text(b.scan(1, +))),
    (text(a.count()), text(b.count())),
    (text(a.collect()), text(b.collect())),
    (text(a.first()), text(b.first())),
    (text(a.last()), text(b.last())),
    (text(a.min()), text(b.min())),
    (text(a.max()), text(b.max())),
    (text(a.min { $0 > $1 }), text(b.min { $0 > $1 })),
    (text(a.max { $0 > $1 }), text(b.max { $0 > $1 })),
    (text(a.contains(2)), text(b.contains(2))),
    (text(a.contains { $0 > 1 }), text(b.contains { $0 > 1 })),
    (text(a.allSatisfy { $0 > 1 }), text(b.allSatisfy { $0 > 1 })),
    (text(a.removeDuplicates()), text(b.removeDuplicates())),
    (text(a.removeDuplicates { $0 > $1 }), text(b.removeDuplicates { $0 > $1 })),
    (text(a.replaceError(with: 9)), text(b.replaceError(with: 9))),
    (text(a.replaceEmpty(with: 9)), text(b.replaceEmpty(with: 9))),
    (text(a.retry(2)), text(b.retry(2))),
    (text(a.tryMap { try odd($0) }), text(b.tryMap { try odd($0) })),
    (text(a.tryContains { try odd($0) > 1 }), text(b.tryContains { try odd($0) > 1 })),
    (text(a.tryAllSatisfy { try odd($0) > 1 }), text(b.tryAllSatisfy { try odd($0) > 1 })),
    (text(a.tryReduce(1) { $0 + (try odd($1)) }), text(b.tryReduce(1) { $0 + (try odd($1)) })),
    (text(a.tryScan(1) { $0 + (try odd($1)) }), text(b.tryScan(1) { $0 + (try odd($1)) })),
    (text(a.compactMap { $0 > 1 ? $0 : nil }), text(b.compactMap { $0 > 1 ? $0 : nil })),
    (text(a.filter { $0 > 1 }), text(b.filter { $0 > 1 })),
    (text(a.first { $0 > 1 }), text(b.first { $0 > 1 })),
    (text(a.last { $0 > 1 }), text(b.last { $0 > 1 })),
    (text(a.dropFirst()), text(b.dropFirst())),
    (text(a.dropFirst(0)), text(b.dropFirst(0))),
    (text(a.drop { $0 > 1 }), text(b.drop { $0 > 1 })),
    (text(a.prefix(0)), text(b.prefix(0))),
    (text(a.prefix(2)), text(b.prefix(2))),
    (text(a.prefix { $0 > 1 }), text(b.prefix { $0 > 1 })),
    (text(a.output(at: 0)), text(b.output(at: 0))),
    (text(a.output(at: 1)), text(b.output(at: 1))),
    (text(a.output(in: 0..<1)), text(b.output(in: 0..<1))),
    (text(a.output(in: 1...)), text(b.output(in: 1...))),
    (text(a.ignoreOutput()), text(b.ignoreOutput())),
    (text(a.append(7, 8)), text(b.append(7, 8))),
    (text(a.append([7])), text(b.append([7]))),
    (text(a.prepend(7, 8)), text(b.prepend(7, 8))),
    (text(a.prepend([7])), text(b.prepend([7]))),
    (text(a.setFailureType(to: Oops.self)), text(b.setFailureType(to: Oops.self))),
    (text(a.mapError { _ -> Oops in }), text(b.mapError { _ -> Oops in })),
  ]
}

private func optional(_ a: Optional<Int>.Publisher) -> [(String, String)] {
  let b = hidden(a)
  return [
    (text(a.map { $0 + 1 }), text(b.map { $0 + 1 })),
    (text(a.reduce(1, +)), text(b.reduce(1, +))),
    (text(a.scan(1, +)), text(b.scan(1, +))),
    (text(a.count()), text(b.count())),
    (text(a.collect()), text(b.collect())),
    (text(a.first()), text(b.first())),
    (text(a.last()), text(b.last())),
    (text(a.min()), text(b.min())),
    (text(a.max()), text(b.max())),
    (text(a.min { $0 > $1 }), text(b.min { $0 > $1 })),
    (text(a.max { $0 > $1 }), text(b.max { $0 > $1 })),
    (text(a.contains(2)), text(b.contains(2))),
    (text(a.contains { $0 > 1 }), text(b.contains { $0 > 1 })),
    (text(a.allSatisfy { $0 > 1 }), text(b.allSatisfy { $0 > 1 })),
    (text(a.removeDuplicates()), text(b.removeDuplicates())),
    (text(a.removeDuplicates { $0 > $1 }), text(b.removeDuplicates { $0 > $1 })),
    (text(a.replaceError(with: 9)), text(b.replaceError(with: 9))),
    (text(a.replaceEmpty(with: 9)), text(b.replaceEmpty(with: 9))),
    (text(a.retry(2)), text(b.retry(2))),
    (text(a.compactMap { $0 > 1 ? $0 : nil }), text(b.compactMap { $0 > 1 ? $0 : nil })),
    (text(a.filter { $0 > 1 }), text(b.filter { $0 > 1 })),
    (text(a.first { $0 > 1 }), text(b.first { $0 > 1 })),
    (text(a.last { $0 > 1 }), text(b.last { $0 > 1 })),
    (text(a.dropFirst()), text(b.dropFirst())),
    (text(a.dropFirst(0)), text(b.dropFirst(0))),
    (text(a.drop { $0 > 1 }), text(b.drop { $0 > 1 })),
    (text(a.prefix(0)), text(b.prefix(0))),
    (text(a.prefix(2)), text(b.prefix(2))),
    (text(a.prefix { $0 > 1 }), text(b.prefix { $0 > 1 })),
    (text(a.output(at: 0)), text(b.output(at: 0))),
    (text(a.output(at: 1)), text(b.output(at: 1))),
    (text(a.output(in: 0..<1)), text(b.output(in: 0..<1))),
    (text(a.output(in: 1...)), text(b.output(in: 1...))),
    (text(a.ignoreOutput()), text(b.ignoreOutput())),
  ]
}

private func result(_ a: Result<Int, Oops>.Publisher) -> [(String, String)] {
  let b = hidden(a)
  return [
    (text(a.map { $0 + 1 }), text(b.map { $0 + 1 })),
    (text(a.reduce(1, +)), text(b.reduce(1, +))),
    (text(a.scan(1, +)), text(b.scan(1, +))),
    (text(a.count()), text(b.count())),
    (text(a.collect()), text(b.collect())),
    (text(a.first()), text(b.first())),
    (text(a.last()), text(b.last())),
    (text(a.min()), text(b.min())),
    (text(a.max()), text(b.max())),
    (text(a.min { $0 > $1 }), text(b.min { $0 > $1 })),
    (text(a.max { $0 > $1 }), text(b.max { $0 > $1 })),
    (text(a.contains(2)), text(b.contains(2))),
    (text(a.contains { $0 > 1 }), text(b.contains { $0 > 1 })),
    (text(a.allSatisfy { $0 > 1 }), text(b.allSatisfy { $0 > 1 })),
    (text(a.removeDuplicates()), text(b.removeDuplicates())),
    (text(a.removeDuplicates { $0 > $1 }), text(b.removeDuplicates { $0 > $1 })),
    (text(a.replaceError(with: 9)), text(b.replaceError(with: 9))),
    (text(a.replaceEmpty(with: 9)), text(b.replaceEmpty(with: 9))),
    (text(a.retry(2)), text(b.retry(2))),
    (text(a.tryMap { try odd($0) }), text(b.tryMap { try odd($0) })),
    (text(a.tryContains { try odd($0) > 1 }), text(b.tryContains { try odd($0) > 1 })),
    (text(a.tryAllSatisfy { try odd($0) > 1 }), text(b.tryAllSatisfy { try odd($0) > 1 })),
    (text(a.tryReduce(1) { $0 + (try odd($1)) }), text(b.tryReduce(1) { $0 + (try odd($1)) })),
    (text(a.tryScan(1) { $0 + (try odd($1)) }), text(b.tryScan(1) { $0 + (try odd($1)) })),
    (text(a.mapError { $0 }), text(b.mapError { $0 })),
    (text(a.filter { $0 > 1 }), text(b.filter { $0 > 1 })),
  ]
}

private func many(_ a: SequencePublisher<[Int], Never>) -> [(String, String)] {
  let b = hidden(a)
  return [
    (text(a.map { $0 + 1 }), text(b.map { $0 + 1 })),
    (text(a.reduce(1, +)), text(b.reduce(1, +))),
    (text(a.scan(1, +)), text(b.scan(1, +))),
    (text(a.count()), text(b.count())),
    (text(a.collect()), text(b.collect())),
    (text(a.first()), text(b.first())),
    (text(a.last()), text(b.last())),
    (text(a.min()), text(b.min())),
    (text(a.max()), text(b.max())),
    (text(a.min { $0 > $1 }), text(b.min { $0 > $1 })),
    (text(a.max { $0 > $1 }), text(b.max { $0 > $1 })),
    (text(a.contains(2)), text(b.contains(2))),
    (text(a.contains { $0 > 1 }), text(b.contains { $0 > 1 })),
    (text(a.allSatisfy { $0 > 1 }), text(b.allSatisfy { $0 > 1 })),
    (text(a.removeDuplicates()), text(b.removeDuplicates())),
    (text(a.removeDuplicates { $0 > $1 }), text(b.removeDuplicates { $0 > $1 })),
    (text(a.replaceError(with: 9)), text(b.replaceError(with: 9))),
    (text(a.replaceEmpty(with: 9)), text(b.replaceEmpty(with: 9))),
    (text(a.tryMap { try odd($0) }), text(b.tryMap { try odd($0) })),
    (text(a.tryContains { try odd($0) > 1 }), text(b.tryContains { try odd($0) > 1 })),
    (text(a.tryAllSatisfy { try odd($0) > 1 }), text(b.tryAllSatisfy { try odd($0) > 1 })),
    (text(a.tryReduce(1) { $0 + (try odd($1)) }), text(b.tryReduce(1) { $0 + (try odd($1)) })),
    (text(a.tryScan(1) { $0 + (try odd($1)) }), text(b.tryScan(1) { $0 + (try odd($1)) })),
    (text(a.compactMap { $0 > 1 ? $0 : nil }), text(b.compactMap { $0 > 1 ? $0 : nil })),
    (text(a.filter { $0 > 1 }), text(b.filter { $0 > 1 })),
    (text(a.first { $0 > 1 }), text(b.first { $0 > 1 })),
    (text(a.last { $0 > 1 }), text(b.last { $0 > 1 })),
    (text(a.dropFirst()), text(b.dropFirst())),
    (text(a.dropFirst(0)), text(b.dropFirst(0))),
    (text(a.drop { $0 > 1 }), text(b.drop { $0 > 1 })),
    (text(a.prefix(2)), text(b.prefix(2))),
    (text(a.prefix { $0 > 1 }), text(b.prefix { $0 > 1 })),
    (text(a.output(at: 0)), text(b.output(at: 0))),
    (text(a.output(at: 1)), text(b.output(at: 1))),
    (text(a.output(in: 0..<1)), text(b.output(in: 0..<1))),
    (text(a.output(in: 1...)), text(b.output(in: 1...))),
    (text(a.ignoreOutput()), text(b.ignoreOutput())),
    (text(a.append(7, 8)), text(b.append(7, 8))),
    (text(a.append([7])), text(b.append([7]))),
    (text(a.prepend(7, 8)), text(b.prepend(7, 8))),
    (text(a.prepend([7])), text(b.prepend([7]))),
    (text(a.setFailureType(to: Oops.self)), text(b.setFailureType(to: Oops.self))),
    (text(a.prefix(while: { $0 < 3 })), text(b.prefix(while: { $0 < 3 }))),
    (text(a.drop(while: { $0 < 3 })), text(b.drop(while: { $0 < 3 }))),
  ]
}
