import Diagnostics
import Glibc
import LiveWorld
import Protocols
import ScenarioPlan
import ScenarioSpec
import Verdicts
import VirtualPrograms
import World

/// The world in which scenarios run.
package enum WorldKind: Sendable, Equatable {
  /// Mocks in memory, in virtual time.
  case mock
  /// Mocks on sockets of this machine, in real time.
  case sockets
  /// The endpoints at their URLs.
  indirect case real(RealWorldSettings)
  /// The answers of a trace, in virtual time.
  indirect case trace(TraceWorld)
  /// A world for each endpoint, by choice of the command line and of the scenario.
  indirect case chosen(WorldChoices)

  /// The name on the command line; that of the unnamed endpoints where each has a world.
  package var name: String { worldName.rawValue }

  var worldName: WorldName {
    switch self {
    case .mock: .mock
    case .sockets: .sockets
    case .real: .real
    case .trace: .trace
    case .chosen(let choices): choices.others ?? .mock
    }
  }

  package var trace: TraceWorld? { if case .trace(let trace) = self { trace } else { nil } }
}

/// The settings of connections to real endpoints.
package struct RealWorldSettings: Sendable, Equatable {
  /// A file of certificates to trust, besides those of the system.
  package var trustedFile: String?
  /// The files of the client's own certificate and its key.
  package var certificate: (file: String, key: String)?
  /// Accepts any certificate.
  package var isInsecure = false
  /// Leaves out the comparison of real endpoints with their mocks.
  package var ignoresDrift = false
  /// The proxies; nil leaves them to the environment.
  package var proxies: ProxySettings?

  package init() {}

  /// The settings for servers behind mocks: with the proxies of this process, as other programs
  /// have them.
  static var ofServersBehind: RealWorldSettings {
    var settings = RealWorldSettings()
    settings.proxies = ProxySettings { name in getenv(name).map { String(cString: $0) } }
    return settings
  }

  /// The problem with the files of certificates and keys; nil if there is none.
  package var fileProblem: String? {
    trustedFile == nil && certificate == nil ? nil : TLSContext(security).problem
  }

  package static func == (one: RealWorldSettings, other: RealWorldSettings) -> Bool {
    one.trustedFile == other.trustedFile && one.isInsecure == other.isInsecure
      && one.ignoresDrift == other.ignoresDrift && one.proxies == other.proxies
      && one.certificate?.file == other.certificate?.file
      && one.certificate?.key == other.certificate?.key
  }

  fileprivate var security: TLSClientSettings {
    var settings = TLSClientSettings()
    settings.trustedFile = trustedFile
    settings.verifies = !isInsecure
    settings.identity = certificate.map { .files(certificate: $0.file, key: $0.key) }
    return settings
  }
}

extension ScenarioPlan {
  /// Returns whether the scenario runs in real time in this world.
  package func runsInRealTime(in world: WorldKind) -> Bool {
    // A choice of worlds takes long to copy, and most scenarios leave none.
    if case .mock = world, against.choosesNothing { return runsInRealTime(on: []) }
    return runsInRealTime(on: worlds(in: world))
  }

  /// Returns whether time is real, if endpoints are in these worlds.
  func runsInRealTime(on worlds: [WorldName]) -> Bool {
    isInRealTime || !hasVirtualPrograms && worlds.contains { $0 == .sockets || $0 == .real }
  }

  /// The URLs that mocks pass requests on to.
  fileprivate var proxies: [DataPlan] {
    endpoints.flatMap { endpoint in
      endpoint.routes.flatMap(\.proxies) + (endpoint.proxy.map { [$0.url] } ?? [])
    }
  }

  /// Returns the first reason why one of these endpoints cannot be real; nil if there is none.
  func problemOfURLs(of names: Set<String>?) -> Diagnostic? {
    let wanted = endpoints.filter { names?.contains($0.name) ?? true }
    if let endpoint = wanted.first(where: { $0.address == nil }) {
      return .endpointWithoutURL(endpoint)
    }
    return wanted.lazy.compactMap(\.problemOfURL).first
  }

  /// Returns the endpoints that are no mocks in a run with programs.
  func endpointsOfOthers(in kind: WorldKind) -> Set<String> {
    guard case .success(let chosen) = world(in: kind) else { return [] }
    switch chosen.kind {
    case .mock, .sockets, .trace: return servers
    case .real: return chosen.realEndpoints ?? Set(endpoints.map(\.name))
    case .chosen: return []
    }
  }

  /// The endpoints that a program may be: they have a URL, and no mock.
  var servers: Set<String> {
    Set(endpoints.filter { !$0.hasMock && $0.address != nil }.map(\.name))
  }
}

/// The reason why there is no world for a plan.
struct NoWorld: Error {
  var reason: Diagnostic
  var obstacle: Verdict.Obstacle

  init(_ reason: Diagnostic, _ obstacle: Verdict.Obstacle = .system) {
    self.reason = reason
    self.obstacle = obstacle
  }
}

/// Makes a world for one run of a plan.
func makeWorld(
  _ chosen: WorldOfRun, for plan: ScenarioPlan, seed: Int
) -> Result<RunWorld, NoWorld> {
  if let problem = chosen.kind.trace?.problem(for: plan) {
    return .failure(NoWorld(problem, .scenario))
  }
  let kind = plan.programs.isEmpty ? chosen.kind : chosen.kind.withPrograms
  if case .mock = kind, let url = plan.proxies.first {
    return .failure(NoWorld(.proxyWithoutSockets(url), .scenario))
  }
  let world: Result<RunWorld, NoWorld> =
    plan.hasVirtualPrograms || plan.runsInRealTime(in: kind)
    ? makeWorldOfSockets(
      WorldOfRun(kind, realEndpoints: chosen.realEndpoints), for: plan, seed: seed)
    : .success(.simulated())
  guard plan.clock.isMachines(usually: plan.hasUsuallyMachineTime(in: kind)) else { return world }
  return world.map { world in
    var world = world
    world.readMachineTime()
    return world
  }
}

extension ScenarioPlan {
  /// Returns whether the time of day is usually that of the machine: programs and services have it.
  fileprivate func hasUsuallyMachineTime(in kind: WorldKind) -> Bool {
    if hasVirtualPrograms { return false }
    switch kind {
    case .mock, .sockets, .trace, .chosen: return !programs.isEmpty
    case .real: return true
    }
  }
}

extension WorldKind {
  /// The world in which programs run: they cannot reach what is only in memory.
  fileprivate var withPrograms: WorldKind {
    switch self {
    case .mock: .sockets
    case .sockets, .real, .trace, .chosen: self
    }
  }
}

private func makeWorldOfSockets(
  _ chosen: WorldOfRun, for plan: ScenarioPlan, seed: Int
) -> Result<RunWorld, NoWorld> {
  let kind = chosen.kind
  if case .real = kind, let problem = plan.problemOfURLs(of: chosen.realEndpoints) {
    return .failure(NoWorld(problem, .scenario))
  }
  if plan.hasVirtualPrograms, let real = plan.serverInRealTime(in: chosen) {
    return .failure(NoWorld(.virtualTimeBesideServer(real), .scenario))
  }
  raiseFileLimit()
  let scheduler = Scheduler()
  let virtual: GuardedPrograms?
  do { virtual = try makeVirtualPrograms(of: plan, seed: seed) } catch {
    return .failure(NoWorld(error.diagnostic(at: plan.virtualTime)))
  }
  guard let loop = EventLoop(scheduler, virtual) else {
    return .failure(NoWorld(.noFilesLeft(plan)))
  }
  let launcher = ProcessLauncher(on: loop, starting: virtual.map { $0.start })
  switch kind {
  case .trace where !plan.programs.isEmpty:
    return .success(worldOfPrograms(on: loop, for: plan, launcher))
  case .mock, .trace, .chosen:
    let network = MemoryNetwork(on: scheduler)
    return .success(RunWorld(scheduler: scheduler, network: network, wall: loop))
  case .sockets:
    if !plan.programs.isEmpty { return .success(worldOfPrograms(on: loop, for: plan, launcher)) }
    let network = SocketNetwork(on: loop)
    network.keepsPieces = true
    var world = RunWorld(scheduler: scheduler, network: network, wall: loop)
    world.reachBehind = reach(by: network, .ofServersBehind)
    world.listen(on: network)
    return .success(world)
  case .real(let settings):
    let network = SocketNetwork(on: loop)
    var world = RunWorld(
      scheduler: scheduler, network: network, wall: loop, reach: reach(by: network, settings))
    if let real = chosen.realEndpoints {
      network.keepsPieces = true
      world = worldOfOthers(on: loop, network, settings, real: real)
    }
    world.ignoresDrift = settings.ignoresDrift
    if !plan.programs.isEmpty { world.programs = launcher }
    return .success(world)
  }
}

/// Returns a world in which programs run, and reach on sockets what a mock or a trace answers.
private func worldOfPrograms(
  on loop: EventLoop, for plan: ScenarioPlan, _ launcher: ProcessLauncher
) -> RunWorld {
  let network = SocketNetwork(on: loop)
  network.keepsPieces = true
  var world = worldOfOthers(on: loop, network, RealWorldSettings(), real: plan.servers)
  world.reachBehind = reach(by: network, .ofServersBehind)
  world.programs = launcher
  return world
}

/// Returns a world in which others connect to the mocks of a network, and are endpoints themselves:
/// programs of the scenario, or real servers.
private func worldOfOthers(
  on loop: EventLoop, _ network: SocketNetwork, _ settings: RealWorldSettings, real: Set<String>
) -> RunWorld {
  network.linksStrikeOthers = true
  let reach = reach(by: network, settings)
  var world = RunWorld(scheduler: loop.scheduler, network: network, wall: loop, reach: reach)
  world.reachBehind = reach
  world.realEndpoints = real
  world.servesOthers = true
  world.listen(on: network)
  return world
}

extension RunWorld {
  /// Gives endpoints the addresses at which a network listens for them.
  fileprivate mutating func listen(on network: SocketNetwork) {
    authority = { [unowned network] name in
      network.port(of: name).map { "127.0.0.1:\($0)" }
    }
  }
}

/// Returns a function that makes a name of a network lead to a URL.
func reach(
  by network: SocketNetwork, _ settings: RealWorldSettings
) -> (_ name: String, _ url: String) -> Result<RemotePlace, UnusableURL> {
  let context = TLSContext(settings.security)
  return { [unowned network] name, url in
    reach(url, settings, context).map { destination, place in
      network.destinations[name] = destination
      return place
    }
  }
}

/// The meaning of a URL: where connections lead, and how targets of requests begin.
private func reach(
  _ text: String, _ settings: RealWorldSettings, _ context: TLSContext
) -> Result<(Destination, RemotePlace), UnusableURL> {
  AbsoluteURL.read(text).mapError { UnusableURL($0.message) }.flatMap { url in
    if let problem = settings.proxies?.problem(for: url) {
      return .failure(UnusableURL("\(problem); say `--proxy URL`, or `no_proxy=*` for none"))
    }
    let security = url.isSecure ? TLSClient(host: url.host, context: context) : nil
    let address = url.socket.map { Address.unix(path: $0) }
    var place = RemotePlace(to: url, settings)
    var destination = Destination(
      address ?? .internet(host: url.host, port: url.port), security: security)
    if let proxy = settings.proxies?.proxy(for: url) {
      let request = TunnelRequest(to: url.authority, authorization: proxy.authorization)
      destination.address = .internet(host: proxy.host, port: proxy.port)
      destination.proxy = "http://\(proxy.authority)"
      if url.isSecure {
        destination.tunnel = request
      } else {
        destination.tunnelOfWebSockets = request
        place.proxied = "http://\(url.hostHeader)"
        place.proxyAuthorization = request.authorization
      }
    }
    return .success((destination, place))
  }
}

extension RemotePlace {
  fileprivate init(to url: AbsoluteURL, _ settings: RealWorldSettings) {
    self.init(host: url.hostHeader, path: url.path)
    userAgent = "rehearse/\(programVersion)"
    isSecure = url.isSecure
    authorization = url.authorization
    curlURL = url.shown
    shown = url.socket.map { "unix://" + $0 } ?? url.shown
    curlOptions = url.curlOptions + (url.isSecure ? settings.curlOptions : [])
    if let proxy = settings.proxies?.proxy(for: url) {
      curlOptions += ["--proxy", "http://\(proxy.authority)"]
      if proxy.credentials != nil { curlOptions += ["--proxy-user", "***"] }
    }
  }
}

extension AbsoluteURL {
  fileprivate var curlOptions: [String] {
    var options: [String] = []
    if let socket {
      options +=
        socket.hasPrefix("@")
        ? ["--abstract-unix-socket", String(socket.dropFirst())] : ["--unix-socket", socket]
    }
    return options + (credentials == nil ? [] : ["--user", "***"])
  }
}

extension RealWorldSettings {
  /// The options as `rehearse` and `curl` take them.
  var curlOptions: [String] {
    var options = trustedFile.map { ["--cacert", $0] } ?? []
    if let certificate {
      options += ["--cert", certificate.file, "--key", certificate.key]
    }
    return options + (isInsecure ? ["--insecure"] : [])
  }
}

extension Diagnostic {
  fileprivate static func endpointWithoutURL(_ endpoint: EndpointPlan) -> Diagnostic {
    Diagnostic(
      "endpoint-without-url", "`\(endpoint.name)` has no `url`, so that there is no real endpoint",
      labels: [.init(endpoint.range)],
      help: "add `url:`; or let its mock answer, with `--against real,\(endpoint.name)=mock`; or "
        + "keep the scenario out of such runs, with `only: mock`")
  }

  fileprivate static func proxyWithoutSockets(_ url: DataPlan) -> Diagnostic {
    Diagnostic(
      "proxy-without-sockets", "a mock in memory cannot pass requests on to a real server",
      labels: [.init(url.range)],
      help: "run with `--against sockets`, `rehearse serve` it, or write `only: sockets`")
  }

  static func noFilesLeft(_ plan: ScenarioPlan) -> Diagnostic {
    Diagnostic(
      "no-files-left", "the system has no file left for what waits for sockets and time",
      labels: [.init(plan.range)], help: "raise the limit of open files: `ulimit -n`")
  }
}
