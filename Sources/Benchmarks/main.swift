import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
let chosen = benchmarks.first { $0.name == arguments.first }
exit(chosen.map { $0.run(Array(arguments.dropFirst())) } ?? usage())
