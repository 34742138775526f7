@_exported import ObjectiveC
import ObjectiveCRoot

// As little of a library of views as the examples name. Nothing is drawn.

@objc @MainActor open class UIView: ObjectiveCRoot.NSObject {
  public let layer = CALayer()
  public var isHidden = false
  public var alpha = 1.0
}

public struct UIControlEvent: Sendable {
  public static let touchUpInside = Self(), valueChanged = Self(), editingChanged = Self()
}

@objc @MainActor open class UIControl: UIView {
  public var isEnabled = true
  public func addTarget(_ target: Any?, action: Selector, for event: UIControlEvent) {}
}

@objc @MainActor public final class UIButton: UIControl {}

@objc @MainActor public final class UISegmentedControl: UIControl {
  public var selectedSegmentIndex = 0
}

@objc @MainActor public final class UITextField: UIControl { public var text: String? }

@objc @MainActor public final class UILabel: UIView {
  public var text: String?
  public var textColor: UIColor?
}

@objc @MainActor public final class UIActivityIndicatorView: UIView {
  public func startAnimating() {}
  public func stopAnimating() {}
}

@MainActor public final class CALayer {
  public var borderColor: CGColor?
  public var borderWidth = 0.0
}

public struct CGColor: Sendable {}

public struct UIColor: Sendable {
  public static let systemBlue = UIColor(), systemOrange = UIColor()
  public static let systemGreen = UIColor(), systemRed = UIColor()
  public var cgColor: CGColor { CGColor() }
}

@MainActor public final class CATransaction {
  public static func begin() {}
  public static func commit() {}
}

@objc @MainActor open class UIViewController: ObjectiveCRoot.NSObject {
  open func viewDidLoad() {}
}

@objc @MainActor public final class UINavigationController: UIViewController {
  public func pushViewController(_ controller: UIViewController, animated: Bool) {}
}
