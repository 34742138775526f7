import Glibc
import Values

/// An IP address or a range of them.
///
/// `Value` has no case for it. So it is stored as a map whose only key is its type, which no map
/// literal can spell.
struct NetworkValue: Equatable {
  let bytes: [UInt8]
  /// The length of the range's common prefix in bits; nil for a single address.
  let prefix: Int?

  init(bytes: [UInt8], prefix: Int?) {
    self.bytes = bytes
    self.prefix = prefix
  }

  init?(_ value: Value) {
    guard case .map(let map) = value, map.count == 1, let key = map.first?.key,
      case .type(let name) = key, case .string(let text)? = map[key]
    else { return nil }
    switch name {
    case "net.IP": self.init(address: text)
    case "net.CIDR": self.init(range: text)
    default: return nil
    }
  }

  init?(address text: String) {
    guard let bytes = NetworkValue.parse(text) else { return nil }
    self.init(bytes: bytes, prefix: nil)
  }

  init?(range text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let bytes = NetworkValue.parse(String(parts[0])),
      let prefix = Int(parts[1]), String(prefix) == parts[1], prefix <= bytes.count * 8
    else { return nil }
    self.init(bytes: bytes, prefix: prefix)
  }

  private static func parse(_ text: String) -> [UInt8]? {
    guard !text.utf8.contains(0) else { return nil }
    let isSix = text.utf8.contains(UInt8(ascii: ":"))
    var bytes = [UInt8](repeating: 0, count: isSix ? 16 : 4)
    return inet_pton(isSix ? AF_INET6 : AF_INET, text, &bytes) == 1 ? bytes : nil
  }

  var isSix: Bool { bytes.count == 16 }
  var typeName: String { prefix == nil ? "net.IP" : "net.CIDR" }
  var type: CELType { .opaque(typeName, []) }

  var value: Value {
    var map = ValueMap()
    map[.type(typeName)] = .string(text)
    return .map(map)
  }

  /// The address in its canonical spelling, with the prefix length of a range.
  var text: String {
    var buffer = [CChar](repeating: 0, count: 64)
    inet_ntop(isSix ? AF_INET6 : AF_INET, bytes, &buffer, socklen_t(buffer.count))
    let letters = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let address = String(decoding: letters, as: UTF8.self)
    return prefix.map { "\(address)/\($0)" } ?? address
  }

  /// The range with all bits after its prefix set to zero.
  var masked: NetworkValue {
    let length = prefix ?? bytes.count * 8
    let kept = bytes.enumerated().map { index, byte -> UInt8 in
      let bits = min(8, max(0, length - index * 8))
      return byte & ~UInt8(truncatingIfNeeded: 0xFF >> bits)
    }
    return NetworkValue(bytes: kept, prefix: prefix)
  }

  func contains(_ other: NetworkValue) -> Bool {
    let length = prefix ?? bytes.count * 8
    guard isSix == other.isSix, other.prefix ?? other.bytes.count * 8 >= length else {
      return false
    }
    return NetworkValue(bytes: other.bytes, prefix: length).masked == masked
  }
}

extension Builtins {
  private static let ip = CELType.opaque("net.IP", [])
  private static let cidr = CELType.opaque("net.CIDR", [])

  static let networks: [Builtin] = [
    global("ip", Signature([.string], ip), body: .one(NetworkFunctions.ip)).note(
      "The IP address of a text, or of a range.", "string(ip('::1'))", "'::1'"),
    member("ip", Signature([cidr], ip), body: .one(NetworkFunctions.ip)),
    global("isIP", Signature([.string], .bool), body: .one(NetworkFunctions.isIP)).note(
      "Whether a text is an IP address.", "isIP('10.0.0.256')", "false"),
    global(
      "ip.isCanonical", Signature([.string], .bool), body: .one(NetworkFunctions.isCanonical)
    ).note(
      "Whether an IP address is written in its usual form.", "ip.isCanonical('2001:DB8::1')",
      "false"),
    global("cidr", Signature([.string], cidr), body: .one(NetworkFunctions.cidr)).note(
      "The range of addresses of a text.", "string(cidr('10.1.2.3/8'))", "'10.1.2.3/8'"),
    global("isCIDR", Signature([.string], .bool), body: .one(NetworkFunctions.isCIDR)).note(
      "Whether a text is a range of addresses.", "isCIDR('10.0.0.0/8')", "true"),
    member("family", Signature([ip], .int), body: .one(NetworkFunctions.family)).note(
      "The version of an address: 4 or 6.", "ip('::1').family()", "6"),
    member("prefixLength", Signature([cidr], .int), body: .one(NetworkFunctions.prefixLength)).note(
      "The number of bits that the addresses of a range have in common.",
      "cidr('10.0.0.0/8').prefixLength()", "8"),
    member("masked", Signature([cidr], cidr), body: .one(NetworkFunctions.masked)).note(
      "The range with zeros after its prefix.", "string(cidr('10.1.2.3/8').masked())",
      "'10.0.0.0/8'"),
    member(
      "containsIP", Signature([cidr, ip], .bool), Signature([cidr, .string], .bool),
      body: .two(NetworkFunctions.containsIP)
    ).note(
      "Whether an address is in a range.", "cidr('10.0.0.0/8').containsIP('10.2.3.4')", "true"),
    member(
      "containsCIDR", Signature([cidr, cidr], .bool), Signature([cidr, .string], .bool),
      body: .two(NetworkFunctions.containsCIDR)
    ).note(
      "Whether a range is in another.", "cidr('10.0.0.0/8').containsCIDR('10.2.0.0/16')", "true"),
    test("isUnspecified") { $0.allSatisfy { $0 == 0 } }.note(
      "Whether an address is 0.0.0.0 or ::.", "ip('0.0.0.0').isUnspecified()", "true"),
    test("isLoopback") {
      $0.count == 4 ? $0[0] == 127 : $0.dropLast().allSatisfy { $0 == 0 } && $0[15] == 1
    }.note("Whether an address is of the machine itself.", "ip('127.0.0.1').isLoopback()", "true"),
    test("isGlobalUnicast", NetworkFunctions.isGlobalUnicast).note(
      "Whether an address is one of a single machine beyond the link.",
      "ip('192.0.2.1').isGlobalUnicast()", "true"),
    test("isLinkLocalMulticast") {
      $0.count == 4 ? $0[..<3] == [224, 0, 0] : $0[0] == 0xFF && $0[1] & 0x0F == 2
    }.note(
      "Whether an address is of a group on the link.", "ip('224.0.0.1').isLinkLocalMulticast()",
      "true"),
    test("isLinkLocalUnicast", NetworkFunctions.isLinkLocalUnicast).note(
      "Whether an address is of a machine on the link.", "ip('169.254.0.1').isLinkLocalUnicast()",
      "true"),
  ]

  private static func test(
    _ name: String, _ holds: @escaping @Sendable ([UInt8]) -> Bool
  ) -> Builtin {
    let body: UnaryCallNode.Function = { (value, _) throws(CELFault) in
      guard let network = NetworkValue(value), network.prefix == nil else {
        throw .noOverload(name, value)
      }
      return .bool(holds(network.bytes))
    }
    return member(name, Signature([ip], .bool), body: .one(body))
  }
}

/// The functions over addresses and ranges.
enum NetworkFunctions {
  static func isLinkLocalUnicast(_ bytes: [UInt8]) -> Bool {
    bytes.count == 4
      ? bytes[0] == 169 && bytes[1] == 254 : bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
  }

  static func isGlobalUnicast(_ bytes: [UInt8]) -> Bool {
    if isLinkLocalUnicast(bytes) || bytes.allSatisfy({ $0 == 0 }) { return false }
    if bytes.count == 4 {
      return bytes[0] != 127 && bytes[0] & 0xF0 != 224 && bytes != [255, 255, 255, 255]
    }
    return bytes[0] != 0xFF && !(bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1)
  }

  private static func address(_ text: String) throws(CELFault) -> NetworkValue {
    if text.contains("%") { throw CELFault("an IP address with a zone is not allowed") }
    guard let address = NetworkValue(address: text) else {
      throw CELFault("'\(text)' is no IP address")
    }
    if isMapped(address) { throw CELFault("an IPv4-mapped IPv6 address is not allowed") }
    return address
  }

  private static func range(_ text: String) throws(CELFault) -> NetworkValue {
    if text.contains("%") { throw CELFault("a CIDR with a zone is not allowed") }
    guard let range = NetworkValue(range: text) else {
      throw CELFault("'\(text)' is no range of addresses: one is written 10.0.0.0/8")
    }
    if isMapped(range) { throw CELFault("an IPv4-mapped IPv6 address is not allowed") }
    return range
  }

  private static func isMapped(_ value: NetworkValue) -> Bool {
    value.isSix && value.bytes[..<10].allSatisfy { $0 == 0 } && value.bytes[10] == 0xFF
      && value.bytes[11] == 0xFF
  }

  static func ip(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    if case .string(let text) = value { return try address(text).value }
    guard let network = NetworkValue(value) else { throw .noOverload("ip", value) }
    return NetworkValue(bytes: network.bytes, prefix: nil).value
  }

  static func cidr(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .string(let text) = value else { throw .noOverload("cidr", value) }
    return try range(text).value
  }

  static func isIP(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .string(let text) = value else { throw .noOverload("isIP", value) }
    return .bool((try? address(text)) != nil)
  }

  static func isCIDR(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .string(let text) = value else { throw .noOverload("isCIDR", value) }
    return .bool((try? range(text)) != nil)
  }

  static func isCanonical(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .string(let text) = value else { throw .noOverload("ip.isCanonical", value) }
    return .bool(try address(text).text == text)
  }

  static func family(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard let network = NetworkValue(value) else { throw .noOverload("family", value) }
    return .int(network.isSix ? 6 : 4)
  }

  static func prefixLength(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard let prefix = NetworkValue(value)?.prefix else { throw .noOverload("prefixLength", value) }
    return .int(prefix)
  }

  static func masked(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard let network = NetworkValue(value) else { throw .noOverload("masked", value) }
    return network.masked.value
  }

  static func containsIP(_ a: Value, _ b: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard let network = NetworkValue(a), network.prefix != nil else {
      throw .noOverload("containsIP", a, b)
    }
    if case .string(let text) = b { return .bool(network.contains(try address(text))) }
    guard let other = NetworkValue(b), other.prefix == nil else {
      throw .noOverload("containsIP", a, b)
    }
    return .bool(network.contains(other))
  }

  static func containsCIDR(_ a: Value, _ b: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard let network = NetworkValue(a), network.prefix != nil else {
      throw .noOverload("containsCIDR", a, b)
    }
    if case .string(let text) = b { return .bool(network.contains(try range(text))) }
    guard let other = NetworkValue(b), other.prefix != nil else {
      throw .noOverload("containsCIDR", a, b)
    }
    return .bool(network.contains(other))
  }
}
