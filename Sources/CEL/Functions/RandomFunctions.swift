import Values

extension Builtins {
  static let randoms: [Builtin] = [
    seeded("uuid", Signature([], .string), RandomFunctions.uuid).note(
      "A random UUID (version 4).", "uuid().matches('^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-')",
      "true"),
    seeded("random.int", Signature([.int, .int], .int), RandomFunctions.int).note(
      "A random whole number from one up to and including another.",
      "random.int(1, 6) in [1, 2, 3, 4, 5, 6]", "true"),
    seeded("random.text", Signature([.int], .string), RandomFunctions.text),
    seeded("random.text", Signature([.int, .string], .string), RandomFunctions.text).note(
      "A random text of this length: letters and digits, or characters of a second text.",
      "random.text(8).size() == 8 && random.text(4, 'ab').matches('^[ab]{4}$')", "true"),
    seeded(
      "random.pick", Signature([.list(.parameter(0))], .parameter(0)), RandomFunctions.pick
    ).note(
      "A random element of a list.", "random.pick(['red', 'green']) in ['red', 'green']", "true"),
    seeded("random.name", Signature([], .string), RandomFunctions.name).note(
      "A random name of a person: a first and a last name, some with accents.",
      "random.name().split(' ').size()", "2"),
    seeded("random.email", Signature([], .string), RandomFunctions.email).note(
      "A random address at `example.com`, which belongs to nobody.",
      "random.email().endsWith('@example.com')", "true"),
    seeded("random.date", Signature([.timestamp, .timestamp], .timestamp), RandomFunctions.date)
      .note(
        """
        A random point in time, in whole seconds, from one up to and including another. \
        `.format('%F')` makes a day of it.
        """,
        "random.date(timestamp('1990-01-01T00:00:00Z'), timestamp('1990-12-31T00:00:00Z'))"
          + ".getFullYear()", "1990"),
  ]

  /// Makes a function whose body gets a random number in front of its arguments.
  private static func seeded(
    _ name: String, _ signature: Signature, _ body: @escaping CallNode.Function
  ) -> Builtin {
    Builtin(
      name: name, isMember: false, arity: signature.parameters.count, signatures: [signature],
      body: .any(body), kind: .seeded)
  }
}

/// Random values, each made of one number that the run draws from its seed.
enum RandomFunctions {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".unicodeScalars)

  static func uuid(_ values: [Value], _ meter: inout Meter) throws(CELFault) -> Value {
    var numbers = Numbers(values[0])
    var bytes: [UInt8] = []
    for word in [numbers.next(), numbers.next()] {
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> shift))
      }
    }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let parts = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { hexadecimal(bytes[$0]) }
    return .string(parts.joined(separator: "-"))
  }

  static func int(_ values: [Value], _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .int(let low) = values[1], case .int(let high) = values[2] else {
      throw .noOverload("random.int", Array(values.dropFirst()))
    }
    guard low <= high else {
      throw CELFault(
        "there is no number from \(low) to \(high)", help: "write the smaller one first")
    }
    var numbers = Numbers(values[0])
    let count = UInt64(bitPattern: Int64(high &- low))
    return .int(low &+ Int(truncatingIfNeeded: numbers.below(count)))
  }

  static func text(_ values: [Value], _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .int(let count) = values[1] else {
      throw .noOverload("random.text", Array(values.dropFirst()))
    }
    var letters = letters
    if values.count > 2 {
      guard case .string(let given) = values[2] else {
        throw .noOverload("random.text", Array(values.dropFirst()))
      }
      letters = Array(given.unicodeScalars)
    }
    guard count >= 0, !letters.isEmpty || count == 0 else {
      throw CELFault("a random text has zero or more characters, of at least one to choose from")
    }
    guard count <= CELLimits.textSize / 4 else { throw .textTooLarge }
    try meter.spend(count)
    var numbers = Numbers(values[0])
    var text = String.UnicodeScalarView()
    for _ in 0..<count { text.append(numbers.pick(letters)) }
    return .string(String(text))
  }

  private static let firstNames = [
    "Ada", "Amir", "Ana", "Bela", "Chloé", "Daniel", "Elif", "Emma", "Farid", "Grace", "Hana",
    "Igor", "Ines", "Jörg", "Kofi", "Lena", "Liam", "Mei", "Milan", "Nadia", "Noah", "Olga",
    "Paulo", "Priya", "Rosa", "Samuel", "Sofía", "Tariq", "Uma", "Victor", "Yara", "Zoë",
  ]
  private static let lastNames = [
    "Adler", "Baker", "Castro", "Dubois", "Eriksen", "Ferrari", "García", "Haddad", "Ivanov",
    "Jansen", "Kaya", "Keller", "Lindqvist", "Mensah", "Müller", "Nakamura", "Novak", "O'Brien",
    "Okafor", "Park", "Quinn", "Rossi", "Santos", "Singh", "Tanaka", "Urban", "Varga", "Weber",
    "Xu", "Yilmaz", "Young", "Zielińska",
  ]

  static func name(_ values: [Value], _ meter: inout Meter) throws(CELFault) -> Value {
    var numbers = Numbers(values[0])
    return .string(numbers.pick(firstNames) + " " + numbers.pick(lastNames))
  }

  static func email(_ values: [Value], _ meter: inout Meter) throws(CELFault) -> Value {
    var numbers = Numbers(values[0])
    let words = [firstNames, lastNames].map { names in
      numbers.pick(names.filter { $0.utf8.allSatisfy { $0 < 0x80 } }).lowercased()
        .filter(\.isLetter)
    }
    return .string("\(words[0]).\(words[1])\(numbers.below(9999))@example.com")
  }

  static func date(_ values: [Value], _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .timestamp(let first) = values[1], case .timestamp(let last) = values[2] else {
      throw .noOverload("random.date", Array(values.dropFirst()))
    }
    let seconds = try int([values[0], .int(first.seconds), .int(last.seconds)], &meter)
    return try TimeFunctions.timestamp(seconds, &meter)
  }

  static func pick(_ values: [Value], _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .list(let list) = values[1] else { throw .noOverload("random.pick", values[1]) }
    guard !list.isEmpty else { throw CELFault("an empty list has no element to pick") }
    var numbers = Numbers(values[0])
    return numbers.pick(list)
  }

  /// The numbers that follow from one random number (SplitMix64).
  private struct Numbers {
    private var state: UInt64

    init(_ seed: Value) {
      if case .int(let number) = seed {
        state = UInt64(bitPattern: Int64(number))
      } else {
        state = 0
      }
    }

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      return mixed(state)
    }

    mutating func pick<Element>(_ list: [Element]) -> Element {
      list[Int(below(UInt64(list.count - 1)))]
    }

    /// Returns a number from 0 up to and including another, each with the same probability.
    mutating func below(_ last: UInt64) -> UInt64 {
      guard last < .max else { return next() }
      let count = last + 1
      let threshold = (0 &- count) % count
      while true {
        let product = next().multipliedFullWidth(by: count)
        if product.low >= threshold { return product.high }
      }
    }
  }

  /// Returns the number for one of the calls in an evaluation, which draws one for all of them.
  static func number(_ drawn: Int, ofCall call: Int) -> Int {
    let seed = UInt64(bitPattern: Int64(drawn)) &+ UInt64(call) &* 0xD1B5_4A32_D192_ED03
    return Int(truncatingIfNeeded: mixed(seed))
  }

  private static func mixed(_ state: UInt64) -> UInt64 {
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
