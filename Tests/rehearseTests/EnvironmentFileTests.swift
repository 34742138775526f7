import Testing

@testable import rehearse

@Suite struct EnvironmentFileTests {
  @Test(arguments: [
    ("A=1\r\nB=2\r\n", ["A=1", "B=2"]),
    ("\u{FEFF}A=1", ["A=1"]),
    ("export A=1\n export\tB = 2", ["A=1", "B=2"]),
    ("# nothing\n\nA='b c'\nB=\"d\"\nC=e=f\nD=", ["A=b c", "B=d", "C=e=f", "D="]),
    (#"A="b\nc\r\t\"d\\ne""#, ["A=b\nc\r\t\"d\\ne"]),
    (#"A='b\nc'"# + "\n" + #"B=b\nc"# + "\n" + #"C="\w\""#, ["A=b\\nc", "B=b\\nc", "C=\\w\\"]),
  ])
  func `each line sets a variable`(_ text: String, _ expected: [String]) {
    let file = parseEnvironmentFile(text, path: "a.env")
    #expect(file.value.map { "\($0.name)=\($0.value)" } == expected)
    #expect(file.diagnostics.isEmpty)
  }

  @Test(arguments: [["--var", "a=s3cret", "--nope"], ["--var=a=s3cret", "--nope"]])
  func `a complaint about the command line hides the values of variables`(_ words: [String]) {
    guard case .failure(let problem) = parseArguments(["run"] + words) else {
      Issue.record("there is something to complain about")
      return
    }
    #expect(!problem.rendered().contains("s3cret"))
    #expect(problem.rendered().contains("a=…"))
  }
}
