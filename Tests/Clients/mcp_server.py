"""Serves tools, a resource and a prompt: by HTTP on the given port, or without one by lines."""

import sys
from typing import Annotated

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.resolve import Elicit, ElicitationResult, ListRoots, Resolve, Sample
from mcp.server.streamable_http import EventMessage, EventStore
from mcp_types import CreateMessageResult, ListRootsResult, SamplingMessage, TextContent
from pydantic import BaseModel

server = MCPServer("shop")


class Size(BaseModel):
    size: int


@server.tool()
async def order(sku: int, ctx: Context) -> dict[str, int]:
    """Orders something."""
    await ctx.report_progress(1, 2)
    await ctx.report_progress(2, 2)
    if sku == 0:
        raise ValueError("out of stock")
    return {"sku": sku}


def size() -> Elicit[Size]:
    return Elicit("Which size?", Size)


def name() -> Sample:
    return Sample([SamplingMessage(role="user", content=TextContent(text="A name?"))], max_tokens=9)


@server.tool()
async def ask(
    size: Annotated[ElicitationResult[Size], Resolve(size)],
    name: Annotated[CreateMessageResult, Resolve(name)],
    folders: Annotated[ListRootsResult, Resolve(lambda: ListRoots())],
) -> str:
    """Asks the user, the model, and for folders."""
    answer = f"{size.action} {size.data.size}" if size.action == "accept" else size.action
    return f"{answer}, {name.content.text}, {len(folders.roots)} folder"


@server.tool()
async def broken(ctx: Context) -> str:
    """Ends its stream, and goes on."""
    await ctx.close_sse_stream()
    return "finished"


@server.tool("größer")
async def larger() -> str:
    """Has a name that a header field cannot have."""
    return "ok"


@server.resource("file:///a.txt")
def letter() -> str:
    return "the letter a"


@server.prompt()
def remind(what: str) -> str:
    return f"Remind me of {what}."


class Events(EventStore):
    """Keeps all events, so that streams can be resumed."""

    def __init__(self):
        self.events = []

    async def store_event(self, stream_id, message):
        self.events.append((stream_id, message))
        return str(len(self.events))

    async def replay_events_after(self, last_event_id, send):
        stream = self.events[int(last_event_id) - 1][0]
        for number, (of, message) in enumerate(self.events, start=1):
            if of == stream and number > int(last_event_id) and message:
                await send(EventMessage(message, str(number)))
        return stream


if len(sys.argv) > 1:
    server.run("streamable-http", port=int(sys.argv[1]), event_store=Events(), retry_interval=100,
               json_response="json" in sys.argv)
else:
    server.run()
