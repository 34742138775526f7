import Glibc
import Testing

@testable import LiveWorld

@Suite struct ProcessorWaitTests {
  @Test func `a thread that sleeps waits for no processor`() {
    var wait = ProcessorWait()
    usleep(30_000)
    #expect(wait.length(at: 30_000) < 30_000)
  }

  @Test func `looks that follow at once cost nothing and find nothing`() {
    var wait = ProcessorWait()
    _ = wait.length(at: 10_000)
    #expect(wait.length(at: 10_001) == 0)
  }
}
