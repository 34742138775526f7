import Diagnostics
import Values

/// What exists: the part that scenarios and components have in common.
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
  package var invariants: [InvariantSpec] = []
  /// The components that `uses` name, in their order, once their files have been read; nil for one
  /// that could not be.
  package var components: [ComponentDocument?] = []

  package init() {}
}

/// A component file that becomes part of a stage.
package struct UseSpec: Sendable {
  package var path: Located<String>
  /// What the component is called here.
  package var name: Located<String>
  /// Values for its parameters.
  package var with: [NamedData]
  package var range: SourceRange

  package init(
    path: Located<String>, name: Located<String>, with: [NamedData], range: SourceRange
  ) {
    self.path = path
    self.name = name
    self.with = with
    self.range = range
  }
}

/// A piece of a stage for others to use.
package struct ComponentDocument: Sendable {
  package var title: Located<String>?
  package var parameters: [ParameterSpec] = []
  package var stage = StageSpec()
  /// The whole document.
  package var range: SourceRange

  package init(range: SourceRange) { self.range = range }
}

/// What the user of a component fills in.
package struct ParameterSpec: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case any, text, int, number, bool, duration, list, map
  }

  package var name: Located<String>
  package var kind: Kind
  /// Without one, every use has to give a value.
  package var initial: DataSpec?

  package init(name: Located<String>, kind: Kind, initial: DataSpec?) {
    self.name = name
    self.kind = kind
    self.initial = initial
  }
}

/// What must hold whenever a change is complete.
package struct InvariantSpec: Sendable {
  package enum Kind: Sendable {
    case always(ExpressionText)
    case never(ExpressionText)
    /// Each event like one of the first is followed by one like one of the others, in such a time.
    case leadsTo(
      when: [SourceMatcherSpec], then: [SourceMatcherSpec], within: Located<Microseconds>?)
  }

  package var kind: Kind
  /// The key that says which kind it is, as written.
  package var verb: Located<String>
  package var range: SourceRange

  package init(kind: Kind, verb: Located<String>, range: SourceRange) {
    self.kind = kind
    self.verb = verb
    self.range = range
  }
}

/// Events of a source that look like this.
package struct SourceMatcherSpec: Sendable {
  package var source: Located<String>
  package var matcher: MatcherSpec

  package init(source: Located<String>, matcher: MatcherSpec) {
    self.source = source
    self.matcher = matcher
  }
}

/// How the world between clients and endpoints is from now on; what is nil stays as it was.
package struct NetworkSpec: Sendable {
  /// The endpoint it is about; nil for all.
  package var endpoint: Located<String>?
  package var isOnline: Bool?
  /// How long everything takes to the other side.
  package var latency: DurationSpec?
  /// The share of requests that are lost, from 0 to 1.
  package var loss: DataSpec?
  /// The sizes of the pieces in which bytes arrive; none leaves them as they are sent.
  package var fragments: [Int]?
  package var faults: FaultsSpec?
  package var range: SourceRange

  package init(endpoint: Located<String>?, range: SourceRange) {
    self.endpoint = endpoint
    self.range = range
  }
}

/// What goes wrong between clients and endpoints, and how often; what is not named does not.
package struct FaultsSpec: Sendable {
  /// Shares from 0 to 1.
  package var refuse: DataSpec?
  package var drop: DataSpec?
  package var reset: DataSpec?
  package var stall: DataSpec?
  package var corrupt: DataSpec?
  package var duplicate: DataSpec?
  package var delay: DataSpec?
  /// How long a piece is delayed at most.
  package var longestDelay: DurationSpec?

  package init() {}
}
