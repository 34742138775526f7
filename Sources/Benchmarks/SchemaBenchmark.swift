import JSONSchemas
import Values

/// Measures compiling a schema and checking a typical object; one JSON line per figure.
func schemaBenchmark() {
  guard case .success(let document) = parseJSON(orderSchema),
    case .success(let order) = parseJSON(typicalOrder),
    case .success(let wrong) = parseJSON(wrongOrder),
    case .success(let schema) = JSONSchema.compile(document)
  else { return print("the benchmark's own schema is wrong") }
  guard schema.isValid(order), !schema.isValid(wrong) else {
    return print("the benchmark's own object is wrong")
  }
  report("compile", rate { _ = JSONSchema.compile(document) })
  report("validate", rate { _ = schema.isValid(order) })
  report("validate-and-tell", rate { _ = schema.validate(wrong) })
}

private func report(_ figure: String, _ perSecond: Double) {
  let value = (1e8 / perSecond).rounded() / 100
  print(#"{"benchmark":"schema","figure":"\#(figure)","value":\#(value),"unit":"us"}"#)
}

/// An order with a customer and two lines, as an endpoint may send it.
private let typicalOrder = """
  {"id": "A-1042", "status": "open", "total": 59.97, "paid": false,
   "customer": {"id": 7, "name": "Ada", "email": "ada@example.com"},
   "lines": [{"sku": "K-1", "count": 2, "price": 19.99}, {"sku": "K-2", "count": 1, "price": 5.5}]}
  """

private let wrongOrder = """
  {"id": "A-1042", "status": "open", "total": 59.97, "paid": false,
   "customer": {"id": 7, "name": "Ada", "email": "ada@example.com"},
   "lines": [{"sku": "K-1", "count": 0, "price": 19.99}, {"sku": "K-2", "price": 19.99}]}
  """

private let orderSchema = """
  {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
   "required": ["id", "status", "customer", "lines"],
   "properties": {
     "id": {"type": "string", "minLength": 1, "maxLength": 40},
     "status": {"enum": ["open", "sent", "closed"]},
     "total": {"type": "number", "minimum": 0},
     "paid": {"type": "boolean"},
     "customer": {"$ref": "#/$defs/customer"},
     "lines": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/line"}}},
   "additionalProperties": false,
   "$defs": {
     "customer": {"type": "object", "required": ["id", "name"], "properties": {
       "id": {"type": "integer"}, "name": {"type": "string"}, "email": {"type": "string"}}},
     "line": {"type": "object", "required": ["sku", "count"], "properties": {
       "sku": {"type": "string", "minLength": 1}, "count": {"type": "integer", "minimum": 1},
       "price": {"type": "number", "exclusiveMinimum": 0}}, "additionalProperties": false}}}
  """
