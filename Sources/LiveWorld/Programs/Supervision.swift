import CLinux
import Glibc

/// The process that does the work, and its parent, which starts another one if it crashes.
///
/// The parent knows what each thread does, and passes that on to the next process. Without a
/// parent, as in tests and in Swift programs, all of this does nothing.
package enum Supervision {
  /// A crash of a process before this one.
  package struct Crash: Sendable {
    /// The name of the signal, such as `SIGSEGV`.
    package var signal: String
    /// The work that was under way; empty if there was no work.
    package var name: String
    /// The part of it, such as the course of a sweep.
    package var detail: String
    /// The number of others that were under way and may have been the cause as well.
    package var others: Int
  }

  /// A piece of work that a crash is blamed on. It is cheap to make, since each scenario is one.
  package struct Work {
    /// Its name, or the path of the file in which it is.
    package var name: String
    /// The places of a scenario and of its row in the file; zero of other work.
    fileprivate var place = clinux_place()

    package init(_ name: String) { self.name = name }

    package init(at scenario: Int32, row: Int32?, in path: String) {
      name = path
      place = clinux_place(scenario: Int64(scenario), row: Int64(row ?? -1))
    }

    /// The FNV-1a hash, which is the same in each process.
    fileprivate var hash: UInt64 {
      let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325) { Work.mix($0, UInt64($1)) }
      let whole = Work.mix(hash, UInt64(bitPattern: place.scenario))
      return Work.mix(whole, UInt64(bitPattern: place.row))
    }

    private static func mix(_ hash: UInt64, _ more: UInt64) -> UInt64 {
      (hash ^ more) &* 0x100_0000_01B3
    }
  }

  /// The numbers that all processes of a command have in common.
  package enum Number: Int32 {
    case seed, shuffle, began, calendar, deadline
  }

  /// Does the work of a command in a child of this process.
  ///
  /// It is done by a thread of its own: the locks of Swift's runtime know a thread by a number that
  /// the first thread of a child has from its parent, so that two threads would wait for ever.
  package static func inChild(_ work: @escaping @Sendable () -> Int32) -> Int32 {
    clinux_supervise()
    guard clinux_is_supervised() != 0 else { return work() }
    nonisolated(unsafe) let code = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    guard let thread = startThread({ code.initialize(to: work()) }) else { return work() }
    // Signals are for the thread that works.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
    pthread_join(thread, nil)
    return code.pointee
  }

  /// Does work, which waits for any child of its thread if programs have virtual time. In a process
  /// of others, such as one with tests, a thread may have started children for which somebody else
  /// waits.
  package static func besideChildren<Result>(
    _ hasVirtualPrograms: Bool, _ work: @escaping () -> Result
  ) -> Result {
    hasVirtualPrograms && clinux_is_supervised() == 0 ? onOwnThread(work) : work()
  }

  /// Has the next crash end the command.
  package static func endWithCrash() { clinux_crash_ends() }

  package static var crashes: [Crash] { (0..<clinux_crashes()).map(crash) }
  /// True if a process before this one has crashed.
  package static var isRestarted: Bool { clinux_crashes() > 0 }
  /// True if nothing is to run that no process has run to its end: there were too many crashes, or
  /// the run was interrupted before the last one.
  package static var onlyConcludes: Bool { clinux_only_concludes() != 0 }

  /// Begins a run of this process. Another run than the one before forgets its crashes.
  package static func beginRun(isAnother: Bool) { clinux_begin_run(isAnother ? 1 : 0) }

  /// Does a piece of work that a crash is to be blamed on.
  ///
  /// - Parameter isSuspect: False if only a crash of this thread can be its fault.
  package static func underWay<Result>(
    _ work: @autoclosure () -> Work, detail: @autoclosure () -> String = "",
    isSuspect: Bool = true, _ body: () -> Result
  ) -> Result {
    guard clinux_is_supervised() != 0 else { return body() }
    let work = work()
    clinux_begin(work.name, detail(), work.place, isSuspect ? 1 : 0)
    defer { clinux_end() }
    return body()
  }

  /// Says which part of its work this thread does now.
  package static func note(_ detail: @autoclosure () -> String) {
    if clinux_is_supervised() != 0 { clinux_note(detail()) }
  }

  /// Notes that a piece of work is done, which another process would do with the same result.
  package static func addDone(_ work: @autoclosure () -> Work) {
    if clinux_is_supervised() != 0 { clinux_add_done(work().hash) }
  }

  /// Returns whether a process has done a piece of work.
  package static func isDone(_ work: Work) -> Bool {
    let hash = work.hash
    return (0..<clinux_done_count()).contains { clinux_done_at($0) == hash }
  }

  /// Returns the crash that a piece of work is blamed for.
  package static func crash(of work: Work) -> Crash? {
    (0..<clinux_crashes()).first { isOf(work, clinux_crash_at($0).pointee) }.map(crash)
  }

  /// Returns a number that the first process that asks makes.
  package static func kept(_ number: Number, _ make: () -> Int) -> Int {
    Int(clinux_keep_number(number.rawValue, Int64(make())))
  }

  /// How much of the output was shown, by all processes.
  package static var progress: Int {
    get { Int(clinux_progress()) }
    set { clinux_set_progress(UInt64(newValue)) }
  }

  /// Handles a signal as one that this process is meant to receive. Returns whether it was ignored.
  package static func handle(_ signal: Int32, _ handler: @convention(c) (Int32) -> Void) -> Bool {
    clinux_handle(signal, handler) != 0
  }

  private static func crash(_ number: Int32) -> Crash {
    let crash = clinux_crash_at(number).pointee
    return Crash(
      signal: clinux_signal_name(crash.signal).map { "SIG" + String(cString: $0) } ?? "a signal",
      name: text(crash.name), detail: text(crash.detail), others: Int(crash.others))
  }

  private static func text<Bytes>(_ bytes: Bytes) -> String {
    withUnsafeBytes(of: bytes) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  private static func isOf(_ work: Work, _ crash: clinux_crash) -> Bool {
    guard crash.place.scenario == work.place.scenario, crash.place.row == work.place.row else {
      return false
    }
    return withUnsafeBytes(of: crash.name) { bytes in
      bytes.prefix { $0 != 0 }.elementsEqual(work.name.utf8.prefix(Int(clinux_longest_name) - 1))
    }
  }
}

/// The files without a name that the processes of a command share.
extension Supervision {
  /// Keeps a line of results for the next process.
  package static func keep(result line: String) {
    let file = clinux_results_file()
    guard file >= 0 else { return }
    var line = line
    // One call, so that lines of several threads do not mix.
    line.withUTF8 { _ = write(file, $0.baseAddress, $0.count) }
  }

  /// Takes what the processes before this one have kept; half a line at its end is removed.
  package static func keptResults() -> [UInt8] {
    let file = clinux_results_file()
    var bytes = contents(of: file)
    let whole = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    bytes.removeSubrange(whole...)
    if file >= 0 {
      ftruncate(file, off_t(whole))
      lseek(file, 0, SEEK_END)
    }
    return bytes
  }

  /// Keeps what was read from a pipe, which can be read only once.
  ///
  /// - Parameter bytes: Returns the bytes in a range.
  package static func keep(input count: Int, of path: String, _ bytes: (Range<Int>) -> [UInt8]) {
    let file = clinux_inputs_file()
    guard file >= 0 else { return }
    var place = size(of: file)
    func write(_ piece: [UInt8]) {
      var done = 0
      while done < piece.count {
        let count = piece.withUnsafeBytes {
          pwrite(file, $0.baseAddress! + done, $0.count - done, off_t(place))
        }
        if count <= 0 { return }
        done += count
        place += count
      }
    }
    write(Array("\(path.utf8.count) \(count)\n\(path)".utf8))
    for start in stride(from: 0, to: count, by: 1 << 20) {
      write(bytes(start..<min(start + 1 << 20, count)))
    }
  }

  /// Returns what a process before this one has read from a pipe.
  package static func keptInput(of path: String) -> [UInt8]? {
    guard isRestarted else { return nil }
    var rest = contents(of: clinux_inputs_file())[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let counts = rest[..<end].split(separator: UInt8(ascii: " ")).compactMap {
        Int(String(decoding: $0, as: UTF8.self))
      }
      rest = rest[(end + 1)...]
      guard counts.count == 2, rest.count >= counts[0] + counts[1] else { return nil }
      let isWanted = rest.prefix(counts[0]).elementsEqual(path.utf8)
      let bytes = rest.dropFirst(counts[0]).prefix(counts[1])
      if isWanted { return Array(bytes) }
      rest = rest.dropFirst(counts[0] + counts[1])
    }
    return nil
  }

  private static func size(of file: Int32) -> Int {
    var status = stat()
    return file >= 0 && fstat(file, &status) == 0 ? Int(status.st_size) : 0
  }

  private static func contents(of file: Int32) -> [UInt8] {
    let size = size(of: file)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, done in
      while done < size {
        let count = pread(file, buffer.baseAddress! + done, size - done, off_t(done))
        if count <= 0 { return }
        done += count
      }
    }
  }
}
