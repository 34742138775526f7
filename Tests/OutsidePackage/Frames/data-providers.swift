import ConnectionLoops
import LiveDatabases

let token = "secret"
struct Task: Decodable, Identifiable, Equatable {
  var id: Int
  var title: String
}
struct User: Decodable, Identifiable, Equatable {
  var id: Int
  var name: String
}
// BLOCK
