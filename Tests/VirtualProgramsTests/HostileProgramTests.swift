import Glibc
import TestKit
import Testing

/// Programs that do what they should not, and commands that are killed, leave nothing behind.
@Suite struct HostileProgramTests {
  /// A family with a child that computes for ever, and one that has left its session; each notes
  /// its number.
  private static let family = """
    echo $$ >> numbers
    bash -c 'echo $$ >> numbers; while :; do :; done' &
    setsid bash -c 'echo $$ >> numbers; kill -STOP $$; sleep 1000' &
    setsid sh -c 'echo $$ >> numbers; exec sleep 100000000' &
    wait
    """

  @Test(arguments: [0, 1, 3, 7, 15, 31, 63, 127, 255, 400])
  func `a command that is killed at any moment leaves no process behind`(
    milliseconds: UInt32
  ) throws {
    let folder = try TemporaryFolder()
    #expect(folder.write("family.sh", Self.family))
    let command = try #require(
      SpawnedCommand(shell: "exec \"$R\" time -q -- bash family.sh", in: folder))
    usleep(milliseconds * 1_000)
    command.interrupt(by: SIGKILL)
    _ = command.exitCode()
    #expect(isEmpty(numbers(in: folder)))
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `a signal to the command reaches its program, and all others end with it`(
    signal: Int32
  ) throws {
    let folder = try TemporaryFolder()
    #expect(folder.write("family.sh", Self.family))
    let command = try #require(
      SpawnedCommand(shell: "exec \"$R\" time -q -- bash family.sh", in: folder))
    for _ in 0..<1_000 where numbers(in: folder).count < 4 { usleep(10_000) }
    command.interrupt(by: signal)
    #expect(command.exitCode() == 128 + signal, "\(command.said)")
    #expect(isEmpty(numbers(in: folder)))
  }

  @Test func `many threads that sleep end at their times`() throws {
    let program = """
      import threading, time
      def wait(n): time.sleep(1 + n % 7)
      all = [threading.Thread(target=wait, args=(n,)) for n in range(1000)]
      for one in all: one.start()
      for one in all: one.join()
      print('slept', round(time.monotonic() % 1000, 3))
      """
    guard isInstalled("python3") else { return }
    let run = try #require(TimedCommand("\"$R\" time -- python3 -c \"\(program)\""))
    #expect(run.said.hasPrefix("slept 7.0\n") || run.said.contains("\n7s of virtual time"))
    #expect(run.code == 0)
  }

  @Test func `a program that computes for ever does not stop the time of the others`() throws {
    let loop = "(while :; do :; done) & sleep 3; kill $!; echo slept"
    let run = try #require(TimedCommand("\"$R\" time -q -- bash -c '\(loop)'"))
    #expect(run.code == 0 && run.said.contains("slept\n"), "\(run.said)")
    #expect(run.said.contains("warning[doubt-busy]: bash computed for 10s"), "\(run.said)")
  }

  @Test func `a command that computes for ever ends when its virtual time is over`() throws {
    let run = try #require(
      TimedCommand("\"$R\" time -q --timeout 2s -- bash -c 'while :; do :; done'"))
    #expect(run.code == 1 && run.said.contains("error[command-over-time]"), "\(run.said)")
  }

  @Test func `output that somebody reads slowly is no rest`() throws {
    let run = try #require(
      TimedCommand(
        """
        "$R" time -q -- bash -c 'for ((i = 0; i < 20000; i++)); do echo line $i; done; sleep 9' |
        { sleep 1; wc -l; }; cat
        """))
    #expect(run.said.contains("20000\n") && !run.said.contains("stuck"), "\(run.said)")
  }

  @Test func `input from outside is waited for in real time`() throws {
    let run = try #require(
      TimedCommand("(sleep 0.5; echo late) | \"$R\" time -q -- cat; true"))
    #expect(run.said == "late\n")
    let timed = try #require(
      TimedCommand(
        """
        (sleep 1; echo late) | "$R" time -q -- bash -c 'read -t 7 line; echo "got $line"'; true
        """))
    #expect(timed.said.contains("got \n") && timed.said.contains("[doubt-foreign]"))
  }

  private func numbers(in folder: TemporaryFolder) -> [pid_t] {
    (folder.text("numbers") ?? "").split(separator: "\n").compactMap { pid_t($0) }
  }

  /// Waits until none of the processes is alive; those that nobody waits for are not.
  private func isEmpty(_ numbers: [pid_t]) -> Bool {
    for _ in 0..<500 {
      let alive = numbers.filter { number in
        fileText("/proc/\(number)/stat").map { !$0.contains(") Z") } ?? false
      }
      if alive.isEmpty { return true }
      usleep(10_000)
    }
    return false
  }
}
