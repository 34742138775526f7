import Testing

@testable import rehearse

@Suite struct UnifiedDiffTests {
  struct Case: Sendable {
    var old: String
    var new: String
    var hunks: String
  }

  static let numbers = (0..<20).map { "\($0)\n" }.joined()
  static let cases = [
    Case(old: "a\nb\n", new: "a\nb\n", hunks: ""),
    Case(old: "a\nb\nc\n", new: "a\nx\nc\n", hunks: "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n"),
    Case(old: "", new: "a\n", hunks: "@@ -1,0 +1,1 @@\n+a\n"),
    Case(old: "a\n", new: "", hunks: "@@ -1,1 +1,0 @@\n-a\n"),
    Case(
      old: "a", new: "a\n", hunks: "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n"),
    Case(
      old: "1\n2\n3\n4\n5\n6\n7\n8\n9\n", new: "1\n3\n4\n5\n6\n7\n8\nnew\n9\n",
      hunks: """
        @@ -1,5 +1,4 @@
         1
        -2
         3
         4
         5
        @@ -6,4 +5,5 @@
         6
         7
         8
        +new
         9

        """),
    Case(
      old: numbers, new: numbers.replacing("\n2\n", with: "\nx\n").replacing("17", with: "y"),
      hunks: "@@ -1,6 +1,6 @@\n 0\n 1\n-2\n+x\n 3\n 4\n 5\n"
        + "@@ -15,6 +15,6 @@\n 14\n 15\n 16\n-17\n+y\n 18\n 19\n"),
  ]

  @Test(arguments: cases)
  func `the lines that differ are shown with those around them`(example: Case) {
    let header = example.hunks.isEmpty ? "" : "--- old\n+++ new\n"
    let text = UnifiedDiff(example.old, example.new).text(from: "old", to: "new")
    #expect(text == header + example.hunks)
  }

  @Test func `two texts without a common line are shown as a whole`() {
    let old = (0..<3000).map { "a\($0)\n" }.joined()
    let new = (0..<3000).map { "b\($0)\n" }.joined()
    let text = UnifiedDiff(old, new).text(from: "old", to: "new")
    #expect(text.split(separator: "\n").count == 6003)
  }
}
