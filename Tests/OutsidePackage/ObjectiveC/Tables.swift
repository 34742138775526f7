// The library for dates and URLs, which has `IndexPath`, is taken for granted.

extension IndexPath {
  public var row: Int { self[1] }
  public var item: Int { self[1] }
}

@objc @MainActor open class UITableViewCell: UIView {
  public enum CellStyle: Sendable { case `default` }
  public enum EditingStyle: Sendable { case none, delete }

  public var textLabel: UILabel?

  public init(style: CellStyle, reuseIdentifier: String?) { super.init() }
}

@objc @MainActor open class UICollectionViewCell: UIView {}

@MainActor public protocol UITableViewDataSource: AnyObject {
  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
  func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell
}

@MainActor public protocol UITableViewDelegate: AnyObject {
  func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath)
  func tableView(
    _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
    forRowAt indexPath: IndexPath)
}

@objc @MainActor public final class UITableView: UIView {
  public weak var dataSource: (any UITableViewDataSource)?
  public weak var delegate: (any UITableViewDelegate)?
  public func register(_ cell: AnyClass?, forCellReuseIdentifier identifier: String) {}
  public func dequeueReusableCell(
    withIdentifier identifier: String, for indexPath: IndexPath
  ) -> UITableViewCell { UITableViewCell(style: .default, reuseIdentifier: identifier) }
  public func deselectRow(at indexPath: IndexPath, animated: Bool) {}
  public func reloadData() {}
}

@MainActor public protocol UICollectionViewDelegate: AnyObject {}

@MainActor public protocol UICollectionViewDataSource: AnyObject {
  func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int
  func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell
}

@objc @MainActor public final class UICollectionView: UIView {
  public weak var dataSource: (any UICollectionViewDataSource)?
  public weak var delegate: (any UICollectionViewDelegate)?
  public func register(_ cell: AnyClass?, forCellWithReuseIdentifier identifier: String) {}
  public func dequeueReusableCell(
    withReuseIdentifier identifier: String, for indexPath: IndexPath
  ) -> UICollectionViewCell { UICollectionViewCell() }
  public func reloadData() {}
}
