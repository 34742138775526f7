import TextSearch

/// The one table of the language: every mapping with its keys.
///
/// The decoder, the hints for mistyped keys, the JSON Schemas and the reference page are all made
/// from it, so that they agree.
package enum LanguageTable {
  /// The mappings that are not steps, in the order of the reference page.
  package static let mappings: [MappingRule] = [
    scenario, sweep, traces, variable, table, node, reactor, binding, follow, action, endpoint,
    crossOrigin, route, requestMatch,
    turn, answer, answerChange,
    chunks, provider,
    requestRetry, loadCall,
    database, declaredSource, lineMapping, completion, program, readiness, programSource,
    programStop,
    list, statement, stream,
    connection, connectionRequest, socketRequest, retryPolicy, ping, conversation,
    lineConversation, acceptance,
    socketConversation, socketAcceptance, serverEvent, closing, hexadecimal, served,
    input, call, callChoice, streamRetry, comparer, invariant, leadsTo, precededBy, between,
    unchanged,
    eventCount,
    network,
    endpointNetwork, faults, faultDelay, request,
    authorization, credentials, part, expectedAnswer, retry, snapshot, entry, marble, operators,
    use, component, stepsFile, parameter, include, configuration, environment, reports,
    limits,
  ]

  /// Returns the rule of a mapping. Steps have a table of their own.
  package static func mapping(_ name: MappingName) -> MappingRule? {
    mappings.first { $0.name == name }
  }
}

/// One mapping of the language.
package final class MappingRule: Sendable {
  package let name: MappingName
  package let title: String
  package let text: String
  package let keys: [KeyRule]
  /// Groups of keys. The mapping has exactly one key of each group.
  package let exactlyOneOf: [[Key]]
  /// Groups of keys. The mapping has at most one key of each group.
  package let atMostOneOf: [[Key]]
  /// A key of such groups that means something else beside others, the first of which must be
  /// there, and may then stand together with them.
  let together: (key: Key, others: [Key])?
  /// Keys that need one of some others beside them.
  package let needs: [Need]
  /// The meaning of a key that is not in the table; nil if there may be no such key.
  package let otherKey: OtherKey?
  /// True if it is a step, so that an unknown key may be a mistyped verb.
  let isStep: Bool
  /// The numbers of bytes of the keys. A name is compared only with the keys of its length.
  private let lengths: [Int]
  /// The keys that the mapping must have.
  let required: [KeyRule]
  /// Groups of keys that exclude each other.
  let exclusive: [[Key]]

  package init(
    _ name: MappingName, title: String, _ text: String, exactlyOneOf: [[Key]] = [],
    atMostOneOf: [[Key]] = [], together: (key: Key, others: [Key])? = nil, needs: [Need] = [],
    otherKey: OtherKey? = nil, isStep: Bool = false, keys: [KeyRule]
  ) {
    self.name = name
    self.title = title
    self.text = text
    self.keys = keys
    self.exactlyOneOf = exactlyOneOf
    self.atMostOneOf = atMostOneOf
    self.together = together
    required = keys.filter(\.isRequired)
    exclusive = exactlyOneOf + atMostOneOf
    self.needs = needs
    self.otherKey = otherKey
    self.isStep = isStep
    lengths = keys.map(\.name.utf8.count)
  }

  package func rule(for key: Key) -> KeyRule? { keys.first { $0.key == key } }

  package func rule(named name: String) -> KeyRule? { place(of: name).map { keys[$0] } }

  /// Returns the key with a name, without the other parts of its rule.
  func key(named name: String) -> Key? { place(of: name).map { keys[$0].key } }

  private func place(of name: String) -> Int? {
    let length = name.utf8.count
    for place in lengths.indices where lengths[place] == length && keys[place].name == name {
      return place
    }
    return nil
  }
}

/// The name of a mapping in the table.
package enum MappingName: String, Sendable {
  case scenario, component, stepsFile, include, parameter, use, variable, table, node, reactor
  case action, endpoint, crossOrigin, route, requestMatch, turn, chunks
  case answer, answerChange, provider, requestRetry, loadCall, stream, input, call, callChoice
  case streamOperator
  case invariant
  case leadsTo, precededBy, between, unchanged, eventCount, network
  case connection, connectionRequest, socketRequest, retryPolicy, streamRetry, comparer, binding
  case follow, ping, conversation, lineConversation, acceptance
  case socketConversation, socketAcceptance, serverEvent, closing, hexadecimal, served
  case request, authorization, credentials, part, expectedAnswer, endpointNetwork, retry, snapshot
  case faults, faultDelay, database, declaredSource, completion, list, statement, entry, marble
  case operators, step, program, readiness, programSource, programStop, configuration, reports
  case limits, sweep, traces, lineMapping, environment
}

/// A key, and the keys of which it needs one beside it.
package struct Need: Sendable {
  package var key: Key
  package var oneOf: [Key]
  /// True if a diagnostic points at the key, even if the other keys exclude none.
  var pointsAtKey = false
}

/// The free key of a mapping, such as the source that an entry of an `expect` list is about.
package struct OtherKey: Sendable {
  package var placeholder: String
  package var kind: KeyKind
  package var shape: Shape
  package var text: String
  package var example: String
}

/// One key of a mapping: the shape of its value, and its meaning.
package final class KeyRule: Sendable {
  package let key: Key
  package let name: String
  package let shape: Shape
  package let isRequired: Bool
  /// One sentence for the reference page and for editors.
  package let text: String
  /// A value of the key, on one line.
  package let example: String
  /// The part of the value that is secret; nil if none is.
  package let secrecy: Secrecy?
  /// True if the value may be a text with commas. Between braces YAML splits such a text into keys
  /// without values, and these keys are parts of the text.
  let hasCommas: Bool
  /// The scripts in which a step may have the key; nil for all that may have the step.
  let places: [Place]?

  package init(
    _ key: Key, _ shape: Shape, _ text: String, example: String, required: Bool = false,
    secrecy: Secrecy? = nil, hasCommas: Bool = false, in places: [Place]? = nil
  ) {
    self.key = key
    self.name = key.rawValue
    self.shape = shape
    self.text = text
    self.example = example
    self.isRequired = required
    self.secrecy = secrecy
    self.hasCommas = hasCommas
    self.places = places
  }

  /// Returns whether a step may have the key in a script of this kind.
  package func belongs(in place: Place) -> Bool { places?.contains(place) ?? true }
}

/// The part of a key's value that reports never show.
package enum Secrecy: Sendable, Equatable {
  /// The whole value, if this key beside it is there and is not `false`.
  case value(markedBy: Key)
  /// The password of a URL.
  case password
}

/// The form of the value behind a key.
package indirect enum Shape: Sendable, Equatable {
  case text
  /// The name of an event: text that is not empty, such as `validation:start`.
  case eventName
  /// A CEL identifier.
  case name
  /// Names joined by dots: `catFacts.fact`.
  case address
  /// `/tasks/{id}`.
  case path
  /// One of these words.
  case words([String])
  case duration
  /// A duration, or a scalar with expressions that becomes one.
  case anyDuration
  /// A duration that is longer than nothing.
  case tick
  /// Events over time as a diagram: `--a-(bc)|`.
  case diagram
  /// A number from 0 to 1, or an expression that gives one.
  case fraction
  /// A number that is not less than this one.
  case number(from: Double)
  /// The operators a stream goes through, one after the other.
  case streamOperators
  case bool
  /// Only `true`.
  case flag
  case integer(ClosedRange<Int>)
  /// An integer, or an expression that gives one.
  case count(ClosedRange<Int>)
  /// A point in time, or `now`.
  case clock
  /// An expression, bare.
  case expression
  /// Any data; `${…}` puts expressions into it.
  case value
  /// Any data without expressions.
  case literal
  /// Any data but a map.
  case noMap
  /// Any data but a map that has one of these keys.
  case valueWithout([Key])
  /// A scalar; `${…}` puts expressions into it.
  case scalar
  case matcher
  /// The next events of a source: a matcher, or a list of them that is not empty.
  case sequence
  case step
  /// A list of steps. Without a place it belongs to the script around it.
  case script(Place?)
  case list(Shape)
  case map(KeyKind, Shape)
  /// A map of exactly one entry.
  case single(KeyKind, Shape)
  case mapping(MappingName)
  case anyOf([Shape])
}

/// The kind of the keys that the author of a map chooses.
package enum KeyKind: Sendable, Equatable {
  /// The name of something on the stage. Expectations and expressions must not use it already.
  case stageName
  case name, address, text
  /// An address, or the way to a part of a value: `items[0].qty`.
  case place
  /// A single character, as a diagram shows a value.
  case symbol
}

/// The place of a script.
package enum Place: Sendable, Equatable, CaseIterable {
  case scenario, finally, action, endpoint, eventStream, lines, webSocket

  /// The scripts of mock endpoints of all kinds.
  static let endpoints: [Place] = [.endpoint, .eventStream, .lines, .webSocket]

  /// The kinds of scripts that a file of steps may be written for.
  package static let ofStepsFiles = [Place.scenario] + endpoints

  /// The kind of a file that scripts at this place include.
  package var ofStepsFile: Place { self == .finally ? .scenario : self }

  /// The place in words, for diagnostics and the reference page.
  package var text: String {
    switch self {
    case .scenario: "the steps of a scenario"
    case .finally: "`finally`"
    case .action: "the action of a reactor"
    case .endpoint: "the script of an endpoint"
    case .eventStream: "the script of an event stream"
    case .lines: "the script of a stream of lines"
    case .webSocket: "the script of a WebSocket"
    }
  }
}
