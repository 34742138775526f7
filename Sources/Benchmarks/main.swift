import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())

let benchmarks: [(name: String, run: ([String]) -> Int32)] = [
  ("suite", { suiteBenchmark(only: $0.first); return 0 }),
  ("load", { _ in loadBenchmark(); return 0 }),
]

guard let name = arguments.first, let chosen = benchmarks.first(where: { $0.name == name }) else {
  print("usage: Benchmarks NAME; one of: " + benchmarks.map(\.name).joined(separator: ", "))
  exit(2)
}
exit(chosen.run(Array(arguments.dropFirst())))
