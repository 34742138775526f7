// A client of an event stream that connects again after 3, 6, 12 … seconds.
const report = (source, value) => console.log(JSON.stringify({ source, value }));
for (let pause = 3; ; pause = Math.min(pause * 2, 60)) {
  try {
    const answer = await fetch(process.env.API_URL + "/prices");
    const decoder = new TextDecoder();
    for await (const piece of answer.body) {
      const data = /^data: (.*)$/m.exec(decoder.decode(piece, { stream: true }));
      if (data) report("price", JSON.parse(data[1]));
    }
  } catch {}
  report("state", { again_in: pause });
  await new Promise((done) => setTimeout(done, pause * 1000));
}
