/// An object that announces its changes, with the name and the shape that Combine has for it.
///
/// An object with `@Published` properties needs nothing more: each of them announces its changes
/// before they are stored.
public protocol ObservableObject: AnyObject {
  /// The type of the publisher.
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

  /// The publisher that emits before the object changes.
  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// The publisher that emits before one of the object's `@Published` properties changes.
  ///
  /// The properties of the object and of its superclasses are found when this is read first. An
  /// object without such properties has a new publisher each time, so it needs one of its own.
  public var objectWillChange: ObservableObjectPublisher {
    var announced: ObservableObjectPublisher?
    var mirror: Mirror? = Mirror(reflecting: self)
    while let level = mirror {
      for child in level.children {
        guard let property = child.value as? any AnnouncingProperty else { continue }
        let publisher = announced ?? property.announced ?? ObservableObjectPublisher()
        property.announce(to: publisher)
        announced = publisher
      }
      mirror = level.superclassMirror
    }
    return announced ?? ObservableObjectPublisher()
  }
}

/// The publisher of an object's changes. It emits nothing but the fact.
public final class ObservableObjectPublisher: Publisher {
  /// Nothing but the fact.
  public typealias Output = Void
  /// It cannot fail.
  public typealias Failure = Never

  private let subject = PassthroughSubject<Void, Never>()

  /// Makes a publisher, for an object that announces its changes by itself.
  public init() {}

  /// Announces a change.
  public func send() { subject.send(()) }

  /// Attaches a subscriber, which receives its subscription first.
  public func attach<S: Subscriber>(_ subscriber: S) where S.Input == Void, S.Failure == Never {
    subject.attach(subscriber)
  }
}

/// A property that announces its changes to the publisher of its object.
private protocol AnnouncingProperty {
  var announced: ObservableObjectPublisher? { get }
  func announce(to publisher: ObservableObjectPublisher)
}

extension Published: AnnouncingProperty {
  fileprivate var announced: ObservableObjectPublisher? { feeds.announced }

  fileprivate func announce(to publisher: ObservableObjectPublisher) {
    if feeds.announced === publisher { return }
    feeds.announced = publisher
    feeds.tokens.append(
      subject.dropFirst().sink { [unowned publisher] _ in publisher.send() })
  }
}
