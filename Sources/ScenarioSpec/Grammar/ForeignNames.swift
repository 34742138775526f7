/// The names of keys and verbs in other tools, with their names here.
enum ForeignNames {
  /// Returns the key that a name of another tool means.
  static func key(for name: String, in rule: MappingRule) -> String? {
    if rule.name == .leadsTo { return leadsToKeys[name] }
    if rule.name == .request { return requestKeys[name] }
    if rule.name == .expectedAnswer { return answerKeys[name] }
    return rule.name == .stream ? streamKeys[name] : nil
  }

  static func verb(for name: String) -> String? { verbs[name] }

  private static let streamKeys = [
    "pipe": "through", "operators": "through", "merge": "from", "source": "from",
    "sources": "from", "of": "items", "just": "items", "timer": "interval",
  ]

  private static let requestKeys = [
    "body": "json", "data": "form", "params": "query", "url": "path", "uri": "path",
    "asserts": "expect", "response": "expect", "verb": "method", "authorization": "auth",
    "basicAuth": "auth", "followRedirects": "redirects", "location": "redirects",
  ]

  private static let answerKeys = [
    "body": "json", "code": "status", "header": "headers", "cookie": "cookies", "url": "path",
    "duration": "within", "time": "within", "size": "bytes",
  ]

  private static let leadsToKeys = [
    "if": "when", "from": "when", "after": "when", "to": "then", "leadsTo": "then",
  ]

  private static let verbs = [
    "next": "send", "push": "send", "dispatch": "send", "publish": "send", "trigger": "send",
    "complete": "terminate", "finish": "terminate", "assert": "check", "verify": "check",
    "sleep": "wait", "delay": "wait", "advance": "wait", "pause": "wait", "update": "set",
    "assign": "set", "await": "eventually", "waitFor": "eventually", "waitUntil": "eventually",
    "for": "forEach", "loop": "repeat",
  ]
}
