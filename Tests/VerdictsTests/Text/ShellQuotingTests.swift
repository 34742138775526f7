import Testing

@testable import Verdicts

@Suite struct ShellQuotingTests {
  @Test(arguments: [
    ("http://api/tasks", "http://api/tasks"), ("", "''"), ("a b", "'a b'"),
    ("it's", "'it'\\''s'"), ("'", "''\\'''"), ("$HOME `x` \\ \"q\"", "'$HOME `x` \\ \"q\"'"),
    ("a&b;c|d", "'a&b;c|d'"), ("two\nlines", "$'two\\nlines'"), ("~", "'~'"), ("é", "é"),
    ("it's\r\n\ta \\ \u{1B}", "$'it\\'s\\r\\n\\ta \\\\ \\033'"),
    ("a\u{2028}b", "$'a\\342\\200\\250b'"), ("größe.yaml:1", "größe.yaml:1"),
  ])
  func `a word is written so that a shell reads it back`(word: String, quoted: String) {
    #expect(shellQuoted(word) == quoted)
  }
}
