import Diagnostics
import Glibc
import YAMLFormatting
import YAMLSyntax

/// Measures reading YAML text into trees: one large file, and many files of a scenario's size.
func yamlBenchmark() {
  let large = SourceFile(path: "large", text: scenarioText(bytes: 1 << 20))
  report(file: "large", repetitions: 10, large)
  let small = SourceFile(path: "small", text: scenarioText(bytes: 1024))
  report(file: "small", repetitions: 5000, small)
}

/// Measures writing files of a scenario's size in the one form, with the proof that it is the same.
func formatBenchmark() {
  let file = SourceFile(path: "small", text: scenarioText(bytes: 1024))
  var best = Double.infinity
  for _ in 0..<5 {
    let start = processorSeconds()
    for _ in 0..<2000 where formatYAML(file) == .refused([]) { print("refused") }
    best = min(best, (processorSeconds() - start) / 2000)
  }
  print(
    """
    {"benchmark":"fmt","figure":"1kb-files","value":\(rounded(1 / best)),"unit":"1/CPU-s"}
    """)
}

private func report(file name: String, repetitions: Int, _ file: SourceFile) {
  var best = Double.infinity
  for _ in 0..<5 {
    let start = processorSeconds()
    for _ in 0..<repetitions where parseYAML(file, index: 0).value.isEmpty {
      print("no document in \(name)")
    }
    best = min(best, (processorSeconds() - start) / Double(repetitions))
  }
  let throughput = Double(file.bytes.count) / best / 1e6
  let figure = name == "large" ? "throughput" : "throughput-1kb-files"
  print(
    """
    {"benchmark":"yaml","figure":"\(figure)","value":\(rounded(throughput)),"unit":"MB/s"}
    """)
  guard name == "small" else { return }
  print(#"{"benchmark":"yaml","figure":"1kb-file","value":\#(rounded(best * 1e6)),"unit":"us"}"#)
}

private func rounded(_ number: Double) -> Double { (number * 10).rounded() / 10 }

private func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Returns steps as in scenarios, repeated until there are about this many bytes.
private func scenarioText(bytes: Int) -> String {
  var text = """
    scenario: A counter tells its parity
    tags: [state-graph, generated]
    graph:
      count: 0                                   # a stored node
      isEven: { computed: count % 2 == 0 }       # a computed node
      displayText:
        computed: "'Count: ' + string(count) + (isEven ? ' (even)' : ' (odd)')"
    steps:

    """
  var turn = 0
  while text.utf8.count < bytes {
    turn += 1
    text += """
        - set: { count: \(turn) }
        - expect:                                # each source's own sequence
            isEven: \(turn % 2 == 0)
            displayText: "Count: \(turn)"
            api: { get: /items/\(turn), headers: { accept: application/json } }
          within: 2s
        - check: count == \(turn) && isEven == \(turn % 2 == 0)

      """
  }
  return text
}
