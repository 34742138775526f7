import Glibc
import Synchronization
import TextSearch
import Traces

/// The log of a suite: the lines of all its runs, in the order of the reports.
///
/// The lines of the first run that is not reported are written at once. Those of later runs wait,
/// so that the order is the same with any number of jobs.
package final class SuiteLog: Sendable {
  /// A line of the log.
  package enum Item: Sendable {
    case header(TraceHeader)
    case line(TraceLine)
  }

  private struct State {
    /// The run whose lines are written at once.
    var next: SuiteQueue.Place?
    var waiting: [SuiteQueue.Place: [Item]] = [:]
    var run = 0
  }

  /// The folder that paths in the log begin at.
  package let folder: String
  private let state = Mutex(State())
  private let write: @Sendable (Item) -> Void

  /// Makes a log. `write` is called for one item at a time, in order.
  package init(folder: String, write: @escaping @Sendable (Item) -> Void) {
    self.folder = folder
    self.write = write
  }

  /// Adds an item of a run.
  func append(_ item: Item, of place: SuiteQueue.Place) {
    state.withLock { state in
      if place == state.next {
        put(item, &state)
      } else {
        state.waiting[place, default: []].append(item)
      }
    }
  }

  /// Lets the lines of a run through, since all runs before it are reported.
  func advance(to place: SuiteQueue.Place) {
    state.withLock { state in
      state.next = place
      for item in state.waiting.removeValue(forKey: place) ?? [] { put(item, &state) }
    }
  }

  private func put(_ item: Item, _ state: inout State) {
    switch item {
    case .header(var header):
      state.run += 1
      header.run = state.run
      write(.header(header))
    case .line(var line):
      line.run = state.run
      write(.line(line))
    }
  }
}

/// The file, or the output, that a log is written to as JSON Lines.
package final class LogFile: Sendable {
  private struct State {
    var writer = TraceWriter()
    var bodies: BodiesFolder?
    var problem: String?
  }

  private enum Destination {
    case file(Int32)
    case output(@Sendable (String) -> Bool)
  }

  private let destination: Destination
  private let state: Mutex<State>

  /// Opens a file.
  ///
  /// - Parameter appends: True if the file has lines of this run.
  package init(_ path: String, appends: Bool = false) {
    var first = State()
    let end = appends ? O_APPEND : O_TRUNC
    let descriptor = open(path, O_WRONLY | O_CREAT | end | O_CLOEXEC, 0o644)
    if descriptor < 0 { first.problem = lastSystemError() }
    let bodies = BodiesFolder(of: path)
    // The log that was here before is empty now.
    if !appends { bodies.removeUnused() }
    first.bodies = bodies
    destination = .file(descriptor)
    state = Mutex(first)
  }

  /// Makes a log on an output, where large values stay in their lines.
  package init(writingBy write: @escaping @Sendable (String) -> Bool) {
    destination = .output(write)
    state = Mutex(State())
  }

  deinit { if case .file(let descriptor) = destination, descriptor >= 0 { close(descriptor) } }

  /// The reason why something could not be written.
  package var problem: String? { state.withLock { $0.problem } }

  /// Writes an item at once. After a failure, nothing more is written.
  package func write(_ item: SuiteLog.Item) {
    state.withLock { state in
      guard state.problem == nil else { return }
      let output =
        switch item {
        case .header(let header): state.writer.write(header)
        case .line(let line): state.writer.write(line, splits: isFile)
        }
      for body in output.bodies where state.problem == nil {
        state.problem = state.bodies?.write(body)
      }
      if !put(output.bytes) { state.problem = lastSystemError() }
    }
  }

  private var isFile: Bool { if case .file = destination { true } else { false } }

  private func put(_ bytes: [UInt8]) -> Bool {
    switch destination {
    case .file(let descriptor): writeAll(bytes, to: descriptor)
    case .output(let write): write(String(decoding: bytes, as: UTF8.self))
    }
  }
}
