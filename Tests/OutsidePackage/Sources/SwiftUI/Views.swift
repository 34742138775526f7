@_exported import Combine

// As little of a library of views as the examples name. Nothing is drawn.

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension Never: View {
  public var body: Never { return fatalError() }
}

public protocol Leaf: View where Body == Never {}

extension Leaf {
  public var body: Never { return fatalError() }
}

@MainActor @resultBuilder public enum ViewBuilder {
  public static func buildBlock(_ views: any View...) -> Group { Group() }
  public static func buildOptional(_ view: Group?) -> Group { Group() }
  public static func buildEither(first: Group) -> Group { Group() }
  public static func buildEither(second: Group) -> Group { Group() }
}

public struct AnyView: Leaf { public init(_ view: some View) {} }
public struct Group: Leaf {
  public init() {}
  public init(@ViewBuilder content: () -> some View) {}
}
public struct VStack: Leaf {
  public init(spacing: Double? = nil, @ViewBuilder content: () -> some View) {}
}
public struct HStack: Leaf { public init(@ViewBuilder content: () -> some View) {} }
public struct Form: Leaf { public init(@ViewBuilder content: () -> some View) {} }
public struct Section: Leaf {
  public init(_ title: String, @ViewBuilder content: () -> some View) {}
  public init(@ViewBuilder content: () -> some View) {}
}
public struct Spacer: Leaf { public init() {} }
public struct Image: Leaf { public init(systemName: String) {} }
public struct Label: Leaf { public init(_ title: String, systemImage: String) {} }
public struct ProgressView: Leaf {
  public init() {}
  public init(_ title: String) {}
}
public struct Circle: Leaf {
  public init() {}
  public func fill(_ color: Color) -> Circle { self }
}
public struct Text: Leaf { public init(_ text: DisplayedText) {} }
public struct Button: Leaf {
  public init(_ title: String, action: @escaping @MainActor () -> Void) {}
}
public struct TextField: Leaf { public init(_ title: String, text: Binding<String>) {} }

/// A text with a date in it.
public struct DisplayedText: ExpressibleByStringInterpolation {
  public enum DateStyle { case relative }
  public struct StringInterpolation: StringInterpolationProtocol {
    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) {}
    public mutating func appendInterpolation<T>(_ value: T) {}
    public mutating func appendInterpolation<T>(_ date: T, style: DateStyle) {}
  }
  public init(stringLiteral value: String) {}
  public init(stringInterpolation: StringInterpolation) {}
  public init(_ text: String) {}
}

extension Text {
  @_disfavoredOverload public init(_ text: String) { self.init(DisplayedText(text)) }
}

public struct Color: Leaf, Sendable {
  public static let green = Color(), gray = Color(), red = Color(), orange = Color()
  public static let secondary = Color()
  public func opacity(_ value: Double) -> Color { self }
}

public enum Font { case headline, largeTitle, caption }
public enum TextFieldStyle { case roundedBorder }
public enum ButtonStyle { case borderedProminent }

extension View {
  public func font(_ font: Font) -> some View { self }
  public func frame(width: Double? = nil, height: Double? = nil, maxWidth: Double? = nil)
    -> some View
  { self }
  public func foregroundColor(_ color: Color) -> some View { self }
  public func padding() -> some View { self }
  public func background(_ view: some View) -> some View { self }
  public func disabled(_ isDisabled: Bool) -> some View { self }
  public func textFieldStyle(_ style: TextFieldStyle) -> some View { self }
  public func buttonStyle(_ style: ButtonStyle) -> some View { self }
  public func navigationTitle(_ title: String) -> some View { self }
  public func onReceive<P: Publisher>(
    _ publisher: P, perform: @escaping @MainActor (P.Output) -> Void
  ) -> some View where P.Failure == Never { self }
}
