import Publishers
import Testing

/// An operator under test.
struct Candidate: Sendable, CustomTestStringConvertible {
  typealias Source = AnyPublisher<String, Oops>

  /// The sources that an operator is tested on.
  struct Sources {
    var a: Source
    var b: Source
    var scheduler: VirtualScheduler
  }

  var name: String
  var make: @Sendable (Sources) -> Source
  var testDescription: String { name }

  init<P: Publisher & SendableMetatype>(
    _ name: String, _ make: @escaping @Sendable (Sources) -> P
  ) where P.Output == String, P.Failure == Oops {
    self.name = name
    self.make = { make($0).eraseToAnyPublisher() }
  }
}

private let ms2 = Duration.milliseconds(2)

/// Every operator, on one or two sources.
let candidates: [Candidate] = [
  Candidate("map") { $0.a.map { $0 + "!" } },
  Candidate("filter") { $0.a.filter { $0 != "a" } },
  Candidate("compactMap") { $0.a.compactMap { $0 == "a" ? nil : $0 } },
  Candidate("tryMap") { $0.a.tryMap(notC) },
  Candidate("tryMap to any error") {
    $0.a.tryMap { if $0 == "c" { throw Oops() } else { $0 } }.mapError { _ in Oops() }
  },
  Candidate("tryScan") { $0.a.tryScan("") { old, new throws(Oops) in try old + notC(new) } },
  Candidate("tryScan from the first") {
    $0.a.tryScan { old, new throws(Oops) in try old + notC(new) }
  },
  Candidate("tryDrop(while:)") { $0.a.tryDrop { value throws(Oops) in try notC(value) == "a" } },
  Candidate("tryPrefix(while:)") {
    $0.a.tryPrefix { value throws(Oops) in try notC(value) != "b" }
  },
  Candidate("tryReduce") { $0.a.tryReduce("") { old, new throws(Oops) in try old + notC(new) } },
  Candidate("tryFirst(where:)") {
    $0.a.tryFirst { value throws(Oops) in try notC(value) == "b" }
  },
  Candidate("tryAllSatisfy") {
    $0.a.tryAllSatisfy { value throws(Oops) in try notC(value) == "a" }.map { "\($0)" }
  },
  Candidate("removeDuplicates") { $0.a.removeDuplicates() },
  Candidate("scan") { $0.a.scan("") { $0 + $1 } },
  Candidate("scan from the first") { $0.a.scan { $0 + $1 } },
  Candidate("reduce") { $0.a.reduce("") { $0 + $1 } },
  Candidate("collect(2)") { $0.a.collect(2).map { $0.joined() } },
  Candidate("prefix") { $0.a.prefix(2) },
  Candidate("prefix(while:)") { $0.a.prefix { $0 != "b" } },
  Candidate("prefix(inclusive:while:)") { $0.a.prefix(inclusive: true) { $0 != "b" } },
  Candidate("sample") { $0.a.sample(by: $0.b) },
  Candidate("collect(untilOutputFrom:)") {
    $0.a.collect(untilOutputFrom: $0.b).map { $0.joined() }
  },
  Candidate("dropFirst") { $0.a.dropFirst(2) },
  Candidate("drop(while:)") { $0.a.drop { $0 == "a" } },
  Candidate("prefix(untilOutputFrom:)") { $0.a.prefix(untilOutputFrom: $0.b) },
  Candidate("drop(untilOutputFrom:)") { $0.a.drop(untilOutputFrom: $0.b) },
  Candidate("throttle at leading edges") {
    $0.a.throttle(for: ms2, scheduler: $0.scheduler, latest: false, edges: .leading)
  },
  Candidate("throttle at trailing edges") {
    $0.a.throttle(for: ms2, scheduler: $0.scheduler, latest: true, edges: .trailing)
  },
  Candidate("timeout of the first") {
    $0.a.timeout(ms2, scheduler: $0.scheduler, onlyFirst: true) { Oops() }
  },
  Candidate("first") { $0.a.first() },
  Candidate("last") { $0.a.last() },
  Candidate("merge") { $0.a.merge(with: $0.b) },
  Candidate("combineLatest") { $0.a.combineLatest($0.b) { $0 + $1 } },
  Candidate("zip") { $0.a.zip($0.b) { $0 + $1 } },
  Candidate("merge of many") { MergeMany([$0.a, $0.b, $0.a]) },
  Candidate("combineLatest of many") {
    CombineLatestMany([$0.a, $0.b, $0.a]).map { $0.joined() }
  },
  Candidate("zip of many") { ZipMany([$0.a, $0.b, $0.a]).map { $0.joined() } },
  Candidate("withLatest") { $0.a.withLatest(from: $0.b) { $0 + $1 } },
  Candidate("withLatest from itself") { $0.a.withLatest(from: $0.a) { $0 + $1 } },
  Candidate("concatMap") { $0.a.concatMap { [b = $0.b] in b.prefix(2).prepend($0) } },
  Candidate("exhaustMap") { $0.a.exhaustMap { [b = $0.b] in b.prefix(2).prepend($0) } },
  Candidate("switchMap") { $0.a.switchMap { [b = $0.b] in b.prefix(2).prepend($0) } },
  Candidate("flatMap") { $0.a.flatMap { [b = $0.b] _ in b } },
  Candidate("grouped(by:)") { $0.a.grouped { $0 }.flatMap { $0 } },
  Candidate("flatMap(maxPublishers: 1)") {
    $0.a.flatMap(maxPublishers: .max(1)) { [b = $0.b] _ in b }
  },
  Candidate("switchToLatest") { $0.a.map { [b = $0.b] _ in b }.switchToLatest() },
  Candidate("append") { $0.a.append($0.b) },
  Candidate("prepend") { $0.a.prepend($0.b) },
  Candidate("catch") { $0.a.catch { [b = $0.b] _ in b } },
  Candidate("retry") { $0.a.retry(2) },
  Candidate("replaceError") { $0.a.replaceError(with: "z").setFailureType(to: Oops.self) },
  Candidate("replaceEmpty") { $0.a.replaceEmpty(with: "z") },
  Candidate("debounce") { $0.a.debounce(for: ms2, scheduler: $0.scheduler) },
  Candidate("debounce, flush") { $0.a.debounce(for: ms2, scheduler: $0.scheduler, flush: true) },
  Candidate("throttle") { $0.a.throttle(for: ms2, scheduler: $0.scheduler, latest: true) },
  Candidate("throttle, first") { $0.a.throttle(for: ms2, scheduler: $0.scheduler, latest: false) },
  Candidate("delay") { $0.a.delay(for: ms2, scheduler: $0.scheduler) },
  Candidate("receive(on:)") { $0.a.receive(on: $0.scheduler) },
  Candidate("timeout") { $0.a.timeout(ms2, scheduler: $0.scheduler) { Oops() } },
  Candidate("byTime") { $0.a.collect(.byTime($0.scheduler, ms2)).map { $0.joined() } },
  Candidate("byTimeOrCount") {
    $0.a.collect(.byTimeOrCount($0.scheduler, ms2, 2)).map { $0.joined() }
  },
  Candidate("buffer") { $0.a.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest) },
  Candidate("buffer, by request") {
    $0.a.buffer(size: 2, prefetch: .byRequest, whenFull: .customError { Oops() })
  },
  Candidate("share") { $0.a.share() },
  Candidate("current value") {
    $0.a.multicast(subject: CurrentValueSubject<String, Oops>("z")).autoconnect()
  },
  Candidate("handleEvents") { $0.a.handleEvents() },
  Candidate("immediate") { $0.a.receive(on: ImmediateScheduler()) },
  Candidate("timeline") { sources in
    sources.a.flatMap { value in
      TimelinePublisher<String, Oops, _>(
        moments: [(0, .value(value)), (0, .value("t")), (2000, .value("u")), (2000, .finished)],
        scheduler: sources.scheduler)
    }
  },
  Candidate("buffer, oldest") {
    $0.a.buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest)
  },
  Candidate("buffer of none") {
    $0.a.buffer(size: 0, prefetch: .byRequest, whenFull: .dropNewest)
  },
  Candidate("output(in:)") { $0.a.output(in: 1...2) },
  Candidate("collect") { $0.a.collect().map { $0.joined() } },
  Candidate("count") { $0.a.count().map { "\($0)" } },
  Candidate("contains") { $0.a.contains("b").map { "\($0)" } },
  Candidate("min") { $0.a.min() },
  Candidate("ignoreOutput") { $0.a.ignoreOutput().map { _ -> String in } },
  Candidate("mapError") { $0.a.mapError { $0 } },
  Candidate("measureInterval") { $0.a.measureInterval(using: $0.scheduler).map { "\($0)" } },
  Candidate("erased") { $0.a.map { $0 } },
]

private func notC(_ value: String) throws(Oops) -> String {
  if value == "c" { throw Oops() }
  return value
}
