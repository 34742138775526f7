import Glibc
import LiveWorld
import Synchronization

/// Replays files of traces, several at once. The results have the order of the files.
package func replayFiles(
  _ paths: [String], _ options: ReplayOptions, jobs: Int
) -> [ReplayedFile] {
  let work = ReplayWork(paths, options)
  let threads = (1..<max(1, min(jobs, paths.count))).compactMap { _ in
    startThread { work.run() }
  }
  work.run()
  for thread in threads { pthread_join(thread, nil) }
  return work.results
}

private final class ReplayWork: Sendable {
  private struct State {
    var next = 0
    var results: [Int: [ReplayedFile]] = [:]
  }

  private let paths: [String]
  private let options: ReplayOptions
  private let state = Mutex(State())

  init(_ paths: [String], _ options: ReplayOptions) {
    self.paths = paths
    self.options = options
  }

  func run() {
    while !options.isInterrupted(), let place = take() {
      let files = replayFile(paths[place], options)
      state.withLock { $0.results[place] = files }
    }
  }

  private func take() -> Int? {
    state.withLock { state in
      guard state.next < paths.count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  var results: [ReplayedFile] {
    state.withLock { state in paths.indices.flatMap { state.results[$0] ?? [] } }
  }
}
