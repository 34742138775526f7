import Diagnostics
import TextSearch

extension [Diagnostic] {
  /// The failures with those in one that a single change of a real endpoint causes: other answers
  /// that differ from their mocks in the same way, and expectations that fail by it.
  var withDriftsFolded: [Diagnostic] {
    reduce(into: []) { kept, failure in
      let first = failure.isFoldable ? kept.firstIndex { $0.isSameDrift(as: failure) } : nil
      guard let first else { return kept.append(failure) }
      kept[first].labels += failure.labels.prefix(1).map { label in
        Diagnostic.Label(label.range, failure.id == "drift" ? "here, too" : "fails by it")
      }
      kept[first].notes += failure.notes.filter { ["unaccounted", "drift"].contains($0.name) }
    }
  }
}

extension Diagnostic {
  fileprivate var isFoldable: Bool {
    !differences.isEmpty && (id == "drift" || id == "unexpected-answer")
  }

  /// Returns whether each part in which another failure differs differs here as well.
  fileprivate func isSameDrift(as other: Diagnostic) -> Bool {
    id == "drift"
      && other.differences.allSatisfy { part in
        differences.contains {
          $0.path == part.path && $0.kind == part.kind && $0.actual == part.actual
        }
      }
  }
}
