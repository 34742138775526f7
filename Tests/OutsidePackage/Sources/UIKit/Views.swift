// As little of a library of views as the examples name. Nothing is drawn.

@MainActor open class UIViewController {
  public init() {}
  open func viewDidLoad() {}
}
@MainActor public final class UINavigationController: UIViewController {
  public func pushViewController(_ controller: UIViewController, animated: Bool) {}
}
@MainActor public struct UIColor: Sendable {
  public static let systemBlue = UIColor(), systemOrange = UIColor()
}
@MainActor public final class CATransaction {
  public static func begin() {}
  public static func commit() {}
}
