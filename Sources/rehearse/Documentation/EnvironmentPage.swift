/// A variable of the environment that changes what the program does.
struct EnvironmentEntry: Sendable {
  var name: String
  var effect: String

  init(_ name: String, _ effect: String) {
    self.name = name
    self.effect = effect
  }

  /// All variables that the program reads.
  static let all =
    [
      EnvironmentEntry(
        "CI", "no snapshots or traces beside scenarios, unless it is `0` or `false`"),
      EnvironmentEntry("CLICOLOR_FORCE", "colours, also if the output is no terminal"),
      EnvironmentEntry(
        "GITHUB_ACTIONS",
        "`true`: failures are also marked at their lines; what scenarios and servers say is no "
          + "command"),
      EnvironmentEntry("GITHUB_STEP_SUMMARY", "the file to which GitHub's step summary is added"),
      EnvironmentEntry("NO_COLOR", "no colours, unless `--color always` is given"),
      EnvironmentEntry("PATH", "where `programs` are searched"),
      EnvironmentEntry(
        "REHEARSE_DOCS",
        "a site made by `docs/site/build`; in a terminal, ids of diagnostics link to it"),
      EnvironmentEntry(
        "REHEARSE_ENDS_WITH_PARENT",
        "a run ends as by SIGTERM when the process that started it ends; test runners set it"),
      EnvironmentEntry(
        "REHEARSE_FILE_LINK",
        "the link of a place in a terminal, such as `vscode://file{path}:{line}:{column}`; without "
          + "it, places link to their files"),
      EnvironmentEntry("REHEARSE_SHARD", "the part for `--shard auto`, such as `2/5`"),
      EnvironmentEntry("SSL_CERT_DIR", "the folder of trusted certificates"),
      EnvironmentEntry("SSL_CERT_FILE", "the file of trusted certificates"),
      EnvironmentEntry("TEAMCITY_VERSION", "what scenarios and servers say is no command"),
      EnvironmentEntry("TERM", "`dumb`: no colours"),
      EnvironmentEntry(
        "TMPDIR", "the place of temporary folders of programs; the default is `/tmp`"),
      EnvironmentEntry("TF_BUILD", "what scenarios and servers say is no command"),
      EnvironmentEntry("all_proxy", "the proxy for real endpoints; also in capital letters"),
      EnvironmentEntry("http_proxy", "the proxy for `http` URLs"),
      EnvironmentEntry("https_proxy", "the proxy for `https` URLs; also in capital letters"),
      EnvironmentEntry(
        "no_proxy",
        "the hosts that need no proxy, also as `10.0.0.0/8`; also in capital letters"
      ),
    ] + shards

  /// The variables of build servers that number parallel jobs.
  private static let shards = ShardChoice.variables.flatMap { names in
    [
      EnvironmentEntry(
        names.index, "the number of the part for `--shard auto`, counted from \(names.first)"),
      EnvironmentEntry(names.count, "the number of parts for `--shard auto`"),
    ]
  }
}

private let environmentRows = EnvironmentEntry.all.sorted { $0.name < $1.name }
  .map { row("`\($0.name)`", $0.effect) }.joined()

/// Returns the reference of the environment.
func environmentPage() -> String {
  """
  # Environment

  The program reads these variables. A scenario reads others with `${env.NAME}`; `--env-file` adds
  variables for scenarios. A variable of the environment takes precedence over one of a file.

  | variable | effect |
  |---|---|
  \(environmentRows)
  ## Files

  | file | what it is |
  |---|---|
  \(row("`scenarios`", "the folder that commands look into if no path is given"))\
  \(row("`.rehearse/last-failures.json`", "what failed last, for `--failed`"))\
  \(row("`__snapshots__`", "the recorded values of `snapshot`, beside a scenario"))\
  \(row("`traces`", "the traces of `--record`, beside a scenario"))
  """
}
