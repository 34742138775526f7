import TestKit
import Testing

/// Each way in which a program may wait takes exactly its virtual time, and hardly any real time.
@Suite struct MechanismTests {
  /// A way to wait, its virtual milliseconds, and the doubt that the run says.
  struct Mechanism: CustomTestStringConvertible, Sendable {
    var name: String
    var length: String
    var doubt: String?

    init(_ name: String, _ length: String, doubt: String? = nil) {
      self.name = name
      self.length = length
      self.doubt = doubt
    }

    var testDescription: String { name }
  }

  static let mechanisms = [
    Mechanism("nanosleep", "10000"), Mechanism("absolute-sleep", "10000"),
    Mechanism("futex-waitv", "9000"), Mechanism("semtimedop", "10000"),
    Mechanism("mq-receive", "8000"), Mechanism("mq-send", "8000"),
    Mechanism("sem-timedwait", "8000"), Mechanism("mutex-timedlock", "8000"),
    Mechanism("mutex-of-priority", "7000"), Mechanism("condition", "8000"),
    Mechanism("poll", "10000"), Mechanism("ppoll", "10000"), Mechanism("pselect", "10000"),
    Mechanism("select", "10000"), Mechanism("epoll-wait", "10000"),
    Mechanism("epoll-pwait2", "10000"), Mechanism("sigtimedwait", "10000"),
    Mechanism("threads", "2000"), Mechanism("alarm", "5000"), Mechanism("setitimer", "6000"),
    Mechanism("getitimer", "4000"), Mechanism("alarm-in-read", "5000"),
    Mechanism("timer-create", "6000"), Mechanism("timer-absolute", "4000"),
    Mechanism("timer-thread", "6000"), Mechanism("timerfd-absolute", "11000"),
    Mechanism("timerfd-closed", "11000"), Mechanism("timerfd-again", "3000"),
    Mechanism("timerfd-poll", "7000"), Mechanism("timerfd-fork", "5000"),
    Mechanism("timerfd-orphan", "5000"), Mechanism("handler", "8000"),
    Mechanism("handler-restart", "10000"), Mechanism("receive-time", "14000"),
    Mechanism("receive-time-of-line", "9000"), Mechanism("send-time", "4000"),
    Mechanism("accept-time", "6000"), Mechanism("recvmmsg", "0", doubt: "untimed"),
    Mechanism("small-writes", "50000"), Mechanism("end-of-line", "50000"),
    Mechanism("other-machine", "0", doubt: "leaves"),
    Mechanism("datagram", "0", doubt: "leaves"), Mechanism("crowd", "0", doubt: "race"),
    Mechanism("nobody-there", "0"),
    Mechanism("local-socket", "0"), Mechanism("io-uring", "0", doubt: "refused"),
    Mechanism("compute", "10000"), Mechanism("ignored-signal", "10000"),
    Mechanism("ignored-poll", "10000"), Mechanism("stopped", "10000"),
    Mechanism("vfork", "4000"), Mechanism("system", "7000"), Mechanism("daemon", "10000"),
    Mechanism("tsc", "10000"), Mechanism("times", "10000"),
    Mechanism("processor-time", "0", doubt: "processor-time"), Mechanism("flock", "2000"),
    Mechanism("end-of-many", "20000"), Mechanism("many-children", "1000"),
  ]

  @Test(arguments: mechanisms)
  func `a wait takes its virtual time to the microsecond`(_ mechanism: Mechanism) throws {
    let run = try #require(TimedCommand("\"$R\" time -- \"$M\" \(mechanism.name)"))
    #expect(run.code == 0, "\(run.said)")
    #expect(run.said.contains("result 0 after \(mechanism.length).000 ms\n"), "\(run.said)")
    let doubts = run.said.ranges(of: "[doubt-").count
    #expect(doubts == (mechanism.doubt == nil ? 0 : 1), "\(run.said)")
    if let doubt = mechanism.doubt { #expect(run.said.contains("warning[doubt-\(doubt)]")) }
  }

  @Test(arguments: [("spin", 50.0...52), ("spin-yield", 50...52), ("spin-long", 59_000...61_100)])
  func `a loop that reads the clock ends close to its time, and is doubted`(
    name: String, length: ClosedRange<Double>
  ) throws {
    let run = try #require(TimedCommand("\"$R\" time -- \"$M\" \(name)"))
    let took = run.said.split(separator: " ").drop { $0 != "after" }.dropFirst().first
    #expect(length.contains(took.flatMap { Double($0) } ?? 0), "\(run.said)")
    #expect(run.said.contains("warning[doubt-spins]"))
  }

  @Test(arguments: [
    ("hang", "reads from a pipe"), ("hang-at-lock", "waits for another thread"),
    ("stop-itself", "is stopped by a signal"),
  ])
  func `programs that wait for ever are named`(name: String, wait: String) throws {
    let run = try #require(TimedCommand("\"$R\" time -q -- \"$M\" \(name)"))
    #expect(run.code == 1)
    #expect(run.said.contains("error[program-stuck]") && run.said.contains(wait), "\(run.said)")
  }
}
