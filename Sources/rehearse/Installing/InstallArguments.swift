extension Verb {
  static let completionsPage = VerbPage(
    verb: .completions, purpose: "Print the completions of a shell.", operands: "SHELL",
    operandLines: [("SHELL", "bash, zsh or fish")], operandCount: 1...1, options: [],
    examples: [("rehearse completions bash", "in ~/.bashrc: source <(rehearse completions bash)")])

  static let manualPage = VerbPage(
    verb: .man, purpose: "Print the manual page.", operands: "", operandLines: [],
    operandCount: 0...0, options: [],
    examples: [("rehearse man", "to read it: rehearse man | man -l -")])
}
