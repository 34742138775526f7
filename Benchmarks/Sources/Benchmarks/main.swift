import Glibc

// Benchmarks [--program PATH] [NAME…]      prints each figure as a line of JSON
// Benchmarks compare OLD NEW [NAME…]       measures two programs in turns

let benchmarks: [Benchmark] = programBenchmarks + productBenchmarks

func main() async -> Int32 {
  var words = Array(CommandLine.arguments.dropFirst())
  var program = "../.build/install/release/rehearse"
  if words.first == "compare" {
    guard words.count >= 3 else { return usage() }
    return await compare(words[1], words[2], named(Array(words.dropFirst(3))) ?? [])
  }
  if words.first == "--program" {
    guard words.count >= 2 else { return usage() }
    program = words[1]
    words.removeFirst(2)
  }
  guard let chosen = named(words) else { return usage() }
  do {
    for benchmark in chosen {
      for figure in try await benchmark.measure(Program(path: program)) {
        print(figure.json(of: benchmark.name))
        fflush(nil)
      }
    }
    return 0
  } catch {
    print(error)
    return 1
  }
}

/// Returns the benchmarks of names, or all without one; nil if there is no such benchmark.
func named(_ names: [String]) -> [Benchmark]? {
  if names.isEmpty { return benchmarks }
  let found = names.compactMap { name in benchmarks.first { $0.name == name } }
  return found.count == names.count ? found : nil
}

func usage() -> Int32 {
  print(
    """
    usage: Benchmarks [--program PATH] [NAME…]
           Benchmarks compare OLD NEW [NAME…]
    names: \(benchmarks.map(\.name).joined(separator: ", "))
    """)
  return 2
}

exit(await main())
