import Glibc
import TestKit
import Testing

/// No process of a program outlives its run, whatever ends the run.
@Suite struct LeftoverTests {
  /// A program with a child, and a grandchild that has left its session; each notes its number.
  private static let scenario = """
    scenario: A family
    timeout: 60s
    programs:
      family:
        run:
          - sh
          - -c
          - |
            echo $$ >> numbers
            sh -c 'echo $$ >> numbers; exec sleep 1000' &
            setsid sh -c 'echo $$ >> numbers; exec sleep 1000' < /dev/null > /dev/null 2>&1 &
            while test "$(wc -l < numbers)" -lt 3; do sleep 0.01; done
            echo up
            wait
        ready: { line: up }
        stop: { timeout: 200ms }

    """

  enum Ending: CaseIterable {
    case steps, failure, kill, terminate
  }

  @Test(arguments: Ending.allCases)
  func `no child and no grandchild is left`(ending: Ending) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/family.scenario.yaml"
    let steps =
      switch ending {
      case .steps: "steps: [{ terminate: family }]\n"
      case .failure: "steps: [{ check: false }]\n"
      case .kill, .terminate: "steps: [{ expect: { family: never } }]\n"
      }
    try #require(write(Self.scenario + steps, to: path))
    let command = try #require(SpawnedCommand(["run", path], patience: 20_000_000))
    if ending == .kill || ending == .terminate {
      #expect(waits { numbers(in: folder).count == 3 })
      command.interrupt(by: ending == .kill ? SIGKILL : SIGTERM)
    }
    _ = command.exitCode()
    let all = numbers(in: folder)
    #expect(all.count == 3)
    #expect(waits { all.allSatisfy { !isAlive($0) } })
  }

  private func numbers(in folder: TemporaryFolder) -> [pid_t] {
    guard let file = fopen(folder.path + "/numbers", "r") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
      .compactMap { pid_t($0) }
  }

  /// A process that ended and that nobody waits for is not alive.
  private func isAlive(_ number: pid_t) -> Bool {
    guard let file = fopen("/proc/\(number)/stat", "r") else { return false }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = fread(&bytes, 1, bytes.count, file)
    return !String(decoding: bytes[..<count], as: UTF8.self).contains(") Z")
  }

  private func waits(for isTrue: () -> Bool) -> Bool {
    for _ in 0..<1_000 {
      if isTrue() { return true }
      usleep(10_000)
    }
    return false
  }

  private func write(_ text: String, to path: String) -> Bool {
    guard let file = fopen(path, "w") else { return false }
    defer { fclose(file) }
    return fputs(text, file) >= 0
  }
}
