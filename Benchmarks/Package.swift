// swift-tools-version: 6.2
import PackageDescription

// What users feel, measured from outside: the program as a process, and products as a package of
// others has them. See docs/decisions/measured-figures.md.
let package = Package(
  name: "benchmarks",
  dependencies: [.package(name: "rehearsal", path: "..")],
  targets: [
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        .product(name: "StateGraph", package: "rehearsal"),
        .product(name: "Reactors", package: "rehearsal"),
        .product(name: "Publishers", package: "rehearsal"),
      ])
  ]
)
