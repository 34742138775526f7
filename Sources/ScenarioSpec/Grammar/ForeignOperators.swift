import TextSearch

/// The names of operators in other libraries, with their names here.
package enum ForeignOperators {
  /// Returns what to write instead, as the text of a help line.
  package static func help(for name: String) -> String? {
    if let form = forms[name] { return "write `\(form)`" }
    if let note = notes[name] { return note }
    // A call, such as `debounceTime(1000)`.
    guard let open = name.firstIndex(ofASCII: "("), name.hasSuffix(")") else { return nil }
    let word = String(name[..<open])
    return help(for: word)
      ?? LanguageTable.streamOperator(named: word).map { "write `\(word): \($0.verb.example)`" }
  }

  /// Returns the origin that a call of another library means, such as `cold('--a--b|')`.
  static func origin(_ call: String) -> String? {
    guard let open = call.firstIndex(of: "("), call.hasSuffix(")") else { return nil }
    let inner = call[call.index(after: open)...].dropLast()
    switch call[..<open] {
    case "cold": return "{ marble: \"\(inner.filter { $0 != "'" })\" }"
    case "hot": return "{ marble: \"\(inner.filter { $0 != "'" })\", hot: true }"
    case "of", "just", "from": return "{ items: [\(inner)] }"
    case "interval", "timer": return "{ interval: \(Int(inner).map { "\($0)ms" } ?? "1s") }"
    case "merge": return "{ from: [\(inner)] }"
    case "combineLatest": return "{ combineLatest: [\(inner)] }"
    case "zip": return "{ zip: [\(inner)] }"
    case "never": return "{ marble: \"-\" }"
    case "empty": return "{ items: [] }"
    default: return nil
    }
  }

  private static let forms = [
    "distinctUntilChanged": "removeDuplicates",
    "distinctUntilKeyChanged": "removeDuplicates: value.id",
    "distinct": "{ groupBy: value, through: [first] }",
    "distinctBy": "{ groupBy: value.id, through: [first] }",
    "groupedBy": "{ groupBy: value.id, through: [removeDuplicates] }", "take": "prefix: 3",
    "takeWhile": "prefixWhile: value < 10", "takeUntil": "prefixUntil: stop",
    "takeLast": "suffix: 3", "skip": "dropFirst: 2", "drop": "dropFirst: 2",
    "skipWhile": "dropWhile: value < 10", "skipUntil": "dropUntil: start",
    "startWith": "prepend: [1, 2]", "endWith": "append: [1, 2]", "concat": "append: { stream: b }",
    "concatWith": "append: { stream: b }", "switchMap": "switch: hits",
    "switchToLatest": "switch: hits", "switchLatest": "switch: hits",
    "flatMapLatest": "switch: hits", "flatMapFirst": "exhaust: hits", "mergeMap": "flatMap: hits",
    "mergeAll": "flatMap: hits", "concatAll": "concatMap: hits",
    "flatMapIterable": "flatten", "concatMapIterable": "flatten", "exhaustMap": "exhaust: hits",
    "exhaustAll": "exhaust: hits", "mergeWith": "merge: b", "combineLatestWith": "combineLatest: b",
    "zipWith": "zip: b", "withLatestFrom": "withLatest: b", "debounceTime": "debounce: 1s",
    "throttleTime": "{ throttle: 1s, trailing: false }", "throttleLast": "sample: 1s",
    "throttleFirst": "{ throttle: 1s, trailing: false }", "auditTime": "audit: 1s",
    "sampleTime": "sample: 1s", "skipLast": "dropLast: 2", "pairwise": "windowed: 2",
    "catchError": "catch: cached",
    "tryCatch": "catch: cached",
    "timeoutWith": "{ timeout: 5s, fallback: cached }",
    "retryWhen": "retry: { maxAttempts: 5, initialDelay: 1s }",
    "retryBackoff": "retry: { maxAttempts: 5, initialDelay: 1s }",
    "onErrorReturn": "replaceError: none",
    "catchAndReturn": "replaceError: none", "toArray": "collect", "bufferCount": "collect: 3",
    "bufferWhen": "collectUntil: pauses", "window": "collectUntil: pauses",
    "windowWhen": "collectUntil: pauses", "bufferTime": "collect: 1s", "windowTime": "collect: 1s",
    "defaultIfEmpty": "replaceEmpty: none",
    "elementAt": "output: 2", "ignoreElements": "ignoreOutput", "every": "allSatisfy: value > 0",
    "timeInterval": "measureInterval", "multicast": "share", "publish": "share",
    "autoconnect": "share", "tryMap": "map: value * 2",
    "mapTo": "map: 1", "pluck": "map: value.name", "replaceNil": "map: value == null ? 0 : value",
    "tryFilter": "filter: value > 3", "tryCompactMap": "compactMap: value.name",
    "tryScan": "scan: result + value", "tryReduce": "reduce: result + value",
    "tryRemoveDuplicates": "removeDuplicates: value.id", "find": "first: value > 3",
    "single": "first", "tryFirst": "first: value > 3", "delaySubscription": "delay: 200ms",
  ]

  private static let notes: [String: String] = {
    let watching = [
      "tap", "do", "doOnNext", "handleEvents", "print", "breakpoint", "debug", "sink",
    ]
    let scheduling = [
      "receive", "receiveOn", "subscribe", "subscribeOn", "observeOn", "observe",
      "eraseToAnyPublisher", "setFailureType", "assertNoFailure", "asObservable", "asDriver",
    ]
    var notes: [String: String] = [:]
    for name in watching {
      notes[name] = "leave it out: `expect` and the log see what a stream emits"
    }
    for name in scheduling {
      notes[name] = "leave it out: streams have one thread, one clock and one type"
    }
    for name in ["shareReplay", "publishReplay", "cache"] {
      notes[name] = "write `replay: 1` beside `through`"
    }
    notes["assign"] = "leave it out: a node with `latest` holds what a stream emits"
    notes["store"] = "leave it out: streams live as long as the scenario"
    notes["finalize"] = "leave it out: `expect` sees the end as `|` in a diagram"
    return notes
  }()
}
