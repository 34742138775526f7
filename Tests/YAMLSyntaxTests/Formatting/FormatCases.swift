private typealias Case = FormatTests.Case

/// Texts beside the form that they have. `·` stands for nothing: it keeps blanks at the end of a
/// line visible.
let formatCases: [FormatTests.Case] = [
  Case(
    name: "blanks in brackets", text: "a: {b:   1,c: [ 1,2 ,3 ]}\nd: []\ne: { }\n",
    form: "a: { b: 1, c: [1, 2, 3] }\nd: []\ne: {}\n"),
  Case(
    name: "indentation", text: "a:\n    b:\n    - c: 1\n      d: 2\n    -   - e\n",
    form: "a:\n  b:\n    - c: 1\n      d: 2\n    - - e\n"),
  Case(
    name: "a list below its key", text: "a:\n- 1\n# of b\nb: 2\n",
    form: "a:\n  - 1\n# of b\nb: 2\n"),
  Case(
    name: "empty lines", text: "\n\na: 1\n\n\n\nb:\n\n  c: 2\n\n\n  d: 3\n\n\n",
    form: "a: 1\n\nb:\n  c: 2\n\n  d: 3\n"),
  Case(
    name: "line breaks of another system", text: "a: 1\r\nb: |\r\n  x\r\n  y\r\n",
    form: "a: 1\nb: |\n  x\n  y\n"),
  Case(name: "no line break at the end", text: "a: |\n  x", form: "a: |-\n  x\n"),
  Case(
    name: "quotes", text: "a: 'x'\nb: 'it''s'\nc: 'say \"x\"'\nd: \"y\"\ne: '\\n'\n",
    form: "a: \"x\"\nb: 'it''s'\nc: 'say \"x\"'\nd: \"y\"\ne: '\\n'\n"),
  Case(
    name: "comments", text: "# top\n\na: 1 # one\nlonger: 2     # two\n# end of map\n",
    form: "# top\n\na: 1       # one\nlonger: 2  # two\n# end of map\n"),
  Case(
    name: "comments above parts",
    text: "a:\n    # of b\n    b: 1\n    # last in a\n# of c\nc: 2\n",
    form: "a:\n  # of b\n  b: 1\n  # last in a\n# of c\nc: 2\n"),
  Case(
    name: "comments behind keys and dashes",
    text: "a: # why\n  b: 1\nc:\n  - # first\n    d: 1\n  - e # second\n",
    form: "a:  # why\n  b: 1\nc:\n  -  # first\n    d: 1\n  - e  # second\n"),
  Case(
    name: "a comment between a key and its text", text: "a: # why\n    text\n",
    form: "a:  # why\n  text\n"),
  Case(
    name: "comments without a blank before them", text: "a: {#all\n  b: [1]#one\n}#end\n",
    form: "a:        #all\n  b: [1]  #one\n#end\n"),
  Case(
    name: "comments in brackets", text: "a: [ # all\n  1, # one\n  # two\n  2\n]\nb: 3\n",
    form: "a:     # all\n  - 1  # one\n  # two\n  - 2\nb: 3\n"),
  Case(
    name: "a text in lines",
    text: "a: |  # why\n     x\n       y\n\n     z\n\n\nb: >-\n    p\n    q\n",
    form: "a: |  # why\n  x\n    y\n\n  z\n\nb: >-\n  p\n  q\n"),
  Case(
    name: "a text whose empty lines count", text: "a: |+\n   x\n\n\nb: 1\n",
    form: "a: |+\n  x\n\n\nb: 1\n"),
  Case(
    name: "a text that begins with a blank", text: "a: |3\n     x\n   y\n",
    form: "a: |2\n    x\n  y\n"),
  Case(
    name: "long plain text", text: "a: one\n     two\n\n     three\n",
    form: "a: one\n  two\n\n  three\n"),
  Case(
    name: "anchors, aliases and tags",
    text: "a: &x\n    b: 1\nc: *x\nd: !!str   5\ne: &y [1]\nf: { <<: *x }\n- \n"
      .replacing("- \n", with: ""),
    form: "a: &x\n  b: 1\nc: *x\nd: !!str 5\ne: &y [1]\nf: { <<: *x }\n"),
  Case(
    name: "an anchor in a list", text: "- &x\n  a: 1\n- &y [ 1 ]\n- *x\n",
    form: "- &x\n  a: 1\n- &y [1]\n- *x\n"),
  Case(
    name: "documents", text: "# one\na: 1\n---\n\nb: 2\n...\n---\nc: 3\n",
    form: "# one\na: 1\n---\nb: 2\n...\n---\nc: 3\n"),
  Case(
    name: "nothing as a value", text: "a:\nb:   \n- x\n".replacing("- x\n", with: "c: [~, null]\n"),
    form: "a:\nb:\nc: [~, null]\n"),
  Case(
    name: "a map of one entry in a list", text: "a: [b: 1,  { c: 2 }]\n",
    form: "a: [b: 1, { c: 2 }]\n"),
  Case(
    name: "a key in question form", text: "? a\n: 1\n", form: "a: 1\n"),
  Case(
    name: "letters of several bytes", text: "ä:   ö # ü\n'é': [ 'ß' ]\n",
    form: "ä: ö  # ü\n\"é\": [\"ß\"]\n"),
  Case(
    name: "what does not fit a line",
    text:
      "- { request: { get: /a/rather/long/path/of/a/request, headers: { Accept: application/json }"
      + ", expect: { status: 200, json: { id: 7 } } } }\n",
    form: """
      - request:
          get: /a/rather/long/path/of/a/request
          headers: { Accept: application/json }
          expect: { status: 200, json: { id: 7 } }

      """),
]
