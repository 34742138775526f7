import TextSearch
import Values

/// The tokens that real endpoints issued during a run, and the names in their place.
///
/// A token is known by the key it stands under, or by its shape. The same token has the same name
/// in the answer that issues it and in the requests that use it.
package struct IssuedTokens: Sendable {
  /// The keys whose text is a token.
  static let keys: Set<String> = [
    "access_token", "accesstoken", "refresh_token", "refreshtoken", "id_token", "idtoken", "token",
    "api_key", "apikey", "x-api-key", "client_secret", "secret", "password", "session", "sessionid",
    "session_id", "csrf", "csrf_token", "authorization", "proxy-authorization", "cookie",
    "set-cookie",
  ]
  /// The beginnings of tokens that services issue.
  static let beginnings = [
    "eyJ", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "sk-", "sk_live_",
    "sk_test_", "rk_live_", "pk_live_", "xoxb-", "xoxp-", "xoxa-", "AKIA", "ASIA", "ya29.", "AIza",
    "npm_", "hf_", "dop_v1_", "shpat_",
  ]
  /// The fewest bytes of a token.
  static let shortest = 8
  /// The fewest bytes of a token that is known by its shape alone.
  static let shortestByShape = 16

  /// By token: its name. The longest are replaced first.
  private var names: [(token: String, name: String)] = []
  private var counts: [String: Int] = [:]

  package init() {}

  /// Finds tokens in a value.
  package mutating func find(in json: Value) {
    switch json {
    case .string(let text): findShapes(in: text)
    case .list(let elements): for element in elements { find(in: element) }
    case .map(let map): for (key, value) in map { find(in: value, under: key.plainText) }
    default: break
    }
  }

  private mutating func find(in value: Value, under key: String) {
    if case .string(let text) = value, IssuedTokens.keys.contains(key.lowercased()) {
      let token = text.split(separator: " ").last.map(String.init) ?? text
      if token.utf8.count >= IssuedTokens.shortest { add(token, key.lowercased()) }
    }
    find(in: value)
  }

  private mutating func findShapes(in text: String) {
    guard text.utf8.count >= IssuedTokens.shortestByShape else { return }
    for word in text.split(whereSeparator: { !isTokenCharacter($0) })
    where word.utf8.count >= IssuedTokens.shortestByShape {
      guard let beginning = IssuedTokens.beginnings.first(where: word.hasPrefix) else { continue }
      let isJWT = beginning == "eyJ"
      if isJWT, word.split(separator: ".").count < 2 { continue }
      add(String(word), isJWT ? "jwt" : "token")
    }
  }

  private mutating func add(_ token: String, _ kind: String) {
    guard !token.contains("‹"), !names.contains(where: { $0.token == token }) else { return }
    counts[kind, default: 0] += 1
    names.append((token, "‹\(kind)#\(counts[kind] ?? 1)›"))
    names.sort { $0.token.utf8.count > $1.token.utf8.count }
  }

  /// The names of all tokens that were found.
  package var allNames: [String] { names.map(\.name) }

  /// The name of a token that was found; nil if there is none.
  var firstName: String? { names.first?.name }

  package func hidden(in text: String) -> String {
    guard text.utf8.count >= IssuedTokens.shortest else { return text }
    var text = text
    for (token, name) in names { text = text.replacing(token, with: name) }
    return text
  }
}

private func isTokenCharacter(_ character: Character) -> Bool {
  character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character))
}
