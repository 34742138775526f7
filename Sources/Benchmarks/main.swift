import Glibc

let arguments = CommandLine.arguments
if arguments.count > 1, arguments[1] == "cel" {
  celBenchmark()
} else if arguments.count > 2, arguments[1] == "cel-conformance" {
  exit(celConformance(folder: arguments[2]))
}
