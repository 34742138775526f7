// swift-tools-version: 6.2
import PackageDescription

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

// Debian has the sources of llhttp, which are compiled in. Elsewhere it is a library.
let hasSourcesOfParser = access("/usr/share/llhttp/llhttp.c", R_OK) == 0

// The manifest is the architecture diagram: rooms stand in the order of the journey from text to
// verdict, and arrows (dependencies) only point further down this page.
let package = Package(
  name: "rehearsal",
  products: [
    .executable(name: "rehearse", targets: ["rehearse"]),
    .library(name: "StateGraph", targets: ["StateGraph"]),
    .library(name: "Reactors", targets: ["Reactors"]),
    .library(name: "Lists", targets: ["Lists", "DataProviders"]),
    .library(name: "DataProviders", targets: ["DataProviders", "LiveProviders"]),
    .library(name: "LiveDatabases", targets: ["LiveDatabases"]),
    .library(name: "LiveConnections", targets: ["LiveConnections", "ConnectionLoops"]),
    .library(name: "LiveCommunication", targets: ["LiveCommunication"]),
    .library(name: "Licensing", targets: ["Licensing"]),
    .library(name: "Publishers", targets: ["Publishers", "RealSchedulers"]),
    .library(name: "ScenarioTesting", targets: ["ScenarioTesting", "VirtualTime", "Values"]),
  ],
  targets: [
    // command
    .executableTarget(
      name: "rehearse",
      dependencies: [
        "ScenarioRuns", "Imports", "TraceRecording", "Reports", "Verdicts", "ScenarioEngine",
        "Events", "ScenarioPlan", "ScenarioSpec", "YAMLSyntax", "VirtualPrograms", "LiveWorld",
        "World", "Protocols", "Traces", "CEL", "Patterns", "Secrets", "TextSearch", "Values",
        "Explanations", "Diagnostics", "CTexts", "CBuild", "CLinux",
      ]),
    .target(
      name: "ScenarioTesting",
      dependencies: [
        "ScenarioRuns", "TraceRecording", "Verdicts", "ScenarioEngine", "Events", "ScenarioPlan",
        "Reactors", "VirtualTime", "DataProviders", "ConnectionLoops", "Publishers", "World",
        "Timers", "Traces", "Protocols", "Secrets", "Values", "Diagnostics",
      ]),
    .target(
      name: "ScenarioRuns",
      dependencies: [
        "TraceRecording", "Verdicts", "ScenarioEngine", "Events", "ScenarioPlan", "ScenarioSpec",
        "YAMLSyntax", "VirtualPrograms", "LiveWorld", "World", "Protocols", "Traces", "Secrets",
        "TextSearch", "Values", "Diagnostics", "CTexts",
      ]),
    .target(
      name: "Imports",
      dependencies: [
        "TraceRecording", "Verdicts", "Events", "ScenarioSpec", "YAMLSyntax", "Protocols",
        "Traces", "Secrets", "TextSearch", "Values", "Diagnostics",
      ]),
    // judging
    .target(
      name: "TraceRecording",
      dependencies: [
        "Verdicts", "Events", "ScenarioPlan", "Protocols", "Traces", "Secrets", "TextSearch",
        "Values", "Diagnostics",
      ]),
    .target(
      name: "Reports",
      dependencies: [
        "Verdicts", "Events", "Traces", "Protocols", "Secrets", "TextSearch", "Values",
        "Diagnostics", "CTexts",
      ]),
    .target(
      name: "Verdicts",
      dependencies: [
        "Events", "ScenarioPlan", "World", "Protocols", "JSONSchemas", "CEL", "Secrets",
        "TextSearch", "Values", "Diagnostics",
      ]),
    // living
    .target(
      name: "ScenarioEngine",
      dependencies: [
        "Events", "ScenarioPlan", "GraphCore", "ReactorPolicies", "DataProviders",
        "LiveConnections", "Publishers", "Cancellables", "Databases", "World", "Protocols", "CEL",
        "Secrets", "TextSearch", "Values", "Diagnostics",
      ]),
    .target(
      name: "Events", dependencies: ["ScenarioPlan", "World", "Secrets", "Values", "Diagnostics"]),
    // waist
    .target(
      name: "ScenarioPlan",
      dependencies: [
        "ScenarioSpec", "World", "JSONSchemas", "CEL", "Secrets", "TextSearch", "Values",
        "Diagnostics",
      ]),
    // reading
    .target(
      name: "ScenarioSpec",
      dependencies: [
        "YAMLSyntax", "World", "CEL", "Secrets", "TextSearch", "Values", "Diagnostics",
      ]),
    .target(name: "YAMLSyntax", dependencies: ["CLibYAML", "TextSearch", "Values", "Diagnostics"]),
    // libraries of live objects
    .target(
      name: "Licensing",
      dependencies: [
        "RealSchedulers", "Publishers", "LiveWorld", "World", "Protocols", "Values", "COpenSSL",
      ]),
    .target(name: "Reactors", dependencies: ["GraphCore", "ReactorPolicies", "Publishers"]),
    .target(name: "ReactorPolicies"),
    .target(name: "StateGraph", dependencies: ["GraphCore"]),
    .target(name: "GraphCore", dependencies: ["Cancellables", "CThreadState"]),
    .target(
      name: "LiveDatabases",
      dependencies: [
        "Lists", "RealSchedulers", "Publishers", "World", "Databases", "JSONCoding", "Values",
      ]),
    .target(
      name: "LiveProviders",
      dependencies: ["Lists", "ConnectionLoops", "RealSchedulers", "Publishers", "JSONCoding"]),
    .target(name: "Lists", dependencies: ["DataProviders", "RealSchedulers", "Publishers"]),
    .target(name: "DataProviders", dependencies: ["Publishers"]),
    .target(
      name: "LiveCommunication", dependencies: ["ConnectionLoops", "LiveConnections", "Publishers"]),
    .target(
      name: "ConnectionLoops",
      dependencies: [
        "LiveConnections", "Publishers", "LiveWorld", "World", "JSONCoding", "Protocols", "Values",
        "TextSearch",
      ]),
    .target(name: "LiveConnections", dependencies: ["World", "Protocols"]),
    .target(name: "RealSchedulers", dependencies: ["Publishers"]),
    .target(name: "VirtualTime", dependencies: ["World", "Timers", "CTaskHooks"]),
    .target(name: "Publishers", dependencies: ["Cancellables", "Timers"]),
    // ground
    .target(name: "Cancellables"),
    .target(
      name: "VirtualPrograms",
      dependencies: ["LiveWorld", "World", "Diagnostics", "CWarden", "CLinux"]),
    .target(name: "LiveWorld", dependencies: ["TextSearch", "World", "CLinux", "COpenSSL"]),
    .target(name: "World", dependencies: ["TextSearch", "Timers", "Values"]),
    .target(name: "Timers"),
    .target(name: "Databases", dependencies: ["CSQLite", "TextSearch", "Values", "Diagnostics"]),
    .target(name: "Traces", dependencies: ["Protocols", "TextSearch", "Values", "Diagnostics"]),
    .target(name: "Secrets", dependencies: ["TextSearch", "Values"]),
    .target(
      name: "Protocols",
      dependencies: ["CHTTPParser", "CWslay", "CCompression", "TextSearch", "Values"]),
    .target(
      name: "JSONSchemas", dependencies: ["Patterns", "TextSearch", "Values", "Diagnostics"]),
    .target(name: "JSONCoding", dependencies: ["Values"]),
    .target(name: "CEL", dependencies: ["Patterns", "TextSearch", "Values", "Diagnostics"]),
    .target(name: "Patterns", dependencies: ["CPCRE2"]),
    .target(name: "Values", dependencies: ["TextSearch", "CDigests"]),
    .target(name: "Explanations", dependencies: ["Diagnostics", "TextSearch", "CTexts"]),
    .target(name: "Diagnostics", dependencies: ["TextSearch"]),
    .target(name: "TextSearch"),
    // glue
    .systemLibrary(name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),
    .systemLibrary(name: "CWslay", providers: [.apt(["libwslay-dev"])]),
    .target(name: "CSQLite", dependencies: ["CLoading"]),
    .target(name: "CCompression", dependencies: ["CLoading"]),
    .target(name: "CLoading"),
    .target(name: "CHTTPParser", dependencies: hasSourcesOfParser ? [] : ["CLLHTTP"]),
    .systemLibrary(
      name: "CLLHTTP", pkgConfig: "libllhttp",
      providers: [.apt(["libllhttp-dev"]), .yum(["llhttp-devel"]), .brew(["llhttp"])]),
    .target(name: "COpenSSL"),
    .target(name: "CTexts", exclude: ["diagnostics", "first", "page"]),
    .target(name: "CBuild"),
    .target(name: "CLinux"),
    .target(name: "CWarden"),
    .target(name: "CTaskHooks"),
    .target(name: "CThreadState"),
    .target(name: "CDigests"),
    // tests mirror the sources
    .testTarget(name: "DiagnosticsTests", dependencies: ["Diagnostics"]),
    .testTarget(name: "ValuesTests", dependencies: ["Values"]),
    .testTarget(name: "SecretsTests", dependencies: ["Secrets", "Values"]),
    .testTarget(
      name: "CELTests", dependencies: ["TestKit", "CEL", "Values", "Explanations", "Diagnostics"]),
    .testTarget(
      name: "TracesTests",
      dependencies: ["TestKit", "Traces", "JSONSchemas", "Values", "Diagnostics"]),
    .testTarget(name: "JSONSchemasTests", dependencies: ["JSONSchemas", "Values"]),
    .testTarget(
      name: "DatabasesTests",
      dependencies: ["TestKit", "Databases", "CSQLite", "CLoading", "Values"]),
    .testTarget(name: "ProtocolsTests", dependencies: ["Protocols", "Values"]),
    .testTarget(name: "TimersTests", dependencies: ["Timers"]),
    .testTarget(name: "WorldTests", dependencies: ["World"]),
    .testTarget(name: "LiveWorldTests", dependencies: ["TestKit", "LiveWorld", "World"]),
    .testTarget(
      name: "VirtualProgramsTests",
      dependencies: [
        "TestKit", "ScenarioRuns", "VirtualPrograms", "CWarden", "TimeMechanisms",
        "WardenTrial", "Diagnostics",
      ]),
    .testTarget(name: "VirtualTimeTests", dependencies: ["VirtualTime"]),
    .testTarget(
      name: "ScenarioTestingTests",
      dependencies: [
        "TestKit", "ScenarioTesting", "Licensing", "Reactors", "VirtualTime", "DataProviders",
        "ConnectionLoops", "Publishers", "Values", "COpenSSL",
      ]),
    .testTarget(name: "StateGraphTests", dependencies: ["StateGraph"]),
    .testTarget(
      name: "PublishersTests", dependencies: ["Publishers", "RealSchedulers", "JSONCoding"]),
    .testTarget(
      name: "ConnectionLoopsTests",
      dependencies: [
        "ConnectionLoops", "LiveCommunication", "LiveConnections", "Publishers", "LiveWorld",
        "World",
      ]),
    .testTarget(
      name: "LiveConnectionsTests",
      dependencies: ["LiveConnections", "World", "Protocols"]),
    .testTarget(name: "JSONCodingTests", dependencies: ["JSONCoding"]),
    .testTarget(
      name: "LicensingTests",
      dependencies: ["Licensing", "Publishers", "LiveWorld", "Values", "COpenSSL"]),
    .testTarget(name: "DataProvidersTests", dependencies: ["DataProviders", "Publishers"]),
    .testTarget(
      name: "LiveProvidersTests",
      dependencies: ["LiveDatabases", "LiveProviders", "Lists", "ConnectionLoops", "Publishers"]),
    .testTarget(
      name: "ReactorsTests",
      dependencies: [
        "TestKit", "ScenarioRuns", "Verdicts", "Events", "ScenarioPlan", "Reactors",
        "ReactorPolicies", "GraphCore", "StateGraph", "Publishers", "Values",
      ]),
    .testTarget(
      name: "YAMLSyntaxTests",
      dependencies: ["TestKit", "YAMLSyntax", "CLibYAML", "Values", "Explanations", "Diagnostics"]),
    .testTarget(
      name: "ScenarioSpecTests",
      dependencies: [
        "TestKit", "ScenarioSpec", "YAMLSyntax", "JSONSchemas", "Values", "Explanations",
        "Diagnostics",
      ]),
    .testTarget(
      name: "ScenarioPlanTests",
      dependencies: [
        "TestKit", "ScenarioRuns", "ScenarioEngine", "ScenarioPlan", "CEL", "Values",
        "Explanations", "Diagnostics",
      ]),
    .testTarget(
      name: "ScenarioEngineTests",
      dependencies: [
        "ScenarioEngine", "ScenarioRuns", "Verdicts", "Events", "ScenarioPlan", "LiveWorld",
        "World", "Protocols", "Values", "Diagnostics",
      ]),
    .testTarget(
      name: "VerdictsTests",
      dependencies: [
        "Verdicts", "Events", "ScenarioPlan", "ScenarioSpec", "CEL", "Values", "Explanations",
        "Diagnostics",
      ]),
    .testTarget(
      name: "ReportsTests",
      dependencies: [
        "TestKit", "Reports", "Verdicts", "Events", "Traces", "Protocols", "JSONSchemas",
        "Secrets", "Values", "Diagnostics",
      ]),
    .testTarget(
      name: "rehearseTests",
      dependencies: [
        "TestKit", "rehearse", "ScenarioRuns", "Verdicts", "ScenarioSpec", "YAMLSyntax", "CEL",
        "Values", "Explanations", "Diagnostics",
      ]),
    .testTarget(
      name: "CorpusTests",
      dependencies: [
        "TestKit", "ScenarioRuns", "Imports", "TraceRecording", "Verdicts",
        "ScenarioEngine", "Events", "ScenarioPlan", "ScenarioSpec", "YAMLSyntax", "LiveWorld",
        "World", "Protocols",
        "ConnectionLoops", "Traces", "JSONSchemas", "Secrets", "Values", "Explanations",
        "Diagnostics",
      ]),
    .testTarget(
      name: "ConformanceTests",
      dependencies: [
        "TestKit", "AutobahnPeers", "JSONSchemas", "CEL", "Values",
      ]),
    .testTarget(name: "TidyTests", dependencies: ["TestKit"]),
    // what several of the tests use
    .executableTarget(name: "TimeMechanisms", path: "Tests/TimeMechanisms"),
    .executableTarget(name: "WardenTrial", dependencies: ["CWarden"], path: "Tests/WardenTrial"),
    .executableTarget(
      name: "AutobahnPeers", dependencies: ["Protocols", "World"], path: "Tests/AutobahnPeers"),
    .target(
      name: "TestKit",
      dependencies: [
        "ScenarioRuns", "TraceRecording", "Verdicts", "ScenarioEngine", "ScenarioPlan", "Traces",
        "Values", "Explanations", "Diagnostics",
      ],
      path: "Tests/TestKit"),
  ]
)

// Build servers make one optimised build for the shipped scenarios and for the tests that go over all
// of a corpus, which a debug build only samples. Those see what is internal; they themselves need no
// optimiser, which would take longer than they do.
if Context.environment["REHEARSE_CORPUS_TESTS"] != nil {
  let tests = ["CorpusTests", "ConformanceTests"]
  package.targets.removeAll { $0.type == .test && !tests.contains($0.name) }
  for target in package.targets where target.type != .system {
    let speed = tests.contains(target.name) || target.name == "TestKit" ? ["-Onone"] : []
    target.swiftSettings = [
      .unsafeFlags(["-enable-testing"] + speed, .when(configuration: .release))
    ]
  }
}
