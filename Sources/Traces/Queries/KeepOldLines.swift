import Values

/// Returns the text of a new recording in which each line that a replay would take as equal is that
/// of the old one, its time included. Nil if nothing is to be kept.
///
/// So the review of a new recording shows what really changed. In virtual time, what is equal is
/// written alike anyway.
package func textKeepingLines(of old: TraceRun, in new: TraceRun) -> [UInt8]? {
  guard old.isComplete, new.isComplete, old.header.isVirtual == false,
    new.header.isVirtual == false, max(old.entries.count, new.entries.count) <= mostLinesAligned
  else { return nil }
  var writer = TraceWriter()
  var header = new.header
  header.began = old.header.began
  if header != old.header { header.began = new.header.began }
  var text = writer.write(header).bytes
  let places = placesInOld(old, new)
  var time: Microseconds = 0
  for (index, entry) in new.entries.enumerated() {
    var line = entry.line
    line.time = entry.time
    if let place = places[index] { line.keep(old.entries[place], in: old, new) }
    time = max(time, line.time ?? 0)
    line.time = time
    text += writer.write(line, splits: false).bytes
  }
  return text
}

/// The most lines of a trace that are aligned.
private let mostLinesAligned = 20_000

/// Returns the index of the equal line in the old recording, by index in the new one.
private func placesInOld(_ old: TraceRun, _ new: TraceRun) -> [Int: Int] {
  let (before, after) = (old.entries.map { $0.line.essence }, new.entries.map { $0.line.essence })
  var (removed, added) = (Set<Int>(), Set<Int>())
  for change in after.difference(from: before) {
    switch change {
    case .remove(let offset, _, _): removed.insert(offset)
    case .insert(let offset, _, _): added.insert(offset)
    }
  }
  let kept = zip(
    before.indices.filter { !removed.contains($0) }, after.indices.filter { !added.contains($0) })
  return Dictionary(uniqueKeysWithValues: kept.map { ($1, $0) })
}

extension TraceLine {
  /// The content that two lines share if a replay treats them as equal.
  fileprivate var essence: Value {
    var value = ComparedContent(ignored: TraceDifferences.ignoredHeaders).value(
      of: self, like: self)
    switch knownKind {
    // They say when something is due, or how late the machine was.
    case .idle: value = .null
    case .log where value["lag"] != nil: value = "lag"
    case .read:
      if case .map(var map) = value {
        map["exchange"] = nil
        value = .map(map)
      }
    default: break
    }
    let names = [kind.name, source, from?.rawValue, step ?? at, isOwn ? "own" : nil]
    return .list(names.map { $0.map { .string($0) } ?? .null } + [value])
  }

  /// Takes over the text and the time of a line of an old recording that is equal.
  fileprivate mutating func keep(
    _ entry: TraceReader.Entry, in old: TraceRun, _ new: TraceRun
  ) {
    let before = time ?? 0
    let cause = (
      old: entry.line.cause.flatMap { old.entry($0)?.time },
      new: cause.flatMap { new.entry($0)?.time }
    )
    let shift = (entry.time - (cause.old ?? 0)) - (before - (cause.new ?? 0))
    if shift.magnitude <= ReplayRules.tolerance.magnitude { time = entry.time }
    // It refers to lines by their numbers, and large values to files.
    let refersToSame =
      value?.json["exchange"]?["hops"] == entry.line.value?.json["exchange"]?["hops"]
    guard refersToSame, !entry.line.hasFiles else { return }
    (value, text) = (entry.line.value, entry.line.text)
  }
}
