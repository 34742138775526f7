import JSONCoding
import Testing

private struct Shape: Codable, Equatable {
  enum Kind: String, Codable { case round, square }
  struct Point: Codable, Equatable { var x: Double, y: Float }

  var kind: Kind
  var points: [Point]
  var name: String?
  var sizes: [String: UInt64]
  var nested: [[Int8?]]
  var flag: Bool
}

private class Animal: Codable {
  var legs: Int
  init(legs: Int) { self.legs = legs }
}

private final class Cat: Animal {
  var name: String

  enum CodingKeys: CodingKey { case name }

  init(name: String) {
    self.name = name
    super.init(legs: 4)
  }

  required init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    name = try values.decode(String.self, forKey: .name)
    try super.init(from: values.superDecoder())
  }

  override func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(name, forKey: .name)
    try super.encode(to: values.superEncoder())
  }
}

@Suite struct JSONCodingTests {
  private func text(_ value: some Encodable) throws -> String {
    String(decoding: try encodeJSON(value), as: UTF8.self)
  }

  @Test func `a value comes back from its JSON`() throws {
    let shape = Shape(
      kind: .round, points: [.init(x: 1.5, y: -2)], name: nil, sizes: ["a": .max],
      nested: [[1, nil], []], flag: true)
    #expect(try decodeJSON(Shape.self, from: encodeJSON(shape)) == shape)
  }

  @Test func `properties are written in the order of the type`() throws {
    struct Pair: Encodable { var b = 1, a = "x" }
    #expect(try text(Pair()) == #"{"b":1,"a":"x"}"#)
    #expect(try text([Pair?.none]) == "[null]")
    #expect(try text("é\n") == #""é\n""#)
    struct Nothing: Encodable {}
    #expect(try text(Nothing()) == "{}")
  }

  @Test func `a superclass has its own place`() throws {
    #expect(try text(Cat(name: "Tom")) == #"{"name":"Tom","super":{"legs":4}}"#)
    let cat = try decodeJSON(Cat.self, from: #"{"name":"Tom","super":{"legs":3}}"#.utf8)
    #expect(cat.name == "Tom" && cat.legs == 3)
  }

  @Test(arguments: [
    ("{", "dataCorrupted"), ("[]", "typeMismatch"), ("{}", "keyNotFound"),
    (#"{"id":null}"#, "valueNotFound"), (#"{"id":1.5}"#, "typeMismatch"),
    (#"{"id":300}"#, "typeMismatch"), (#"{"id":"1"}"#, "typeMismatch"),
  ])
  func `a text that does not fit is an error of decoding`(_ json: String, _ kind: String) {
    struct Thing: Decodable { var id: UInt8 }
    let error = #expect(throws: DecodingError.self) {
      try decodeJSON(Thing.self, from: json.utf8)
    }
    #expect(error.map { "\($0)".contains(kind) } == true, "\(String(describing: error))")
  }

  @Test func `a number that JSON does not have is an error of encoding`() {
    #expect(throws: EncodingError.self) { try encodeJSON([Double.nan]) }
    #expect(throws: EncodingError.self) { try encodeJSON([Float.infinity]) }
  }
}
