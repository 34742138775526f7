/// The meaning of a key for the text under it.
enum CredentialKey: Sendable {
  /// The text is a secret, whatever it looks like: `access_token`, `X-Api-Key`, `sid`.
  case secret
  /// The text is a secret of several words: `mnemonic`.
  case words
  /// The text is a short code: `otp`, `pin`.
  case code
  /// The text is a secret if a machine has made it: `code`, `key`, `state`, `tokens`.
  case doubtful

  /// Nil for a key that stands for no secret.
  init?(_ key: String) { self.init(key.utf8) }

  init?(_ key: some Collection<UInt8>) {
    guard key.count <= longestKey else { return nil }
    let dashes = [UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: ".")]
    let letters = key.lazy.filter { !dashes.contains($0) }
      .map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    let word = Array(letters)
    func ends(_ ends: [[UInt8]]) -> Bool {
      ends.contains { word.count >= $0.count && word.suffix($0.count) == $0[...] }
    }
    if word.elementsEqual("sid".utf8) || ends(secretKeyEnds) {
      self = .secret
    } else if ends(wordsKeyEnds) {
      self = .words
    } else if codeKeys.contains(word) {
      self = .code
    } else if doubtfulKeys.contains(word) || ends(doubtfulKeyEnds) {
      self = .doubtful
    } else {
      return nil
    }
  }
}

/// The ends of the keys under which services issue tokens, in lower case and without `_` and `-`.
private let secretKeyEnds: [[UInt8]] = [
  "token", "secret", "password", "passwd", "passphrase", "pwd", "apikey", "accesskey", "secretkey",
  "privatekey", "authkey", "sessionid", "sessid", "session", "csrf", "xsrf", "jwt", "bearer",
  "authorization", "credential", "credentials", "cookie", "signature", "devicecode", "passcode",
  "passwort", "kennwort", "motdepasse", "wachtwoord", "contrasena", "senha",
].map { Array($0.utf8) }

private let wordsKeyEnds: [[UInt8]] = ["mnemonic", "seedphrase", "recoveryphrase"]
  .map { Array($0.utf8) }

private let codeKeys = keys(["otp", "pin", "totp", "onetimecode", "verificationcode", "cvv"])

private let doubtfulKeys = keys([
  "key", "auth", "code", "state", "ticket", "sig", "authcode", "authorizationcode", "codeverifier",
  "codechallenge", "samlresponse", "samlrequest", "invite", "clientassertion", "assertion",
  "access", "refresh",
])

/// `tokens` are often counted, so that only what looks like one is one.
private let doubtfulKeyEnds: [[UInt8]] = [
  "nonce", "tokens", "secrets", "passwords", "keys", "cookies", "sessions", "ticketid",
].map { Array($0.utf8) }

private func keys(_ keys: [String]) -> Set<[UInt8]> { Set(keys.map { Array($0.utf8) }) }

/// The most bytes of a key.
private let longestKey = 40
