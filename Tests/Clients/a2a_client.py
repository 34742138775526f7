"""Sends messages to an agent, and prints what comes."""

import asyncio
import sys

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import a2a_pb2 as a2a

url = sys.argv[1]


def shown(task):
    text = "".join(part.text for artifact in task.artifacts for part in artifact.parts)
    return f"{task.id} {a2a.TaskState.Name(task.status.state)[11:]} {text}".strip()


async def follow(updates):
    try:
        async for update in updates:
            kind = update.WhichOneof("payload")
            if kind == "task":
                print(shown(update.task), flush=True)
            elif kind == "message":
                print(update.message.parts[0].text, flush=True)
            elif kind == "status_update":
                status = update.status_update.status
                words = " ".join(part.text for part in status.message.parts)
                print(f"{a2a.TaskState.Name(status.state)[11:]} {words}".strip(), flush=True)
            else:
                print(update.artifact_update.artifact.parts[0].text.strip(), flush=True)
    except Exception as error:
        print(type(error).__name__, flush=True)


def message(number, task=""):
    return a2a.SendMessageRequest(message=a2a.Message(
        message_id=f"m{number}", role=a2a.ROLE_USER, task_id=task, parts=[a2a.Part(text="Work.")]))


async def main():
    async with httpx.AsyncClient() as line:
        card = await A2ACardResolver(httpx_client=line, base_url=url).get_agent_card()
        print(card.name, card.skills[0].id, flush=True)
        factory = ClientFactory(ClientConfig(httpx_client=line, streaming=True))
        client = factory.create(card)
        await follow(client.send_message(message(1)))
        await follow(client.send_message(message(2)))
        await follow(client.subscribe(a2a.SubscribeToTaskRequest(id="task-2")))
        await follow(client.send_message(message(3)))
        await follow(client.send_message(message(4, task="task-3")))
        await follow(client.send_message(message(5)))
        await follow(client.send_message(message(6)))
        print(shown(await client.get_task(a2a.GetTaskRequest(id="task-1"))), flush=True)
        for task in ["task-1", "task-9"]:
            try:
                await client.cancel_task(a2a.CancelTaskRequest(id=task))
            except Exception as error:
                print(type(error).__name__, flush=True)
        plain = ClientFactory(ClientConfig(httpx_client=line, streaming=False)).create(card)
        await follow(plain.send_message(message(7)))


asyncio.run(main())
