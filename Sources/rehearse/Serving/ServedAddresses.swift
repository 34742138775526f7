import Diagnostics
import ScenarioPlan
import ScenarioRuns
import Traces
import Values

/// Returns a line for each endpoint: `api   http://127.0.0.1:41234  ws://127.0.0.1:41234`.
func text(of places: [ServedPlace], certificateFile: String?) -> String {
  let width = places.map(\.name.count).max() ?? 0
  let lines = places.map { place in
    let gap = String(repeating: " ", count: width - place.name.count + 2)
    return visibleText(place.name) + gap + place.url + (place.webSocketURL.map { "  " + $0 } ?? "")
      + "\n"
  }
  return lines.joined() + (certificateFile.map { "certificate  \(visibleText($0))\n" } ?? "")
}

/// Returns the endpoints by name: `{ "api": { "url": "http://127.0.0.1:41234", "port": 41234 } }`.
func portsJSON(of places: [ServedPlace]) -> String {
  var map = ValueMap()
  for place in places { map[.string(place.name)] = .map(placeMap(place)) }
  return Value.map(map).json(pretty: true) + "\n"
}

func line(of place: ServedPlace) -> TraceLine {
  TraceLine(.listening, source: place.name, .map(placeMap(place)))
}

func placeMap(_ place: ServedPlace) -> ValueMap {
  var map = ValueMap()
  map["url"] = .string(place.url)
  map["port"] = .int(Int(place.port))
  if let url = place.webSocketURL { map["webSocket"] = .string(url) }
  return map
}

extension ConversationKind {
  /// The word by which scenarios name streams of this kind.
  var word: String {
    switch self {
    case .eventStream: "sse"
    case .lines: "ndjson"
    case .webSocket: "websocket"
    }
  }
}
