import CBuild
import Glibc
import LiveWorld

keepFreedMemory()

// Figures are lines of JSON in any case.
// Which build has figures is a part of them.
if CommandLine.arguments.dropFirst().elementsEqual(["--version"]) {
  print("Benchmarks \(String(cString: cbuild_commit()))")
  exit(0)
}
let arguments = CommandLine.arguments.dropFirst().filter { $0 != "--json" }
let named = arguments.compactMap { name in benchmarks.first { $0.name == name } }
if arguments.count > 1, named.count == arguments.count {
  // Several names are several benchmarks; else what follows the first is its argument.
  exit(named.map { $0.run([]) }.max() ?? 0)
}
exit(
  benchmarks.first { $0.name == arguments.first }.map { $0.run(Array(arguments.dropFirst())) }
    ?? usage())
