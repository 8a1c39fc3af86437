"""Sends requests at a fixed rate, and prints their latencies in milliseconds as JSON.

usage: calls.py WAY URL REQUESTS PER_SECOND; WAY is plain or hedge-python
"""

import asyncio
import json
import sys
import time

import httpx


def client(way, per_second):
    if way == "plain":
        return httpx.AsyncClient(timeout=30)
    from hedge import HedgeConfig
    from hedge.transport import HedgedHttpxTransport

    config = HedgeConfig(percentile=0.95, budget_percent=5.0, estimated_rps=per_second)
    return httpx.AsyncClient(timeout=30, transport=HedgedHttpxTransport(config=config))


async def main(way, url, requests, per_second):
    took = [0.0] * requests
    async with client(way, per_second) as http:

        async def call(number):
            began = time.perf_counter()
            (await http.get(f"{url}?n={number}")).raise_for_status()
            took[number] = (time.perf_counter() - began) * 1000

        started = time.perf_counter()
        calls = []
        for number in range(requests):
            await asyncio.sleep(max(0, started + number / per_second - time.perf_counter()))
            calls.append(asyncio.create_task(call(number)))
        await asyncio.gather(*calls)
    print(json.dumps(took))


asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])))
