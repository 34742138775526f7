import Diagnostics
import Events
import LiveWorld
import Protocols
import ScenarioEngine
import ScenarioPlan
import Secrets
import TextSearch
import TraceRecording
import Values
import Verdicts
import World

/// The settings for serving the endpoints of a scenario to other programs.
package struct ServingSettings: Sendable {
  /// The ports by the names of endpoints. An endpoint without one takes a free port.
  package var ports: [String: UInt16] = [:]
  /// The certificate of secure connections; nil serves without TLS.
  package var identity: ServingIdentity?
  /// The address of this machine that clients connect to.
  package var host = ServedPlace.loopback
  /// True if pages of any origin may use endpoints that say nothing about it.
  package var allowsOtherOrigins = false
  /// A timeout in place of the scenario's own.
  package var timeout: Microseconds?
  /// True if the steps are left out and the run serves until it is interrupted.
  package var isEndless = false
  /// Wakes the run when it is interrupted; nil if it looks for an interruption itself.
  package var bell: ServingBell?
  /// The most time that the head of a request takes to arrive.
  package var requestHeadTimeout = HTTPLimits.headTime
  /// The disturbances of the clients' connections.
  package var disturbances: [Disturbance] = []
  /// True if the courses of a sweep are found in what the clients do.
  package var findsCourses = false
  /// The commands of other threads while the scenario is served; nil if nobody can give any.
  package var commands: ServingMailbox?

  package init() {}

  /// True if something may go wrong on the connections of the clients, or their places are noted.
  fileprivate var notesPlaces: Bool {
    findsCourses || !disturbances.isEmpty || commands != nil
  }
}

/// The address at which an endpoint is served.
package struct ServedPlace: Sendable, Equatable {
  /// The address that only programs on this machine reach.
  package static let loopback = "127.0.0.1"

  package var name: String
  package var host = ServedPlace.loopback
  package var port: UInt16
  package var isSecure: Bool
  package var speaksWebSocket: Bool

  package var url: String { "http\(isSecure ? "s" : "")://\(authority)" }
  private var authority: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
  /// Nil if the endpoint has no WebSockets.
  package var webSocketURL: String? {
    speaksWebSocket ? "ws\(isSecure ? "s" : "")://\(authority)" : nil
  }
}

/// An observer of a scenario that is being served.
package protocol ServingWatcher: AnyObject {
  /// Called when clients can connect. They must trust the certificate, in PEM. Returning false ends
  /// serving.
  func began(at places: [ServedPlace], certificate: [UInt8]?) -> Bool
  /// False if `observe` shows no events, so that nothing is searched in them.
  var showsEvents: Bool { get }
  /// Called before an event is shown that holds secrets which became known in this run.
  func hide(by mask: SecretMask)
  func observe(_ event: Event)
  func observe(_ failures: [Diagnostic], at time: Microseconds)
}

extension ServingWatcher {
  package var showsEvents: Bool { true }
}

/// The outcome of serving.
package enum ServingOutcome: Sendable {
  case judged(JudgedRun, wasInterrupted: Bool)
  /// Serving did not begin, for this reason; nil if the watcher refused.
  case refused(Diagnostic?)
}

/// Serves a scenario: plan → live endpoints on sockets → events → verdict. Only other programs
/// connect to the endpoints, unless a step does.
package func serveScenario(
  _ plan: ScenarioPlan, inputs: RunInputs, sources: SourceMap, settings: ServingSettings,
  watcher: any ServingWatcher, recorders: [RunRecorder] = []
) -> ServingOutcome {
  var plan = plan
  // A disturbed client sends its requests in another order, and some again.
  if !settings.disturbances.isEmpty { plan = plan.relaxedForSweep(isInRealTime: true).plan }
  if let timeout = settings.timeout { plan = plan.changed { $0.timeout = timeout } }
  if settings.allowsOtherOrigins { plan = plan.changed { $0.allowOtherOrigins() } }
  let isEndless = settings.isEndless || plan.isServedWithoutEnd
  switch makeServingWorld(settings, for: plan) {
  case .failure(let problem): return .refused(problem.reason)
  case .success(let world):
    var inputs = inputs
    inputs.readFilesOnDisk()
    let serving: Serving =
      isEndless ? .untilInterrupted : settings.commands == nil ? .untilStepsEnd : .untilStopped
    inputs.requestHeadTimeout = settings.requestHeadTimeout
    if let bell = settings.bell {
      bell.attach(world.wake)
      inputs.isWokenByInterruption = true
    }
    inputs.options.disturbances = settings.disturbances
    inputs.notesPlaces = settings.notesPlaces
    let judge = WatchedJudge(plan, serving, inputs, sources, watcher)
    let rehearsal = Rehearsal(
      of: SharedPlan(plan), inputs: inputs, judge: judge,
      hiding: OutsideParties(ofServed: plan, inputs.row, sources), recorders: recorders)
    return serve(rehearsal, serving, in: world, settings, watcher)
  }
}

private func serve(
  _ rehearsal: Rehearsal<WatchedJudge>, _ serving: Serving, in world: ServingWorld,
  _ settings: ServingSettings, _ watcher: any ServingWatcher
) -> ServingOutcome {
  let judge = rehearsal.judge
  var refusal: Diagnostic?
  var hasBegun = false
  let takeCommands = { settings.commands?.take(by: judge, at: world.run.scheduler.now) ?? [] }
  let service = Service(serving, takeCommands: takeCommands) {
    switch places(of: rehearsal.shared.plan, on: world.network, settings) {
    case .failure(let problem): refusal = problem.reason
    case .success(let places):
      hasBegun = watcher.began(at: places, certificate: world.certificate)
      if hasBegun { judge.enable() }
    }
    return hasBegun
  }
  let log = rehearsal.run(as: .served(service), in: world.run)
  guard hasBegun else { return .refused(refusal) }
  var verdict = judge.judge.verdict(on: log, sources: judge.sources)
  verdict.add(
    judge.places?.failures(of: settings.disturbances + judge.laterDisturbances) ?? [])
  var run = JudgedRun(log: log, verdict: verdict)
  if settings.findsCourses { run.courses = judge.places?.courses ?? [] }
  return .judged(run, wasInterrupted: log.wasInterrupted)
}

extension ScenarioPlan {
  /// True if there are no steps that serving ends with.
  package var isServedWithoutEnd: Bool { scripts[steps.script].steps.isEmpty }
}

extension PlanContents {
  /// Lets pages of any origin use the endpoints that say nothing about it.
  fileprivate mutating func allowOtherOrigins() {
    for id in endpoints.indices {
      if case .unsaid = endpoints[id].crossOrigin {
        endpoints[id].crossOrigin = .allowed(CrossOriginPolicyPlan())
      }
    }
  }
}

extension EventLog {
  fileprivate var wasInterrupted: Bool {
    events.contains { if case .run(.failed(.interrupted)) = $0.kind { true } else { false } }
  }
}

/// A world that other programs can reach.
private struct ServingWorld {
  var run: RunWorld
  var network: SocketNetwork
  /// Ends a wait of the run from any thread.
  var wake: @Sendable () -> Void
  var certificate: [UInt8]?
}

private func makeServingWorld(
  _ settings: ServingSettings, for plan: ScenarioPlan
) -> Result<ServingWorld, NoWorld> {
  raiseFileLimit()
  let called = plan.calledEndpoints
  if let problem = plan.problemOfURLs(of: called) { return .failure(NoWorld(problem, .scenario)) }
  let scheduler = Scheduler()
  guard let loop = EventLoop(scheduler) else { return .failure(NoWorld(.noFilesLeft(plan))) }
  let network = SocketNetwork(on: loop)
  network.keepsPieces = true
  network.linksStrikeOthers = settings.notesPlaces
  let reach = reach(by: network, .ofServersBehind)
  var run = RunWorld(
    scheduler: scheduler, network: network, wall: loop, reach: called.isEmpty ? nil : reach)
  run.realEndpoints = called
  run.reachBehind = reach
  if plan.clock.isMachines(usually: true) { run.readMachineTime() }
  var world = ServingWorld(run: run, network: network, wake: loop.makeWaker())
  for endpoint in plan.servedEndpoints {
    let port = settings.ports[endpoint.name] ?? 0
    network.places[endpoint.name] = ListeningPlace(.internet(host: settings.host, port: port))
  }
  if let identity = settings.identity?.identity {
    world.secure(plan.servedEndpoints.map(\.name), identity, at: settings.host)
  }
  return .success(world)
}

extension ServingWorld {
  /// Secures the endpoints. The connections of steps trust the certificate.
  fileprivate mutating func secure(_ names: [String], _ identity: TLSIdentity, at host: String) {
    guard case .text(let text) = identity else { return }
    var trusting = TLSClientSettings()
    trusting.trusted = text
    let context = TLSContext(trusting)
    let server = TLSServer(identity)
    for name in names {
      network.places[name]?.security = server
      network.destinations[name] = Destination(
        .internet(host: host, port: 0),
        security: TLSClient(host: host, context: context))
    }
    certificate = certificatePart(of: text)
  }
}

/// A certificate with its key, which all scenarios of a command have in common.
package struct ServingIdentity: Sendable {
  fileprivate var identity: TLSIdentity

  /// The reason why there is no certificate.
  package struct Problem: Error {
    package var reason: Diagnostic
  }

  /// Makes a certificate for this machine, and for the address that clients connect to.
  package static func make(for host: String) -> Result<ServingIdentity, Problem> {
    let usual = ["localhost", "127.0.0.1", "::1"]
    let names = usual.contains(host) ? usual : usual + [host]
    return TLSIdentity.selfSigned(for: names)
      .map { ServingIdentity(identity: $0) }
      .mapError { Problem(reason: .noCertificate($0)) }
  }
}

/// Returns the certificate without the key behind it.
private func certificatePart(of text: [UInt8]) -> [UInt8] {
  let end = "-----END CERTIFICATE-----\n"
  let whole = String(decoding: text, as: UTF8.self)
  return Array((whole[..<(whole.firstRange(of: end)?.lowerBound ?? whole.endIndex)] + end).utf8)
}

/// Returns where the endpoints are served, or why one of them is not.
private func places(
  of plan: ScenarioPlan, on network: SocketNetwork, _ settings: ServingSettings
) -> Result<[ServedPlace], NoWorld> {
  var places: [ServedPlace] = []
  for endpoint in plan.servedEndpoints {
    guard let port = network.port(of: endpoint.name) else {
      let wanted = settings.ports[endpoint.name]
      return .failure(
        NoWorld(.portTaken(endpoint, of: plan, wanted, settings.host, network.listenFailure)))
    }
    var place = ServedPlace(
      name: endpoint.name, port: port, isSecure: settings.identity != nil,
      speaksWebSocket: !endpoint.webSockets.isEmpty)
    place.host = settings.host
    places.append(place)
  }
  return .success(places)
}

extension TransportFailure {
  /// The failure in words for a person who tries to connect.
  fileprivate var wordsOfListener: String {
    if case .outOfPorts = self { "somebody else listens there" } else { details ?? name }
  }
}

extension Diagnostic {
  fileprivate static func portTaken(
    _ endpoint: EndpointPlan, of plan: ScenarioPlan, _ port: UInt16?, _ host: String,
    _ failure: TransportFailure?
  ) -> Diagnostic {
    let at = host == ServedPlace.loopback ? "" : " of \(host)"
    let place = (port.map { "port \($0)" } ?? "a free port") + at
    let reason = failure.map { ": \($0.wordsOfListener)" } ?? ""
    return Diagnostic(
      "port-not-available", "`\(endpoint.name)` cannot be served at \(place)\(reason)",
      labels: [.init(plan.range)],
      help: helpToListen(port, failure))
  }

  private static func helpToListen(_ port: UInt16?, _ failure: TransportFailure?) -> String {
    switch failure {
    case .badAddress?, .unreachable?: "`--host` takes an address of this machine: `ip address`"
    case _ where port == nil: "is there room for another open file?"
    case _: "leave `--port` out to take a free one; what holds it shows `ss -ltnp`"
    }
  }

  fileprivate static func noCertificate(_ failure: TransportFailure) -> Diagnostic {
    Diagnostic(
      "certificate-not-made",
      "there is no certificate to serve with: \(failure.details ?? failure.name)",
      help: "serve without `--tls`, or install OpenSSL 3")
  }
}
