import StateGraph
import UIKit

struct Todo: Identifiable {
  let id = UUID()
  var title: String
  var isCompleted = false
}
enum TodoFilter { case all, active, completed }
final class TodoCell: UITableViewCell { func configure(with todo: Todo) {} }

struct Item { var name: String }
// BLOCK
