/// A property whose values are published: to a new subscriber the present one, then every one that
/// is set, equal or not. Subscribers get a value before it is stored: in its closure the property
/// still has the old one.
@propertyWrapper
public struct Published<Value> {
  @usableFromInline let subject: CurrentValueSubject<Value, Never>
  @usableFromInline let feeds = PublishedFeeds()

  /// Creates a property with its first value.
  @inlinable public init(wrappedValue: Value) {
    subject = CurrentValueSubject(wrappedValue)
  }

  /// Creates a property with its first value.
  @inlinable public init(initialValue: Value) {
    self.init(wrappedValue: initialValue)
  }

  /// The value; setting it publishes the new value before it is stored.
  @inlinable public var wrappedValue: Value {
    get { subject.current }
    nonmutating set { subject.willSet(newValue) }
  }

  /// The publisher of the values.
  @inlinable public var projectedValue: Published.Publisher {
    get { Publisher(subject: subject, feeds: feeds) }
    nonmutating set {}
  }

  /// The values of the property.
  public struct Publisher: Publishers.Publisher {
    /// The values of the property.
    public typealias Output = Value
    /// It cannot fail.
    public typealias Failure = Never

    @usableFromInline let subject: CurrentValueSubject<Value, Never>
    @usableFromInline let feeds: PublishedFeeds

    @inlinable init(subject: CurrentValueSubject<Value, Never>, feeds: PublishedFeeds) {
      self.subject = subject
      self.feeds = feeds
    }

    /// Attaches a subscriber, which receives its subscription first.
    @inlinable public func attach<S: Subscriber>(_ subscriber: S)
    where S.Input == Value, S.Failure == Never {
      subject.attach(subscriber)
    }
  }
}

/// The publishers that set a property, for as long as its owner lives.
@usableFromInline final class PublishedFeeds {
  @usableFromInline var tokens: [AnyCancellable] = []
  /// The publisher of the owner's changes, once somebody has asked for it.
  var announced: ObservableObjectPublisher?

  @inlinable init() {}
}

extension Publisher where Failure == Never {
  /// Sets the property with each value, for as long as its owner lives.
  @inlinable public func assign(to published: inout Published<Output>.Publisher) {
    let feeds = published.feeds
    feeds.tokens.append(
      sink { [weak subject = published.subject] value in subject?.willSet(value) })
  }
}
