// swift-tools-version: 6.2
import PackageDescription

// A package as a user would have it. `./check` compiles the code of the documentation against it.
let package = Package(
  name: "outside",
  products: [.library(name: "Outside", targets: ["Probe"])],
  dependencies: [.package(name: "rehearsal", path: "../..")],
  targets: [
    // Stand-ins for modules that this platform lacks, under their names.
    .target(name: "Combine", dependencies: [.product(name: "Publishers", package: "rehearsal")]),
    .target(name: "SwiftUI", dependencies: ["Combine"]),
    .target(
      name: "Reactor", dependencies: [.product(name: "Reactors", package: "rehearsal")]),
    // All products, so that one build makes all modules.
    .target(
      name: "Probe",
      dependencies: [
        "Combine", "SwiftUI", "Reactor",
        .product(name: "StateGraph", package: "rehearsal"),
        .product(name: "Lists", package: "rehearsal"),
        .product(name: "DataProviders", package: "rehearsal"),
        .product(name: "LiveDatabases", package: "rehearsal"),
        .product(name: "LiveConnections", package: "rehearsal"),
        .product(name: "LiveCommunication", package: "rehearsal"),
        .product(name: "Licensing", package: "rehearsal"),
        .product(name: "ScenarioTesting", package: "rehearsal"),
      ]),
  ]
)
