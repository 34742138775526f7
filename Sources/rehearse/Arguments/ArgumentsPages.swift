import Diagnostics

/// The pages of `rehearse explain` about wrong command lines. Their examples are command lines.
let usagePages = [
  DiagnosticPage(
    id: "missing-command", title: "The command is missing",
    text: "The first word after `rehearse` is a command; `rehearse --help` lists them.",
    wrong: "rehearse", right: "rehearse run"),
  DiagnosticPage(
    id: "unknown-command", title: "The command does not exist",
    text: "The first word is a command. Files and folders come after it.",
    wrong: "rehearse scenarios/chat.scenario.yaml",
    right: "rehearse run scenarios/chat.scenario.yaml"),
  DiagnosticPage(
    id: "option-before-command", title: "Options come after their command",
    text: "Each command has options of its own. Only --help and --version may come before it.",
    wrong: "rehearse --seed 7 run", right: "rehearse run --seed 7"),
  DiagnosticPage(
    id: "unknown-option", title: "A command takes the options its help page lists",
    text: "A file whose name looks like an option can be written after `--`.",
    wrong: "rehearse run --sed 7", right: "rehearse run --seed 7"),
  DiagnosticPage(
    id: "option-needs-value", title: "The value comes after the option",
    text: "It is the next word, or comes after `=`. A value that begins with `--` needs the `=`.",
    wrong: "rehearse run --tag --odd", right: "rehearse run --tag=--odd"),
  DiagnosticPage(
    id: "option-takes-no-value", title: "Some options only switch something on",
    text: "They are off when they are not given.",
    wrong: "rehearse run --fail-fast=yes", right: "rehearse run --fail-fast"),
  DiagnosticPage(
    id: "option-given-twice", title: "An option that holds one value is given once",
    text:
      "Which of two was meant cannot be known. The help page marks options that are repeatable.",
    wrong: "rehearse run --seed 7 --seed 8", right: "rehearse run --seed 8"),
  DiagnosticPage(
    id: "options-contradict", title: "Two options that exclude each other",
    text: "One asks for the opposite of the other, such as more output and less.",
    wrong: "rehearse run --verbose --quiet", right: "rehearse run --verbose"),
  DiagnosticPage(
    id: "input-named-twice", title: "Standard input can be read only once",
    text: "Two words of the command are `-`, or `/dev/stdin`. One of them has to be a file.",
    wrong: "rehearse trace diff - -", right: "rehearse trace diff old.trace.jsonl -"),
  DiagnosticPage(
    id: "unexpected-argument", title: "The command takes fewer words",
    text: "Often a text with spaces was not put in quotes.",
    wrong: "rehearse eval 1 + 1", right: "rehearse eval '1 + 1'"),
  DiagnosticPage(
    id: "missing-argument", title: "The command needs one more word",
    text: "Its help page says which.", wrong: "rehearse eval", right: "rehearse eval '1 + 1'"),
  DiagnosticPage(
    id: "bad-option-value", title: "The value is not of the kind the option takes",
    text: "The help page says what an option takes.",
    wrong: "rehearse run --jobs many", right: "rehearse run --jobs 4"),
  DiagnosticPage(
    id: "bad-selector", title: "Scenarios are named by file, line, title or row",
    text: "PATH, FILE:LINE, FILE::TITLE or FILE::TITLE::ROW; lines count from 1, no part is empty.",
    wrong: "rehearse run chat.scenario.yaml:0", right: "rehearse run chat.scenario.yaml:12"),
  DiagnosticPage(
    id: "two-reports-shown", title: "One report goes to standard output",
    text: "A reader could not tell two reports apart. Write the others to files, with `=FILE`.",
    wrong: "rehearse run --format human --format json",
    right: "rehearse run --format human --format json=report.json"),
  DiagnosticPage(
    id: "two-reports-in-one-file", title: "Each report goes to a file of its own",
    text: "The last report would replace the others.",
    wrong: "rehearse run --format json=report --format junit=report",
    right: "rehearse run --format json=report.json --format junit=report.xml"),
  DiagnosticPage(
    id: "world-not-available", title: "The world is not available",
    text: """
      Scenarios run against mocks in memory or on sockets, against real endpoints, or against a
      trace, which is a file or a folder.
      """,
    wrong: "rehearse run --against trace",
    right: "rehearse run --against trace:prices.trace.jsonl"),
]
