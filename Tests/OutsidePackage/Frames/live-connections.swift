import ConnectionLoops

let token = "secret"
struct Order: Encodable { var item = "tea" }
let order = Order()
struct Receipt: Decodable { var number: Int }
// BLOCK
