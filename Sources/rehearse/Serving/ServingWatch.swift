import Glibc
import LiveWorld
import ScenarioRuns
import Values
import World

/// The one look at signals and files for all scenarios that are served, so that each of them sleeps
/// until something happens to it.
struct ServingWatch {
  private let group: ServingGroup
  private var stamps: [String: FileStamp?] = [:]
  /// The files that had changed at the last look. A file counts as written once it stays the same.
  private var changed: Set<String> = []
  private var hasRungAll = false
  /// The loop in which it waits; nil if the system has no room for one.
  private let loop: EventLoop?
  private let scheduler = Scheduler()

  /// The time between two looks.
  private static let interval: Microseconds = 200_000

  init(_ group: ServingGroup) {
    self.group = group
    loop = EventLoop(scheduler)
    if let loop { group.end.attach(loop.makeWaker()) }
  }

  /// Looks until all scenarios have ended. A signal ends a wait at once.
  mutating func run() {
    while !group.isOver {
      pause()
      look()
    }
  }

  private func pause() {
    if let loop {
      loop.poll(until: scheduler.instant(after: ServingWatch.interval))
    } else {
      usleep(useconds_t(ServingWatch.interval))
    }
  }

  /// Wakes all scenarios, so that they end. Each wakes this thread when it has ended, and nobody
  /// asks for new versions of files any more.
  private mutating func ringAllOnce() {
    guard !hasRungAll else { return }
    hasRungAll = true
    group.ringAll()
  }

  private mutating func look() {
    guard !Interruption.wasAsked else { return ringAllOnce() }
    let watched = group.watched
    let now = FileChanges.look(at: watched.reduce(into: Set<String>()) { $0.formUnion($1) })
    // What is watched for the first time may have changed since it was read.
    let different = now.filter { path, stamp in stamps[path].map { $0 != stamp } ?? true }
    let ringing = changed.union(different.keys)
    (stamps, changed) = (now, Set(different.keys))
    guard !ringing.isEmpty else { return }
    for (bell, paths) in zip(group.bells, watched) where !paths.isDisjoint(with: ringing) {
      bell.ring()
    }
  }
}
