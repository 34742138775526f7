import FoundationNetworking
import Lists
import SwiftUI

struct User: Equatable, Codable { var name = "" }
struct Task: Equatable, Codable {
  var title = ""
  var description = ""
}
struct Item: Equatable {}
enum TaskFilter { case completed }
struct TaskService {
  func publisher() -> AnyPublisher<[Task], Error> { Empty().eraseToAnyPublisher() }
  func loadTasks() -> AnyPublisher<[Task], Error> { publisher() }
  func loadAllTasks() -> AnyPublisher<[Task], Error> { publisher() }
  func loadCompletedTasks() -> AnyPublisher<[Task], Error> { publisher() }
  func loadTasks(filter: TaskFilter) -> AnyPublisher<[Task], Error> { publisher() }
  var tasksStream: AnyPublisher<[Task], Error> { publisher() }
  var tasksPublisher: AnyPublisher<[Task], Error> { publisher() }
}
let dataService = TaskService()
let service = TaskService()
let localService = TaskService()
let firebaseService = TaskService()
let realtimeService = TaskService()
let databaseService = TaskService()
let updatedTasks: [Task] = []
let staticItems: [Item] = []
// swift-format-ignore: AvoidRetroactiveConformances
extension JSONDecoder: @retroactive TopLevelDecoder {}
extension URLSession {
  func dataTaskPublisher(for url: URL) -> AnyPublisher<(data: Data, response: URLResponse), Error> {
    Empty().eraseToAnyPublisher()
  }
}
let viewModel = DynamicListViewModel<Task>(items: [])
// BLOCK
