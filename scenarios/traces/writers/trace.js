// Writes a trace: one line of JSON for each event. Run: node trace.js > shop.trace.jsonl
const write = (line) => process.stdout.write(JSON.stringify(line) + "\n")
const started = performance.now()
const emit = (source, value) =>
  write({ us: Math.round((performance.now() - started) * 1000), source, value })

write({ trace: 1, by: "shop 4.2" })
emit("cart.total", 20)
emit("cart.total", 45)
emit("checkout.state", "paying")
emit("payments", { amount: 45, key: "k-81" })
emit("checkout.state", "failed")
emit("checkout.state", "paying")
emit("payments", { amount: 45, key: "k-81" })
emit("checkout.state", "paid")
emit("cart.total", 0)
