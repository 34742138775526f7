import Glibc
import Reports
import ScenarioRuns
import Verdicts

extension RunContext {
  /// Returns the origin of a report that this process writes.
  static func current(environment: String?) -> RunContext {
    let words = withoutValues(CommandLine.arguments.dropFirst()).map {
      shellQuoted(withoutPassword($0))
    }
    var names = utsname()
    uname(&names)
    return RunContext(
      command: (["rehearse"] + words).joined(separator: " "), commit: commit(of: "."),
      environment: environment, system: text(names.sysname) + " " + text(names.machine),
      program: "rehearse \(programVersion)")
  }

  private static func text<Letters>(_ letters: Letters) -> String {
    withUnsafeBytes(of: letters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// Returns arguments without the values of variables: of one that no scenario declares, nobody
  /// knows whether it is a secret.
  private static func withoutValues(_ arguments: ArraySlice<String>) -> [String] {
    let option = "--" + OptionName.variable.rawValue
    var isSetting = false
    return arguments.map { argument in
      defer { isSetting = argument == option }
      let start = isSetting ? argument.startIndex : argument.dropFirst(option.count + 1).startIndex
      guard isSetting || argument.hasPrefix(option + "="),
        let end = argument[start...].firstIndex(of: "=")
      else { return argument }
      return argument[...end] + "***"
    }
  }

  /// Returns an argument without the password of a URL in it.
  private static func withoutPassword(_ argument: String) -> String {
    guard let slashes = argument.firstIndex(of: "/"), let at = argument.lastIndex(of: "@"),
      slashes < at, argument[..<slashes].last == ":"
    else { return argument }
    return argument[..<argument.index(slashes, offsetBy: 2)] + "***" + argument[at...]
  }

  /// The most folders that are searched for a repository.
  private static let mostFolders = 40

  /// Returns the commit that is checked out in the repository of a folder; nil outside of one. Git
  /// itself need not be installed.
  private static func commit(of folder: String) -> String? {
    var folder = folder
    for _ in 0..<mostFolders {
      if access(folder + "/.git", F_OK) == 0 { return head(of: folder + "/.git", in: folder) }
      folder += "/.."
    }
    return nil
  }

  private static func head(of git: String, in folder: String) -> String? {
    // A second work tree has a file that names its folder.
    if let link = line(of: git), link.hasPrefix("gitdir: ") {
      let path = String(link.dropFirst("gitdir: ".count))
      return head(of: path.hasPrefix("/") ? path : folder + "/" + path, in: folder)
    }
    guard let head = line(of: git + "/HEAD") else { return nil }
    guard head.hasPrefix("ref: ") else { return head }
    let reference = String(head.dropFirst("ref: ".count))
    let common = line(of: git + "/commondir").map { $0.hasPrefix("/") ? $0 : git + "/" + $0 }
    return [git, common].lazy.compactMap(\.self).compactMap { folder in
      line(of: folder + "/" + reference) ?? packed(reference, in: folder)
    }.first
  }

  private static func line(of path: String) -> String? {
    guard case .success(let bytes) = readFile(path) else { return nil }
    let line = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    return line.isEmpty ? nil : line
  }

  private static func packed(_ reference: String, in git: String) -> String? {
    guard case .success(let bytes) = readFile(git + "/packed-refs") else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    return lines.first { $0.hasSuffix(" " + reference) }.map { String($0.prefix { $0 != " " }) }
  }
}
