"""Runs an agent with tools of the front end, and prints each event that the library reads."""

import sys

import requests
from ag_ui.core import AssistantMessage, Event, RunAgentInput, ToolMessage, UserMessage
from pydantic import TypeAdapter

url = sys.argv[1]
events = TypeAdapter(Event)
messages = [UserMessage(id="1", role="user", content="Order one of 7.")]


def run(number):
    """Returns the tool calls of a run."""
    given = RunAgentInput(
        thread_id="t1", run_id=f"r{number}", state={}, messages=messages, tools=[], context=[],
        forwarded_props={})
    answer = requests.post(url, data=given.model_dump_json(by_alias=True), stream=True, headers={
        "Content-Type": "application/json", "Accept": "text/event-stream"}, timeout=5)
    if answer.status_code != 200:
        print(answer.status_code, flush=True)
        return []
    text, calls = "", []
    try:
        for line in answer.iter_lines():
            if not line.startswith(b"data: "):
                continue
            event = events.validate_json(line[6:])
            kind = event.type.value
            if kind == "TEXT_MESSAGE_CONTENT":
                text += event.delta
            elif kind == "TOOL_CALL_START":
                calls.append({"id": event.tool_call_id, "type": "function", "function": {
                    "name": event.tool_call_name, "arguments": ""}})
            elif kind == "TOOL_CALL_ARGS":
                calls[-1]["function"]["arguments"] += event.delta
            elif kind == "TOOL_CALL_RESULT":
                print("result", event.content, flush=True)
                calls = []
            elif kind in ["STATE_SNAPSHOT", "STATE_DELTA"]:
                print(kind, getattr(event, "snapshot", None) or event.delta[0].op, flush=True)
            elif kind == "RUN_ERROR":
                print("failed", event.message, flush=True)
    except requests.RequestException as error:
        print(type(error).__name__, flush=True)
    for call in calls:
        print(call["function"]["name"], call["function"]["arguments"], flush=True)
    if text:
        print(text, flush=True)
    return calls


for number in range(1, 8):
    for call in run(number):
        messages.append(AssistantMessage(id=f"a{number}", role="assistant", tool_calls=[call]))
        messages.append(ToolMessage(
            id=f"t{number}", role="tool", tool_call_id=call["id"], content="ordered"))
    if number != 4:
        messages.append(UserMessage(id=f"u{number}", role="user", content=f"Go on {number}."))
