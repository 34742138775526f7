"""Subscribes and asks, and prints what comes."""

import asyncio
import sys

from gql import Client, gql
from gql.transport.aiohttp import AIOHTTPTransport
from gql.transport.websockets import WebsocketsTransport

url, socket = sys.argv[1:]


async def follow(session, query, most=10):
    try:
        count = 0
        async for result in session.subscribe(gql(query)):
            print(*result.values(), flush=True)
            count += 1
            if count == most:
                break
        print("complete", flush=True)
    except Exception as error:
        print(type(error).__name__, str(error)[:40], flush=True)


async def main():
    transport = WebsocketsTransport(
        url=socket, init_payload={"token": "t"}, ping_interval=0.2, pong_timeout=2)
    async with Client(transport=transport) as session:
        await asyncio.gather(
            follow(session, "subscription Prices { price }"),
            follow(session, "subscription { clock }", most=2))
        print(await session.execute(gql("query Me { me }")), flush=True)
        await follow(session, "subscription { broken }")
    for payload in [{}, {"token": "t"}]:
        try:
            transport = WebsocketsTransport(url=socket, init_payload=payload)
            async with Client(transport=transport) as session:
                await follow(session, "subscription { cut }")
        except Exception as error:
            print(type(error).__name__, flush=True)
    async with Client(transport=AIOHTTPTransport(url=url)) as session:
        print(await session.execute(gql("mutation { add }")), flush=True)


asyncio.run(main())
