"""An agent with the official MCP client, led from outside: one JSON object per line each way.

    {"do": "tools"}                                      every tool that is listed
    {"do": "call", "tool": "...", "arguments": {...}}    one tool call

Started with the address of the agents' door and the protocol's era; the bearer token comes in
DBEAST_TOKEN, since arguments are there for everybody to see. The first line says that the client
is connected, or why it is not.
"""

import asyncio
import json
import os
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

TIMEOUT_S = 30


def say(answer: dict) -> None:
    print(json.dumps(answer), flush=True)


def causes(error: BaseException) -> list[BaseException]:
    """The error itself, or what a group of tasks failed with."""
    if isinstance(error, BaseExceptionGroup):
        return [cause for inner in error.exceptions for cause in causes(inner)]
    return [error]


def failed(error: BaseException, status: int | None = None) -> dict:
    told = "; ".join(f"{type(cause).__name__}: {cause}" for cause in causes(error))
    return {"failed": told, "http_status": status}


async def obey(client: Client, order: dict) -> dict:
    if order["do"] == "tools":
        listed = await client.list_tools()
        return {"tools": [tool.model_dump(by_alias=True, mode="json") for tool in listed.tools]}
    result = await client.call_tool(order["tool"], order["arguments"])
    return {
        "is_error": result.is_error is True,
        "answer": result.structured_content,
        "text": "".join(getattr(block, "text", "") for block in result.content),
    }


async def serve(url: str, era: str) -> None:
    headers = {"Authorization": f"Bearer {os.environ['DBEAST_TOKEN']}"}
    # The client's own errors do not tell the status of the answer.
    statuses: list[int] = []

    async def note(response: httpx2.Response) -> None:
        statuses.append(response.status_code)

    hooks = {"response": [note]}
    async with httpx2.AsyncClient(headers=headers, timeout=TIMEOUT_S, event_hooks=hooks) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport, mode=era, read_timeout_seconds=TIMEOUT_S) as client:
            say({"protocol": client.protocol_version, "instructions": client.instructions})
            while line := await asyncio.to_thread(sys.stdin.readline):
                try:
                    say(await obey(client, json.loads(line)))
                except Exception as error:
                    say(failed(error, statuses[-1]))


def main() -> None:
    try:
        asyncio.run(serve(*sys.argv[1:]))
    except Exception as error:
        say(failed(error))


main()
