import Diagnostics

/// The long form of the diagnostics about the syntax of a file: one page for each id.
package let yamlPages: [DiagnosticPage] = quotingPages + structurePages + namePages + bytePages

private let quotingPages = [
  DiagnosticPage(
    id: "needs-quotes", title: "A value must be in quotes",
    text: """
      YAML gives a meaning of its own to a value that begins with one of ! ' " [ { & * % @ or a \
      backtick, to a colon followed by a space, and, within brackets and braces, to each of , [ ] \
      { }. Expressions have many of them. In quotes, everything is text.
      """,
    wrong: "isEmpty: { computed: items[0] == 'x' }",
    right: "isEmpty: { computed: \"items[0] == 'x'\" }"),
  DiagnosticPage(
    id: "comment-cut", title: "A comment cuts a value off",
    text: """
      A # after a space begins a comment, even if a quote within plain text is open. A value with \
      such a # must be in quotes as a whole.
      """,
    wrong: "check: title == 'issue #1'", right: "check: \"title == 'issue #1'\""),
  DiagnosticPage(
    id: "split-by-comma", title: "A comma splits a value",
    text: """
      Within brackets and braces a comma ends a plain value. Parentheses do not keep it together, \
      because they mean nothing to YAML.
      """,
    wrong: "total: { computed: max(a, b) }", right: "total: { computed: \"max(a, b)\" }"),
  DiagnosticPage(
    id: "list-of-one-word", title: "Brackets make a list",
    text: """
      A value in brackets is a list. Text with brackets, such as the end mark of some streams, \
      must be in quotes.
      """,
    wrong: "data: [DONE]", right: "data: \"[DONE]\""),
  DiagnosticPage(
    id: "missing-space-after-colon", title: "A key's colon is followed by a space",
    text: "Without the space, YAML reads key, colon and value as one text.",
    wrong: "set: { count:1 }", right: "set: { count: 1 }"),
  DiagnosticPage(
    id: "yaml-1-1-reading", title: "YAML 1.1 read this otherwise",
    text: """
      Files are read by the core schema of YAML 1.2: no, on and y are text, 010 is ten, 1:30 and \
      1_000 are text. Older tools read booleans, octal numbers and thousands. The warning \
      names both readings; write the one that you mean.
      """,
    wrong: "enabled: yes", right: "enabled: true"),
  DiagnosticPage(
    id: "anchor-on-nothing", title: "An anchor names the value after it",
    text: """
      &name gives a name to the value that follows. If nothing follows, it names null. Then you \
      probably mean text that begins with &, which must be in quotes.
      """,
    wrong: "query: &page", right: "query: \"&page\""),
]

private let structurePages = [
  DiagnosticPage(
    id: "yaml-syntax", title: "The file is not YAML",
    text: """
      The text breaks a rule of YAML, which the message names. The document with the problem is \
      skipped; the others of the file are read.
      """,
    wrong: "set:\n  count: 1\n other: 2", right: "set:\n  count: 1\nother: 2"),
  DiagnosticPage(
    id: "unclosed-quote", title: "A quote is not closed",
    text: "Text in quotes ends with the quote it began with. In single quotes, write ' as ''.",
    wrong: "title: 'it begins", right: "title: 'it begins and ends'"),
  DiagnosticPage(
    id: "unclosed-bracket", title: "A bracket is not closed, or a comma is missing",
    text: "Elements within [ ] and { } are separated by commas, and the bracket is closed.",
    wrong: "set: { a: 1, b: 2", right: "set: { a: 1, b: 2 }"),
  DiagnosticPage(
    id: "tab-indentation", title: "Tabs do not indent",
    text: "YAML indents with spaces, because the width of tabs differs between editors.",
    wrong: "set:\n\tcount: 1", right: "set:\n  count: 1"),
  DiagnosticPage(
    id: "duplicate-key", title: "A key occurs twice",
    text: "A mapping has each key once. The first value was kept.",
    wrong: "count: 1\ncount: 2", right: "count: 1\ntotal: 2"),
  DiagnosticPage(
    id: "complex-key", title: "A key is text",
    text: "YAML allows lists and maps as keys; scenarios do not.",
    wrong: "? [a, b]\n: 1", right: "a: 1\nb: 1"),
  DiagnosticPage(
    id: "too-deep", title: "Lists and maps are nested too deeply",
    text: "Lists and maps are nested at most \(YAMLLimit.depth) levels deep, so that every part "
      + "of the program can rely on it. An alias counts as the value it names.",
    wrong: String(repeating: "[", count: YAMLLimit.depth + 1)
      + String(repeating: "]", count: YAMLLimit.depth + 1),
    right: "[[[]]]"),
  DiagnosticPage(
    id: "empty-file", title: "A file holds at least one document",
    text: "The file has nothing but space and comments.",
    wrong: "# nothing yet", right: "scenario: A title"),
  DiagnosticPage(
    id: "empty-document", title: "A document is empty",
    text: "Between two --- lines, or after the last, nothing is written. Remove one of the "
      + "lines.",
    wrong: "a: 1\n---", right: "a: 1"),
]

private let namePages = [
  DiagnosticPage(
    id: "unknown-tag", title: "A tag is not known",
    text: """
      A tag, which begins with !, sets the type of a value. The tags are !!str !!int !!float \
      !!bool !!null !!map !!seq. An expression that begins with ! must be in quotes.
      """,
    wrong: "hidden: { computed: !visible }", right: "hidden: { computed: \"!visible\" }"),
  DiagnosticPage(
    id: "tag-mismatch", title: "A value is not what its tag says",
    text: "A value with a tag such as !!int reads as an integer by the core schema.",
    wrong: "count: !!int many", right: "count: !!int 3"),
  DiagnosticPage(
    id: "undefined-alias", title: "An alias without a value",
    text: """
      *name refers to the value that &name names, earlier in the same document. An expression \
      that begins with * must be in quotes.
      """,
    wrong: "a: *base", right: "base: &base 1\na: *base"),
  DiagnosticPage(
    id: "recursive-alias", title: "A value contains itself",
    text: "An alias within the value that it names would have no end.",
    wrong: "a: &a\n  b: *a", right: "a: &a\n  b: 1\nc: *a"),
  DiagnosticPage(
    id: "alias-bomb", title: "Aliases name too much",
    text: """
      Aliases of values with aliases multiply. A document has at most \(YAMLLimit.nodes) nodes, \
      each alias counted as the whole value it names.
      """,
    wrong: "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
      + zip("abcdef", "bcdefg").map { from, to in
        "\(to): &\(to) [" + repeatElement("*\(from)", count: 10).joined(separator: ",") + "]\n"
      }.joined(),
    right: "a: &a [x,x,x]\nb: [*a,*a]"),
  DiagnosticPage(
    id: "merge-not-mapping", title: "Only mappings are merged",
    text: "<< takes the entries of a mapping, or of each mapping of a list, into this one.",
    wrong: "a: &a 1\nb:\n  <<: *a", right: "a: &a { x: 1 }\nb:\n  <<: *a"),
]

private let bytePages = [
  DiagnosticPage(
    id: "invalid-utf8", title: "A file is UTF-8 text",
    text: "A byte is not part of UTF-8 text. Save the file in that encoding.",
    wrong: "name: caf\\xE9", right: "name: café"),
  DiagnosticPage(
    id: "control-character", title: "Control characters are written as escapes",
    text: "YAML allows no control characters but tab and line breaks. In double quotes each has "
      + "an escape.",
    wrong: "bell: \u{7}", right: "bell: \"\\u0007\""),
  DiagnosticPage(
    id: "no-break-space", title: "A no-break space in an indentation",
    text: "A no-break space looks like a space, but YAML reads it as a part of the key. It often "
      + "comes with text that was copied from a web page.",
    wrong: "graph:\n\u{A0} count: 0", right: "graph:\n  count: 0"),
  DiagnosticPage(
    id: "unusual-line-break", title: "A line ends with a line feed",
    text: """
      A carriage return alone, U+0085, U+2028 and U+2029 end a line for YAML as well, but editors \
      do not show it. In double quotes each has an escape.
      """,
    wrong: "text: one\u{2028}  two", right: "text: \"one\\u2028two\""),
  DiagnosticPage(
    id: "file-too-large", title: "A file is too large",
    text: "A file has at most \(YAMLLimit.fileSize) bytes. Split it, or keep data in files of "
      + "their own.",
    wrong: "# more than \(YAMLLimit.fileSize) bytes", right: "# less"),
  DiagnosticPage(
    id: "too-many-nodes", title: "A file has too many nodes",
    text: "A file has at most \(YAMLLimit.nodesInFile) scalars, lists and maps. Split it, or keep "
      + "data in a JSON or CSV file.",
    wrong: "# more than \(YAMLLimit.nodesInFile) nodes", right: "# fewer"),
]
