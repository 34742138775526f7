import Glibc
import TestKit
import Testing

@testable import rehearse

/// The notices by which a watch looks only at what may have changed.
@Suite struct FolderEventsTests {
  private let folder: TemporaryFolder
  private let events = FolderEvents()

  init() throws {
    folder = try TemporaryFolder()
    mkdir(folder.file("one"), 0o755)
    mkdir(folder.file("two"), 0o755)
    let isWritten = folder.write("one/a.yaml", "a") && folder.write("two/b.yaml", "b")
    try #require(isWritten)
    for name in ["one", "two"] { events.watch(folder.file(name)) }
  }

  /// Returns all that is noticed until nothing is any more.
  private func notice() -> FolderEvents.Notice {
    var all = FolderEvents.Notice()
    while true {
      let more = events.wait(atMost: 50)
      if more.isEmpty { return all }
      all.add(more)
    }
  }

  private func append(_ text: String, to name: String) {
    guard let file = fopen(folder.file(name), "a") else { return }
    fputs(text, file)
    fclose(file)
  }

  @Test func `nothing is noticed while nothing happens`() {
    #expect(notice() == FolderEvents.Notice())
  }

  @Test func `a file that is written names its folder, and no other`() {
    append("more", to: "one/a.yaml")
    #expect(notice() == FolderEvents.Notice(folders: [folder.file("one")]))
  }

  @Test func `a file that comes or goes is no file that is written`() {
    append("new", to: "two/c.yaml")
    let both = FolderEvents.Notice(folders: [folder.file("two")], mayHaveOtherFiles: true)
    #expect(notice() == both)
    unlink(folder.file("two/b.yaml"))
    #expect(notice() == both)
  }

  @Test func `a folder that was gone is watched again, by each of its names`() {
    unlink(folder.file("one/a.yaml"))
    rmdir(folder.file("one"))
    #expect(notice() == .ofAnything)
    mkdir(folder.file("one"), 0o755)
    let names = [folder.file("one"), folder.file("two/../one")]
    for name in names { events.watch(name) }
    append("back", to: "one/a.yaml")
    #expect(notice().folders == Set(names))
  }
}
