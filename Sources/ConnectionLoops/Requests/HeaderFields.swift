import Protocols

/// One field of a head.
public struct HeaderField: Sendable, Hashable {
  /// The name, as it is sent.
  public var name: String
  /// The value, without the space around it.
  public var value: String

  /// Makes a field.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// The fields of a head, in the order in which they are sent. Names are found in any case.
public struct HeaderFields: Sendable, Hashable {
  /// All fields. A name may occur several times.
  public var fields: [HeaderField]

  /// Makes the fields of a head.
  public init(_ fields: [HeaderField] = []) { self.fields = fields }

  init(_ headers: HTTPHeaders) {
    fields = headers.lines.map { HeaderField($0.name, $0.value) }
  }

  var lines: HTTPHeaders { HTTPHeaders(fields.map { HTTPHeaderLine($0.name, $0.value) }) }

  /// The first value of a name. Setting it replaces all fields of the name.
  public subscript(_ name: String) -> String? {
    get { lines[name] }
    set {
      var lines = lines
      lines[name] = newValue
      self = HeaderFields(lines)
    }
  }

  /// Returns all values of a name, in order.
  public func values(of name: String) -> [String] { lines.values(name) }

  /// Adds a field after the others.
  public mutating func add(_ name: String, _ value: String) {
    fields.append(HeaderField(name, value))
  }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
  /// Makes fields from names and values. A name may occur several times.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { HeaderField($0.0, $0.1) }
  }
}

extension HeaderFields: Sequence {
  /// Returns an iterator over all fields.
  public func makeIterator() -> IndexingIterator<[HeaderField]> { fields.makeIterator() }
}
