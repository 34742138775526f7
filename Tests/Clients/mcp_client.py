"""Uses a server of each revision, and prints what comes."""

import asyncio
import sys

from mcp import Client


async def main(url, mode):
    async with Client(url, mode=mode) as client:
        print(*[tool.name for tool in (await client.list_tools()).tools], flush=True)
        print((await client.read_resource("file:///a.txt")).contents[0].text, flush=True)
        print((await client.get_prompt("ask")).messages[0].content.text, flush=True)
        for name in sys.argv[3:]:
            steps = []

            async def progressed(done, total, message):
                steps.append(f"{done:g}/{total:g}")

            try:
                result = await client.call_tool(name, {"sku": 7}, progress_callback=progressed)
                text = result.content[0].text
                print(name, *steps, "failed" if result.is_error else "ok", text, flush=True)
            except Exception as error:
                print(name, type(error).__name__, error, flush=True)


asyncio.run(main(sys.argv[1], sys.argv[2]))
