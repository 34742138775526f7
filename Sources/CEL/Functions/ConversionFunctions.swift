import Values

extension Builtins {
  static let conversions: [Builtin] = [
    global(
      "int", Signature([.int], .int), Signature([.uint], .int), Signature([.double], .int),
      Signature([.string], .int), Signature([.timestamp], .int), Signature([.duration], .int),
      body: .one(ConversionFunctions.int)
    ).note(
      "A whole number, of a number without its fraction, a text, or the seconds of a time.",
      "int(3.9) + int('4')", "7"),
    global(
      "uint", Signature([.int], .uint), Signature([.uint], .uint), Signature([.double], .uint),
      Signature([.string], .uint), body: .one(ConversionFunctions.uint)
    ).note("A whole number that is not negative.", "uint('7')", "7u"),
    global(
      "double", Signature([.int], .double), Signature([.uint], .double),
      Signature([.double], .double), Signature([.string], .double),
      body: .one(ConversionFunctions.double)
    ).note("A number with a fraction, of another number or of a text.", "double(7) / 2.0", "3.5"),
    global(
      "string", Signature([.int], .string), Signature([.uint], .string),
      Signature([.double], .string), Signature([.bool], .string), Signature([.string], .string),
      Signature([.bytes], .string), Signature([.timestamp], .string),
      Signature([.duration], .string), Signature([.type], .string),
      Signature([.opaque("net.IP", [])], .string), Signature([.opaque("net.CIDR", [])], .string),
      body: .one(ConversionFunctions.string)
    ).note(
      "The text of a number, a bool, a time or bytes in UTF-8.", "'Room ' + string(12)", "'Room 12'"
    ),
    global(
      "bytes", Signature([.string], .bytes), Signature([.bytes], .bytes),
      body: .one(ConversionFunctions.bytes)
    ).note("The bytes of a text in UTF-8.", "bytes('é')", #"b'\xc3\xa9'"#),
    global(
      "bool", Signature([.bool], .bool), Signature([.string], .bool),
      body: .one(ConversionFunctions.bool)
    ).note("True or false, of a text.", "bool('true')", "true"),
    global("dyn", Signature([.dyn], .dyn), body: .one(ConversionFunctions.dyn)).note(
      "The same value, whose type is checked only when the expression is evaluated.", "dyn(1) == 1",
      "true"),
    global("type", Signature([.dyn], .type), body: .one(ConversionFunctions.type)).note(
      "The type of a value.", "type(1.5) == double", "true"),
  ]
}

/// Functions that convert a value to another type.
enum ConversionFunctions {
  static func dyn(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value { value }

  static func type(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    switch value {
    case .null: .type("null_type")
    case .timestamp: .type("google.protobuf.Timestamp")
    case .duration: .type("google.protobuf.Duration")
    case .optional: .type("optional_type")
    case .list: .type("list")
    case .map: .type(NetworkValue(value)?.typeName ?? "map")
    case .digits: .type("int")
    case .bool, .int, .uint, .double, .string, .bytes, .type: .type("\(CELType(of: value))")
    }
  }

  static func int(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    switch value {
    case .int: return value
    case .uint(let number):
      guard let same = Int(exactly: number) else { throw .range(value, "int") }
      return .int(same)
    case .double(let number):
      guard number > -0x1p63, let whole = Int(exactly: number.rounded(.towardZero)) else {
        throw .range(value, "int")
      }
      return .int(whole)
    case .string(let text):
      guard let number = Int(text), text.first != "+" else { throw .unreadable(text, "int") }
      return .int(number)
    case .timestamp(let time): return .int(time.seconds)
    case .duration(let span): return .int(span.seconds)
    default: throw .noOverload("int", value)
    }
  }

  static func uint(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    switch value {
    case .uint: return value
    case .int(let number):
      guard let same = UInt(exactly: number) else { throw .range(value, "uint") }
      return .uint(same)
    case .double(let number):
      guard number >= 0, let whole = UInt(exactly: number.rounded(.towardZero)) else {
        throw .range(value, "uint")
      }
      return .uint(whole)
    case .string(let text):
      guard let number = UInt(text), text.first != "+" else { throw .unreadable(text, "uint") }
      return .uint(number)
    default: throw .noOverload("uint", value)
    }
  }

  static func double(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    switch value {
    case .double: return value
    case .int(let number): return .double(Double(number))
    case .uint(let number): return .double(Double(number))
    case .string(let text):
      guard let number = Double(text) else { throw .unreadable(text, "double") }
      return .double(number)
    default: throw .noOverload("double", value)
    }
  }

  static func string(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    switch value {
    case .string: return value
    case .digits(let text): return .string(text)
    case .int(let number): return .string(String(number))
    case .uint(let number): return .string(String(number))
    case .double(let number): return .string(number.shortText)
    case .bool(let truth): return .string(truth ? "true" : "false")
    case .bytes(let bytes):
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw CELFault("these bytes are not valid UTF-8")
      }
      return .string(text)
    case .timestamp(let time): return .string(time.text)
    case .duration(let span): return .string(span.text)
    case .type(let name): return .string(name)
    default:
      guard let network = NetworkValue(value) else { throw .noOverload("string", value) }
      return .string(network.text)
    }
  }

  static func bytes(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    switch value {
    case .bytes: return value
    case .string(let text): return .bytes(Array(text.utf8))
    default: throw .noOverload("bytes", value)
    }
  }

  static func bool(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    switch value {
    case .bool: return value
    case .string(let text):
      switch text {
      case "1", "t", "true", "TRUE", "True": return .bool(true)
      case "0", "f", "false", "FALSE", "False": return .bool(false)
      default: throw .unreadable(text, "bool")
      }
    default: throw .noOverload("bool", value)
    }
  }
}

extension CELFault {
  static func range(_ value: Value, _ type: String) -> CELFault {
    CELFault("range error: \(Spelling.of(value)) does not fit into \(type)")
  }

  static func unreadable(_ text: String, _ type: String) -> CELFault {
    CELFault("\(Spelling.of(.string(text))) cannot be read as \(type)")
  }
}
