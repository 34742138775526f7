import CEL
import Glibc
import Values

/// Measures compiling and evaluating typical expressions. Prints one JSON line per figure.
func celBenchmark() {
  let slots = FixedSlots([
    .int(7), ["b": "x", "c": [1, 2, 3]], "some text with a word in it",
    .list((0..<100).map { .int($0) }),
  ])
  let expressions = [
    "count % 2 == 0", "a.b == 'x'", "count > 3 && a.b != 'y' ? 'many' : 'few'",
    "text.contains('word') && size(text) > 10", "numbers.filter(n, n % 2 == 0).size() == 50",
    "text.matches('^some .* word')", "a.?c.orValue([]).exists(n, n == 3)",
  ]
  for expression in expressions {
    report(
      "compile-microseconds", expression,
      1e6 / rate { _ = compileCEL(expression, scope: celScope()) })
    guard case .success(let program) = compileCEL(expression, scope: celScope()) else { continue }
    report("evaluations-per-second", expression, rate { _ = program.evaluate(slots) })
  }
}

private func celScope() -> CELScope {
  var scope = CELScope()
  scope.declare("count", type: .int, slot: 0)
  scope.declare("a", slot: 1)
  scope.declare("text", type: .string, slot: 2)
  scope.declare("numbers", type: .list(.int), slot: 3)
  return scope
}

private func report(_ figure: String, _ expression: String, _ value: Double) {
  let unit = figure.hasSuffix("second") ? "1/s" : "us"
  let rounded = (value * 100).rounded() / 100
  print(
    #"{"benchmark":"cel","figure":"\#(figure)","of":"\#(expression)","value":\#(rounded),"#
      + #""unit":"\#(unit)"}"#)
}

/// Returns how often a body runs per second of processor time.
func rate(_ body: () -> Void) -> Double {
  var count = 0
  let start = processorTime()
  var elapsed = 0.0
  while elapsed < 0.3 {
    for _ in 0..<1000 { body() }
    count += 1000
    elapsed = processorTime() - start
  }
  return Double(count) / elapsed
}

func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
