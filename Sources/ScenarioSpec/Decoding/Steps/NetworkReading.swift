import Diagnostics
import Values
import YAMLSyntax

extension DocumentReader {
  /// Reads the step `network`: a word for all, settings for all, or endpoint by endpoint.
  func readNetwork(_ node: YAMLNode) -> [NetworkSpec]? {
    guard case .mapping = node.content else {
      return readNetworkWord(node, .key(.network), takes: .network).map { isOnline in
        var network = NetworkSpec(endpoint: nil, range: node.range)
        network.isOnline = isOnline
        return [network]
      }
    }
    guard let fields = open(node, LanguageTable.network, "`network`") else { return nil }
    if fields.entries.isEmpty { report(.emptyMap("`network`", at: node.range)) }
    var networks: [NetworkSpec] = []
    if !fields.found.isEmpty {
      guard let settings = readSettings(fields, of: nil) else { return nil }
      networks.append(settings)
    }
    for entry in fields.others {
      guard let network = readEndpointNetwork(entry) else { return nil }
      networks.append(network)
    }
    return networks.isEmpty ? nil : networks
  }

  private func readEndpointNetwork(_ entry: YAMLEntry) -> NetworkSpec? {
    if reportMistypedSetting(entry) { return nil }
    let name = readAddress(entry)
    var network = NetworkSpec(endpoint: name, range: entry.name.range)
    if case .mapping = entry.value.content {
      guard let fields = open(entry.value, LanguageTable.endpointNetwork, "`\(entry.key)`"),
        let settings = readSettings(fields, of: name)
      else { return nil }
      network = settings
    } else {
      let word = readNetworkWord(
        entry.value, .entry(entry.key, of: .network), takes: .endpointNetwork)
      guard let word else { return nil }
      network.isOnline = word
    }
    return name == nil ? nil : network
  }

  /// Reports a mistyped setting: a key that is nearly one, with a value that no endpoint takes.
  private func reportMistypedSetting(_ entry: YAMLEntry) -> Bool {
    let rule = LanguageTable.network
    guard let nearest = nearestName(to: entry.key, among: rule.keys.map(\.name)),
      isMeantForSetting(entry.value, named: nearest)
    else { return false }
    report(.unknownKey(entry.key, in: rule, nearest: nearest, at: entry.keyRange))
    return true
  }

  private func isMeantForSetting(_ node: YAMLNode, named name: String) -> Bool {
    switch node.content {
    case .scalar(let scalar): !["offline", "online"].contains(scalar.text)
    case .sequence: name == Key.fragments.rawValue
    case .mapping(let entries):
      name == Key.faults.rawValue
        && entries.contains { LanguageTable.faults.rule(named: $0.key) != nil }
    }
  }

  private func readSettings(_ fields: MappingReader, of endpoint: Located<String>?) -> NetworkSpec?
  {
    if fields.entries.isEmpty { report(.emptyMap(fields.rule.name.shortPhrase, at: fields.range)) }
    var network = NetworkSpec(endpoint: endpoint, range: fields.range)
    network.latency = fields.anyDuration(.latency)
    network.loss = fields[.loss].flatMap { readFraction($0.value, .key(.loss)) }
    network.fragments = fields[.fragments].flatMap { readFragments($0.value) }
    network.faults = fields[.faults].flatMap { readFaults($0.value) }
    guard network.latency != nil || !fields.has(.latency),
      network.loss != nil || !fields.has(.loss),
      network.fragments != nil || !fields.has(.fragments),
      network.faults != nil || !fields.has(.faults)
    else { return nil }
    return network
  }

  /// Reads the sizes of pieces: one, several in turn, or none.
  private func readFragments(_ node: YAMLNode) -> [Int]? {
    let subject = ValueSubject.key(.fragments)
    if case .sequence(let elements) = node.content {
      let sizes = elements.map {
        readInteger($0, in: LanguageTable.fragmentSizes, .element(.fragments))?.value
      }
      if sizes.isEmpty {
        report(.outOfRange(subject.text, takes: "one size or more", at: node.range))
      }
      return sizes.isEmpty || sizes.contains(nil) ? nil : sizes.compactMap { $0 }
    }
    if node.scalar?.isText ?? false {
      return readWord(node, LanguageTable.noneWord, subject, of: LanguageTable.fragments)
        .map { _ in [] }
    }
    guard case .int? = node.scalar?.value else {
      reportWrongType(node, subject, takes: LanguageTable.fragments)
      return nil
    }
    return readInteger(node, in: LanguageTable.fragmentSizes, subject).map { [$0.value] }
  }

  /// Reads faults and their shares, or none.
  private func readFaults(_ node: YAMLNode) -> FaultsSpec? {
    if node.scalar?.isText ?? false {
      let word = readWord(
        node, LanguageTable.noneWord, .key(.faults),
        of: .anyOf([.mapping(.faults), LanguageTable.noneWord]))
      return word.map { _ in FaultsSpec() }
    }
    guard let fields = open(node, LanguageTable.faults, "`faults`") else { return nil }
    if fields.entries.isEmpty { report(.emptyMap("`faults`", at: node.range)) }
    var faults = FaultsSpec()
    faults.refuse = readShare(fields, .refuse)
    faults.drop = readShare(fields, .drop)
    faults.reset = readShare(fields, .reset)
    faults.stall = readShare(fields, .stall)
    faults.corrupt = readShare(fields, .corrupt)
    faults.duplicate = readShare(fields, .duplicate)
    let delay = fields[.delay].flatMap {
      open($0.value, LanguageTable.faultDelay, "`delay`")
    }
    faults.delay = delay.flatMap { readShare($0, .share) }
    faults.longestDelay = delay?.anyDuration(.upTo)
    return faults
  }

  private func readShare(_ fields: MappingReader, _ key: Key) -> DataSpec? {
    fields.assertShape(key) { $0 == .fraction }
    return fields[key].flatMap { readFraction($0.value, .key(key)) }
  }

  private func readNetworkWord(
    _ node: YAMLNode, _ subject: ValueSubject, takes mapping: MappingName
  )
    -> Bool?
  {
    let full = Shape.anyOf([LanguageTable.networkWords, .mapping(mapping)])
    guard let scalar = node.scalar, scalar.isText else {
      reportWrongType(node, subject, takes: full)
      return nil
    }
    let word = readWord(node, LanguageTable.networkWords, subject, of: full)
    return word.map { $0.value == "online" }
  }

  /// Reads a number from 0 to 1, or an expression that gives one.
  private func readFraction(_ node: YAMLNode, _ subject: ValueSubject) -> DataSpec? {
    guard let data = readScalar(node, subject) else { return nil }
    switch data.content {
    case .literal(.int(let number)) where (0...1).contains(number): return data
    case .literal(.double(let number)) where (0...1).contains(number): return data
    case .expression: return data
    case .literal(.int), .literal(.double):
      report(.badFraction(subject.text, node.text ?? "", at: node.range))
    case .literal(.string(let text)) where text.hasSuffix("%"):
      report(.badFraction(subject.text, text, at: node.range))
    case .literal, .text, .list, .map, .keyedMap, .example:
      reportWrongType(node, subject, takes: .fraction)
    }
    return nil
  }
}
