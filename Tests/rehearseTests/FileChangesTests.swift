import ScenarioRuns
import TestKit
import Testing

@testable import rehearse

@Suite struct FileChangesTests {
  private func isNoticed(_ changes: FileChanges) -> Bool {
    let end = wallClock() + 2_000_000
    while wallClock() < end { if changes.haveChanged() { return true } }
    return false
  }

  private func isQuiet(_ changes: FileChanges) -> Bool {
    let end = wallClock() + 150_000
    while wallClock() < end { if changes.haveChanged() { return false } }
    return true
  }

  @Test func `an edit that is saved while a file is read is a change`() throws {
    let folder = try TemporaryFolder()
    #expect(folder.write("a", "1"))
    let reads = FileReads()
    reads.willRead(folder.file("a"))
    #expect(folder.write("a", "22"))
    reads.willRead(folder.file("a"))
    let changes = FileChanges(reads)
    #expect(isNoticed(changes) && isQuiet(changes))
  }

  @Test func `a file that was not there is a change when it is`() throws {
    let folder = try TemporaryFolder()
    let reads = FileReads()
    #expect(reads.files.read(folder.file("a")).map { _ in true } == nil)
    let changes = FileChanges(reads)
    #expect(isQuiet(changes))
    #expect(folder.write("a", "1"))
    #expect(isNoticed(changes) && isQuiet(changes))
  }

  @Test func `the files of an attempt that failed are watched from before it read them`() throws {
    let folder = try TemporaryFolder()
    #expect(folder.write("a", "1") && folder.write("b", "1"))
    let reads = FileReads()
    reads.willRead(folder.file("a"))
    let changes = FileChanges(reads)
    #expect(folder.write("a", "broken"))
    #expect(isNoticed(changes))
    let attempt = FileReads()
    attempt.willRead(folder.file("a"))
    attempt.willRead(folder.file("b"))
    #expect(folder.write("b", "mended"))
    changes.add(attempt)
    #expect(isNoticed(changes) && isQuiet(changes))
  }
}
