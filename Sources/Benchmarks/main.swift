import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
let named = arguments.compactMap { name in benchmarks.first { $0.name == name } }
if arguments.count > 1, named.count == arguments.count {
  // Several names are several benchmarks; else what follows the first is its argument.
  exit(named.map { $0.run([]) }.max() ?? 0)
}
exit(
  benchmarks.first { $0.name == arguments.first }.map { $0.run(Array(arguments.dropFirst())) }
    ?? usage())
