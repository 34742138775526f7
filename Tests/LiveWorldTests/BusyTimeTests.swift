import Glibc
import TestKit
import Testing

@testable import LiveWorld

@Suite struct BusyTimeTests {
  /// Looks for so many microseconds at the descendants of a shell that runs this. Returns the time
  /// that is left out in the second half.
  private func busy(_ script: String, for time: Int64) throws -> Int64 {
    let shell = try #require(SpawnedCommand(["-c", script + " & wait"], program: "bash"))
    defer { _ = shell.exitCode() }
    var busyTime = BusyTime()
    busyTime.watch(descendantsOf: shell.id)
    var half: Int64 = 0
    for step in 0...20 {
      usleep(UInt32(time / 20))
      busyTime.count(until: Int64(step) * time / 20)
      #expect(busyTime.length <= Int64(step) * time / 20)
      if step == 10 { half = busyTime.length }
    }
    return busyTime.length - half
  }

  @Test func `programs that share a processor wait for it`() throws {
    let spin = "timeout 2 taskset -c 0 sh -c 'while :; do :; done'"
    #expect(try busy("\(spin) & \(spin)", for: 600_000) > 50_000)
  }

  @Test func `a program that sleeps waits for nothing`() throws {
    #expect(try busy("sleep 2", for: 600_000) < 30_000)
  }

  @Test func `nothing is left out where nothing is watched`() {
    var busyTime = BusyTime()
    busyTime.count(until: 1_000_000)
    #expect(busyTime.length == 0)
  }
}
