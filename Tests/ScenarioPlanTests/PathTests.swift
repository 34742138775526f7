import ScenarioPlan
import Testing

/// Paths of files that other files name.
@Suite struct PathTests {
  @Test(arguments: [
    ("a.yaml", ""), ("/a.yaml", "/"), ("b/a.yaml", "b"), ("/b/c/a.yaml", "/b/c"),
    ("./a.yaml", "."), ("../a.yaml", ".."), ("", ""),
  ])
  func `a file without a folder lies in the current one, and one at the root in the root`(
    path: String, folder: String
  ) {
    #expect(enclosingFolder(of: path) == folder)
  }

  @Test(arguments: ["a.yaml", "/a.yaml", "b/a.yaml", "/b/c/a.yaml"])
  func `a file beside another is found in the folder of that one`(path: String) {
    #expect(resolve("a.yaml", in: enclosingFolder(of: path)) == path)
  }
}
