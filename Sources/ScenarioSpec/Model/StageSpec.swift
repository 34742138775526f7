import Diagnostics
import Values

/// The part of a document that defines what exists; scenarios and components have one.
package struct StageSpec: Sendable {
  package var vars: [VariableSpec] = []
  package var uses: [UseSpec] = []
  package var graph: [NodeSpec] = []
  package var reactors: [ReactorSpec] = []
  package var endpoints: [EndpointSpec] = []
  package var databases: [DatabaseSpec] = []
  package var providers: [ProviderSpec] = []
  package var lists: [ListSpec] = []
  package var connections: [ConnectionSpec] = []
  package var streams: [StreamSpec] = []
  package var programs: [ProgramSpec] = []
  package var sources: [DeclaredSourceSpec] = []
  package var completion: CompletionSpec?
  package var invariants: [InvariantSpec] = []
  /// The components of `uses`, in their order, after their files are read. A component that cannot
  /// be read is nil.
  package var components: [ComponentDocument?] = []
  /// True if the script of a mock includes a file. Most stages need not be searched for one.
  package var includesFiles = false
  /// True if something in its document is marked as secret. In most scenarios nothing is, and what
  /// expressions compute need not be followed.
  package var marksSecrets = false

  package init() {}
}

/// A source that is fed from outside the scenario.
package struct DeclaredSourceSpec: Sendable {
  /// Its address; one with dots is one source, and no part of anything.
  package var name: Located<String>
  /// The value before its first event.
  package var initial: DataSpec?
  /// Its name in a trace, if it has another one there.
  package var nameInTrace: Located<String>?
  /// How lines of another program become its events.
  package var lines: LineMappingSpec?
}

/// How lines that another program logged become events of a source.
package struct LineMappingSpec: Sendable {
  package var condition: ExpressionText?
  package var value: ExpressionText?
  package var time: ExpressionText?
}

/// A component file that becomes part of a stage.
package struct UseSpec: Sendable {
  package var path: Located<String>
  /// The name of the component on this stage.
  package var name: Located<String>
  /// The values of its parameters.
  package var with: [NamedData]
  /// The places of these values and of what is in them.
  package var places = ValuePlaces()
  package var range: SourceRange
}

/// The places of the parts of values, by JSON Pointer: `/replies/0/text`.
package struct ValuePlaces: Sendable {
  /// By pointer: the key, or the element of a list, and the value.
  private var ranges: [String: (key: SourceRange, value: SourceRange)] = [:]

  package init() {}

  package subscript(pointer: String) -> (key: SourceRange, value: SourceRange)? {
    get { ranges[pointer] }
    set { ranges[pointer] = newValue }
  }
}

/// A piece of a stage for others to use.
package struct ComponentDocument: Sendable {
  package var title: Located<String>?
  package var description: String?
  package var parameters: [ParameterSpec] = []
  package var stage = StageSpec()
  /// The programs that must be installed.
  package var requires: [Located<String>] = []
  /// The whole document.
  package var range: SourceRange

  package init(range: SourceRange) { self.range = range }
}

/// A value that each use of a component gives.
package struct ParameterSpec: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case any, text, int, number, bool, duration, list, map
    /// A source of the user's stage, which the component follows.
    case source
    /// A node of the user's stage, whose value the component reads.
    case node

    /// True if a part of the user's stage is given, and no value.
    package var isPart: Bool {
      switch self {
      case .source, .node: true
      case .any, .text, .int, .number, .bool, .duration, .list, .map: false
      }
    }
  }

  package var name: Located<String>
  package var kind: Kind
  /// The default; without one, each use must give a value.
  package var initial: DataSpec?
  /// The JSON Schema that its values must satisfy.
  package var schema: DataSpec?
  /// Its purpose.
  package var about: String?
}

/// When a trace has everything that happened: after an event that matches, and a silence.
package struct CompletionSpec: Sendable {
  package var when: [SourceMatcherSpec]
  package var quiet: Microseconds?
  /// The key, as written.
  package var verb: Located<String>
  package var range: SourceRange
}

/// A rule that must hold when a change is complete.
package struct InvariantSpec: Sendable {
  package enum Kind: Sendable {
    case always(ExpressionText)
    case never(ExpressionText)
    /// An event that matches one of the first is followed in time by one that matches the others.
    case leadsTo(
      when: [SourceMatcherSpec], then: [SourceMatcherSpec], within: Located<Microseconds>?)
    /// Before an event that matches one of the first came one that matches one of the others.
    case precededBy(
      when: [SourceMatcherSpec], once: [SourceMatcherSpec], within: Located<Microseconds>?)
    case between(
      when: [SourceMatcherSpec], until: [SourceMatcherSpec], forbidden: [SourceMatcherSpec])
    case betweenAlways(
      when: [SourceMatcherSpec], until: [SourceMatcherSpec], condition: ExpressionText)
    /// The events are empty if it is about the stage.
    case unchanged(of: ExpressionText, while: ExpressionText, when: [SourceMatcherSpec])
    case count(when: [SourceMatcherSpec], EventCountSpec)
  }

  package var kind: Kind
  /// The key of its kind, as written.
  package var verb: Located<String>
  package var range: SourceRange
}

/// The events of a source that match.
package struct SourceMatcherSpec: Sendable {
  package var source: Located<String>
  package var matcher: MatcherSpec
}

/// The network between clients and endpoints from now on. A setting that is nil stays.
package struct EndpointNetwork<Form: DocumentForm>: Sendable {
  /// The endpoint; nil for all.
  package var endpoint: Form.Endpoint?
  package var isOnline: Bool?
  /// The time that bytes take to the other side.
  package var latency: Form.Length?
  /// The share of requests that are lost, from 0 to 1.
  package var loss: Form.Payload?
  /// The sizes of the pieces in which bytes arrive. An empty list leaves them unchanged.
  package var fragments: [Int]?
  package var faults: NetworkFaults<Form>?
  package var range: SourceRange

  package init(endpoint: Form.Endpoint?, range: SourceRange) {
    self.endpoint = endpoint
    self.range = range
  }
}

/// The faults between clients and endpoints, with their shares. Others do not happen.
package struct NetworkFaults<Form: DocumentForm>: Sendable {
  /// Shares from 0 to 1.
  package var refuse: Form.Payload?
  package var drop: Form.Payload?
  package var reset: Form.Payload?
  package var stall: Form.Payload?
  package var corrupt: Form.Payload?
  package var duplicate: Form.Payload?
  package var delay: Form.Payload?
  /// The longest delay of a piece.
  package var longestDelay: Form.Length?

  package init() {}
}

package typealias NetworkSpec = EndpointNetwork<Written>
package typealias FaultsSpec = NetworkFaults<Written>

/// How many events may come in a time.
package struct EventCountSpec: Sendable {
  /// nil: the whole run.
  package var per: Microseconds?
  package var atMost: Int?
  package var atLeast: Int?
}
