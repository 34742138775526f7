import Publishers

private let count = 1_000_000

/// Measures the values per second that pass each operator, with a million values each.
func operatorsBenchmark() {
  chains()
  single()
  results()
  failing()
  ends()
  combined()
  inner()
  timed()
}

/// Returns a source of numbers, one by one: a publisher that is known to be of a sequence would
/// compute the results of many operators at once.
private func numbers(_ range: Range<Int>) -> some Publisher<Int, Never> { range.publisher }

private func chains() {
  figure("chain of map, filter, removeDuplicates, subject") { sink in
    let subject = PassthroughSubject<Int, Never>()
    let token = sink(subject.map { $0 &* 3 }.filter { $0 & 1 == 0 }.removeDuplicates())
    for value in 0..<count { subject.send(value) }
    token.cancel()
  }
  figure("chain of map, filter, removeDuplicates, sequence") {
    _ = $0(numbers(0..<count).map { $0 &* 3 }.filter { $0 & 1 == 0 }.removeDuplicates())
  }
  figure("chain of map, filter, removeDuplicates, erased") {
    _ = $0(
      numbers(0..<count).map { $0 &* 3 }.filter { $0 & 1 == 0 }.removeDuplicates()
        .eraseToAnyPublisher())
  }
  figure("current value subject") { sink in
    let subject = CurrentValueSubject<Int, Never>(0)
    let token = sink(subject)
    for value in 0..<count { subject.send(value) }
    token.cancel()
  }
}

private func single() {
  let source = numbers(0..<count)
  figure("sequence") { _ = $0(source) }
  figure("map") { _ = $0(source.map { $0 &+ 1 }) }
  figure("filter") { _ = $0(source.filter { $0 & 1 == 0 }) }
  figure("compactMap") { _ = $0(source.compactMap { $0 & 1 == 0 ? $0 : nil }) }
  figure("removeDuplicates") { _ = $0(source.removeDuplicates()) }
  figure("removeDuplicates(by:)") { _ = $0(source.removeDuplicates { $0 == $1 }) }
  figure("scan") { _ = $0(source.scan(0) { $0 &+ $1 }) }
  figure("scan from the first") { _ = $0(source.scan { $0 &+ $1 }) }
  figure("replaceNil") { _ = $0(source.map { Optional($0) }.replaceNil(with: 0)) }
  figure("reduce") { _ = $0(source.reduce(0) { $0 &+ $1 }) }
  figure("collect") { _ = $0(source.collect().map(\.count)) }
  figure("collect(10)") { _ = $0(source.collect(10).map(\.count)) }
  figure("prefix") { _ = $0(source.prefix(count)) }
  figure("prefix(while:)") { _ = $0(source.prefix { $0 >= 0 }) }
  figure("dropFirst") { _ = $0(source.dropFirst(10)) }
  figure("last") { _ = $0(source.last()) }
  figure("handleEvents") { _ = $0(source.handleEvents(receiveOutput: { keep($0) })) }
  figure("buffer") {
    _ = $0(source.buffer(size: 16, prefetch: .keepFull, whenFull: .dropNewest))
  }
  figure("share") { _ = $0(source.share()) }
  figure("multicast") { sink in
    let shared = source.multicast { PassthroughSubject() }
    let token = sink(shared)
    shared.connect().cancel()
    token.cancel()
  }
  figure("retry") { _ = $0(source.retry(1)) }
  figure("append") { _ = $0(source.append(1)) }
}

private func failing() {
  let source = numbers(0..<count).setFailureType(to: NoMore.self)
  func failing<P: Publisher>(_ name: String, _ publisher: P)
  where P.Output == Int, P.Failure == NoMore {
    figure(name) { _ = $0(publisher.catch { _ in Empty() }) }
  }
  failing("mapError", source.mapError { $0 })
  failing("tryMap", source.tryMap { $0 &+ 1 })
  failing("tryCompactMap", source.tryCompactMap { $0 & 1 == 0 ? $0 : nil })
  failing("tryFilter", source.tryFilter { $0 & 1 == 0 })
  failing("tryScan", source.tryScan(0) { $0 &+ $1 })
  failing("tryScan from the first", source.tryScan { $0 &+ $1 })
  failing("tryRemoveDuplicates", source.tryRemoveDuplicates { $0 == $1 })
  failing("tryDrop(while:)", source.tryDrop { $0 < 10 })
  failing("tryPrefix(while:)", source.tryPrefix { $0 >= 0 })
  failing("tryReduce", source.tryReduce(0) { $0 &+ $1 })
  failing("tryFirst(where:)", source.tryFirst { $0 == count - 1 })
  failing("tryAllSatisfy", source.tryAllSatisfy { $0 >= 0 }.map { $0 ? 1 : 0 })
  figure("tryMap to any error") {
    _ = $0(source.tryMap { value throws in value &+ 1 }.replaceError(with: 0))
  }
}

private func results() {
  let source = numbers(0..<count)
  figure("count") { _ = $0(source.count()) }
  figure("first(where:)") { _ = $0(source.first { $0 == count - 1 }) }
  figure("min") { _ = $0(source.min()) }
  figure("max") { _ = $0(source.max()) }
  figure("contains") { _ = $0(source.contains(-1).map { $0 ? 1 : 0 }) }
  figure("allSatisfy") { _ = $0(source.allSatisfy { $0 >= 0 }.map { $0 ? 1 : 0 }) }
  figure("ignoreOutput") { _ = $0(source.ignoreOutput().count()) }
  figure("output(in:)") { _ = $0(source.output(in: 10...)) }
  figure("drop(while:)") { _ = $0(source.drop { $0 < 10 }) }
  figure("prefix(untilOutputFrom:)") {
    _ = $0(source.prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false)))
  }
  figure("drop(untilOutputFrom:)") { _ = $0(source.drop(untilOutputFrom: Just(1))) }
}

private func ends() {
  let source = numbers(0..<count)
  figure("setFailureType") { _ = $0(source.setFailureType(to: Never.self)) }
  figure("replaceEmpty") { _ = $0(source.replaceEmpty(with: 1)) }
  figure("catch") {
    let failing = source.setFailureType(to: NoMore.self)
    _ = $0(failing.catch { _ in Just(1) })
  }
  figure("replaceError") {
    _ = $0(source.setFailureType(to: NoMore.self).replaceError(with: 1))
  }
  figure("prepend") { _ = $0(source.prepend(1)) }
}

private func combined() {
  let source = numbers(0..<count)
  let half = numbers(0..<count / 2)
  figure("merge") { _ = $0(half.merge(with: half)) }
  figure("zip") { _ = $0(half.zip(half) { $0 &+ $1 }) }
  figure("combineLatest") { _ = $0(half.combineLatest(half) { $0 &+ $1 }) }
  figure("withLatest") { _ = $0(source.withLatest(from: Just(1)) { $0 &+ $1 }) }
  figure("combineLatest of 8") { sink in
    let subjects = (0..<8).map { CurrentValueSubject<Int, Never>($0) }
    let token = sink(CombineLatestMany(subjects).map { $0[0] })
    for value in 0..<count { subjects[value & 7].send(value) }
    token.cancel()
  }
  figure("zip of 8") { sink in
    let subjects = (0..<8).map { _ in PassthroughSubject<Int, Never>() }
    let token = sink(ZipMany(subjects).map { $0[0] })
    for value in 0..<count { subjects[value & 7].send(value) }
    token.cancel()
  }
  figure("fan-out to 64") { sink in
    let subject = PassthroughSubject<Int, Never>()
    let tokens = (0..<64).map { _ in sink(subject) }
    for value in 0..<count / 64 { subject.send(value) }
    for token in tokens { token.cancel() }
  }
}

private func inner() {
  let source = numbers(0..<count)
  figure("flatMap to Just") { _ = $0(source.flatMap { Just($0) }) }
  figure("concatMap to Just") { _ = $0(source.concatMap { Just($0) }) }
  figure("exhaustMap to Just") { _ = $0(source.exhaustMap { Just($0) }) }
  figure("switchMap to Just") { _ = $0(source.switchMap { Just($0) }) }
  figure("flatMap to 1000 each") {
    _ = $0(numbers(0..<count / 1000).flatMap { ($0..<$0 + 1000).publisher })
  }
  figure("concatMap to 1000 each") {
    _ = $0(numbers(0..<count / 1000).concatMap { ($0..<$0 + 1000).publisher })
  }
}

/// Measures values from 64 sources through one merge.
func merge64Benchmark() {
  figure("merge64", in: "merge64") { sink in
    let subjects = (0..<64).map { _ in PassthroughSubject<Int, Never>() }
    let token = sink(MergeMany(subjects))
    for value in 0..<count { subjects[value & 63].send(value) }
    token.cancel()
  }
  figure("merge64 of sequences", in: "merge64") { sink in
    _ = sink(MergeMany((0..<64).map { ($0..<$0 + count / 64).publisher }))
  }
  figure("merge64, erased", in: "merge64") { sink in
    let subjects = (0..<64).map { _ in PassthroughSubject<Int, Never>() }
    let token = sink(MergeMany(subjects.map { $0.eraseToAnyPublisher() }).eraseToAnyPublisher())
    for value in 0..<count { subjects[value & 63].send(value) }
    token.cancel()
  }
}

/// Measures bursts of values through `debounce` and `throttle`, and a thousand of them side by
/// side.
func debounceBenchmark() {
  timedFigure("debounce storm", in: "debounce") { source, scheduler in
    source.debounce(for: .milliseconds(1), scheduler: scheduler)
  }
  timedFigure("debounce storm with flush", in: "debounce") { source, scheduler in
    source.debounce(for: .milliseconds(1), scheduler: scheduler, flush: true)
  }
  timedFigure("throttle", in: "debounce") {
    $0.throttle(for: .milliseconds(1), scheduler: $1, latest: true)
  }
  timedFigure("throttle, first", in: "debounce") {
    $0.throttle(for: .milliseconds(1), scheduler: $1, latest: false)
  }
  debounceOfMany()
}

private func timed() {
  timedFigure("debounce") { $0.debounce(for: .milliseconds(1), scheduler: $1) }
  timedFigure("throttle") { $0.throttle(for: .milliseconds(1), scheduler: $1, latest: true) }
  timedFigure("delay") { $0.delay(for: .microseconds(100), scheduler: $1) }
  timedFigure("receive(on:)") { $0.receive(on: $1) }
  timedFigure("timeout") { $0.timeout(.seconds(1), scheduler: $1) }
  timedFigure("measureInterval") { source, scheduler in
    source.measureInterval(using: scheduler).map { $0 == .zero ? 1 : 0 }
  }
  timedFigure("collect(byTime)") { source, scheduler in
    source.collect(.byTime(scheduler, .milliseconds(1))).map(\.count)
  }
  timedFigure("collect(byTimeOrCount)") { source, scheduler in
    source.collect(.byTimeOrCount(scheduler, .milliseconds(1), 100)).map(\.count)
  }
  figure("timeline") { sink in
    let scheduler = VirtualScheduler()
    let moments = (0..<count).map { (at: Int64($0), event: TimelineEvent<Int, Never>.value($0)) }
    let token = sink(TimelinePublisher(moments: moments, scheduler: scheduler))
    scheduler.run(atMost: count + 1)
    token.cancel()
  }
}

/// Measures a thousand debounced fields that change at the same time.
private func debounceOfMany() {
  let scheduler = VirtualScheduler()
  let log = Sum()
  let fields = (0..<1_000).map { _ in PassthroughSubject<Int, Never>() }
  let tokens = fields.map { field in
    field.debounce(for: .milliseconds(5), scheduler: scheduler).sink { log.total &+= $0 }
  }
  let time = nanoseconds {
    for value in 0..<count {
      fields[value % 1_000].send(value)
      if value % 1_000 == 999 { scheduler.advance(by: .milliseconds(1)) }
    }
    scheduler.run()
  }
  for token in tokens { token.cancel() }
  report("debounce storm in 1000 fields", in: "debounce", time)
}

/// Sends a value each microsecond of virtual time.
private func timedFigure<P: Publisher>(
  _ name: String, in benchmark: String = "operators",
  _ make: (PassthroughSubject<Int, Never>, VirtualScheduler) -> P
) where P.Output == Int, P.Failure == Never {
  figure(name, in: benchmark) { sink in
    let scheduler = VirtualScheduler()
    let subject = PassthroughSubject<Int, Never>()
    let token = sink(make(subject, scheduler))
    for value in 0..<count {
      subject.send(value)
      scheduler.advance(to: Int64(value))
    }
    subject.send(completion: .finished)
    scheduler.run()
    token.cancel()
  }
}

private struct NoMore: Error {}

/// The sum of the values that arrive.
private final class Sum {
  var total = 0
}

/// A function that attaches a sink to a publisher of any type.
private struct SinkMaker {
  let sum = Sum()

  @inline(__always)
  func callAsFunction<P: Publisher>(_ publisher: P) -> AnyCancellable
  where P.Output == Int, P.Failure == Never {
    publisher.sink { [sum] in sum.total &+= $0 }
  }
}

@inline(__always)
private func figure(
  _ name: String, in benchmark: String = "operators", _ work: (SinkMaker) -> Void
) {
  let sink = SinkMaker()
  report(name, in: benchmark, nanoseconds { work(sink) })
  keep(sink.sum.total)
}

private func report(_ name: String, in benchmark: String, _ time: Double) {
  let millions = Double(count) / time * 1e3
  printFigure(benchmark, name, (millions * 10).rounded() / 10, "million values per second")
}

private func nanoseconds(_ work: () -> Void) -> Double {
  let start = processorTime()
  work()
  return (processorTime() - start) * 1e9
}

/// Keeps the optimiser from removing a value that is never read.
@inline(never)
private func keep<Value>(_ value: Value) {}
