// A client that sends each line of its input to a server: the subject of node-client.scenario.yaml.
import { createInterface } from "node:readline";

console.log("ready");
for await (const line of createInterface({ input: process.stdin })) {
  const answer = await fetch(process.env.CHAT_URL + "/messages", { method: "POST", body: line });
  console.log(answer.ok ? JSON.stringify(await answer.json()) : `failed with ${answer.status}`);
}
