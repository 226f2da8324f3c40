#!/usr/bin/env python3
"""Records real calls between two browsers in two network namespaces, joined by the impairing router of router.c.

usage: record.py --speech SPEECH.wav --output FOLDER NAME...     (names of scenarios.py; needs root)
       record.py --list

Writes FOLDER/NAME with what both ends report (getStats every 1 s and every 10 s), what they did (events), what crossed
the wire (captures, and the fate of every packet), what each end heard, and truth.json: what was done, and when.
"""
import argparse
import asyncio
import base64
import gzip
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import uuid

import numpy
import soundfile
from scipy.signal import resample_poly

import scenarios
import speech

HERE = pathlib.Path(__file__).resolve().parent
HOSTS = {"A": ("sidetone-a", "10.77.0.1"), "B": ("sidetone-b", "10.77.0.2")}
CHROMIUM = "/usr/lib/chromium/chromium"
FLAGS = [
    "--no-sandbox", "--use-fake-device-for-media-stream=fps=20", "--use-fake-ui-for-media-stream",
    "--autoplay-policy=no-user-gesture-required", "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows",
    "--disable-features=WebRtcHideLocalIpsWithMdns", "--disable-gpu", "--mute-audio",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost",
]


def ip(*words, check=True):
    subprocess.run(["ip", *words], check=check, stderr=None if check else subprocess.DEVNULL)


def namespaces_up():
    """One namespace an end, each with a TUN device that the router holds. Named eth0 so that ICE takes it for a wire."""
    for name, address in HOSTS.values():
        ip("netns", "add", name)
        inside = ("netns", "exec", name, "ip")
        ip(*inside, "link", "set", "lo", "up")
        ip(*inside, "tuntap", "add", "dev", "eth0", "mode", "tun")
        ip(*inside, "address", "add", f"{address}/32", "dev", "eth0")
        ip(*inside, "link", "set", "eth0", "mtu", "1500", "up")
        ip(*inside, "route", "add", "default", "dev", "eth0", "src", address)


def namespaces_down():
    for name, _ in HOSTS.values():
        ip("netns", "delete", name, check=False)


class Browser:
    """One end of the call: Chromium in a namespace with the page peer.html."""

    def __init__(self, end, work, sound, flags):
        self.end, self.work, self.flags = end, work, [*FLAGS, *flags, f"--use-file-for-fake-audio-capture={sound}"]

    async def start(self, playwright):
        name, _ = HOSTS[self.end]
        # Playwright talks to the browser over inherited pipes, which cross the namespace.
        wrapper = self.work / f"chromium-{self.end}"
        wrapper.write_text(f'#!/bin/sh\nexec nice -n -8 ip netns exec {name} {CHROMIUM} "$@"\n')
        wrapper.chmod(0o755)
        self.browser = await playwright.chromium.launch(
            executable_path=str(wrapper), headless=True, args=self.flags)
        self.page = await (await self.browser.new_context()).new_page()
        self.page.on("pageerror", lambda error: print(self.end, "error of the page:", error))
        await self.page.goto("http://localhost:8000/peer.html")

    async def call(self, function, *arguments):
        script = "async ([f, a]) => JSON.stringify(await window.peer[f](...a) ?? null)"
        return json.loads(await self.page.evaluate(script, [function, list(arguments)]))

    async def close(self):
        await self.browser.close()


class Recording:
    def __init__(self, name, output, sounds):
        self.name, self.scenario, self.sounds = name, scenarios.SCENARIOS[name], sounds
        self.folder = output / name
        self.heard = {end: {"log": [], "stats1": [], "stats10": [], "pcm": bytearray()} for end in "AB"}
        self.processes = []

    def spawn(self, *command):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.processes.append(process)
        return process

    def tell_router(self, command):
        with open(self.control, "w") as control:
            control.write(command + "\n")

    async def drain(self):
        for end, peer in self.ends.items():
            new = await peer.call("drain")
            for key in ("log", "stats1", "stats10"):
                self.heard[end][key] += new[key]
            self.heard[end]["pcm"] += base64.b64decode(new["pcm"])

    def first(self, end, event):
        """When the page of an end first did something, in epoch seconds."""
        return next(e["t"] / 1000 for e in self.heard[end]["log"] if e.get("name") == event)

    async def record(self, playwright):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        with tempfile.TemporaryDirectory() as work:
            work = pathlib.Path(work)
            self.control = work / "control"
            try:
                namespaces_down()
                namespaces_up()
                await self.router(work)
                await self.run(playwright, work)
            finally:
                for peer in getattr(self, "ends", {}).values():
                    await peer.close()
                for process in reversed(self.processes):
                    process.terminate()
                    process.wait(5)
                namespaces_down()
        with open(self.folder / "wire.csv", "rb") as log, gzip.open(self.folder / "wire.csv.gz", "wb") as packed:
            shutil.copyfileobj(log, packed)
        (self.folder / "wire.csv").unlink()

    async def router(self, work):
        subprocess.run(["cc", "-O2", "-o", str(work / "router"), str(HERE / "router.c"), "-lm"], check=True)
        ports = [f"{end}={name}:eth0:{address}" for end, (name, address) in HOSTS.items()]
        self.spawn(str(work / "router"), "-s", "7", "-c", str(self.control), "-l", str(self.folder / "wire.csv"), *ports)
        while not self.control.exists():
            await asyncio.sleep(0.05)
        for command in self.scenario["net"]:
            self.tell_router(command)

    async def run(self, playwright, work):
        scenario = self.scenario
        for name, _ in HOSTS.values():
            self.spawn("ip", "netns", "exec", name, sys.executable, "-m", "http.server", "8000", "--bind", "127.0.0.1",
                       "--directory", str(HERE))
        await asyncio.sleep(1)
        sound = self.sounds[scenario["speech"]]
        self.ends = {end: Browser(end, work, sound, scenario["flags"]) for end in "AB"}
        a, b = self.ends.values()
        await asyncio.gather(a.start(playwright), b.start(playwright))
        for end, (name, _) in HOSTS.items():
            self.spawn("ip", "netns", "exec", name, "tcpdump", "-Z", "root", "-i", "eth0", "-s", str(scenario["snap"]),
                       "-U", "-w", str(self.folder / f"{end}.pcap"))
        call = str(uuid.uuid4()).upper()
        options = dict(callId=call, audio=True, video=scenario["video"], codecs=scenario["codecs"], rawAudio=True,
                       munge=scenario["munge"], record=True)
        await asyncio.gather(a.call("init", {**options, "role": "caller"}), b.call("init", {**options, "role": "callee"}))
        offer = await a.call("offer")
        await asyncio.sleep(0.3)
        await a.call("ringing")
        await asyncio.sleep(1.2)
        await a.call("gotAnswer", await b.call("gotOffer", offer))
        answered = time.time()
        while (await a.call("state"))["ice"] not in ("connected", "completed"):
            if time.time() - answered > 20:
                raise RuntimeError("the two ends did not connect")
            await asyncio.sleep(0.1)
        connected = time.time() - answered
        await asyncio.gather(a.call("startStats"), b.call("startStats"))
        start = time.time()
        done = await self.plan(start)
        end = time.time()
        await asyncio.gather(a.call("stop"), b.call("stop"))
        await self.drain()
        await asyncio.gather(a.call("close"), b.call("close"))
        await self.drain()
        await asyncio.sleep(0.3)
        self.tell_router("quit")
        await asyncio.sleep(0.2)
        self.write({
            "name": self.name, "what": scenario["what"], "net": scenario["net"] + done,
            "duration_s": scenario["seconds"], "callId": call, "connected_after_s": round(connected, 3),
            "t0": start, "t1": end,
            # When the loop of the speech started at each end, in epoch seconds.
            "speech": scenario["speech"], "speechStart": {e: self.first(e, "gotMedia") for e in "AB"},
            "endpoints": {e: f"chromium {p.browser.version}" for e, p in self.ends.items()},
        })

    async def plan(self, start):
        """Does what the scenario says; gives what was done, in seconds since the first report."""
        await self.drain()
        # Times of a plan count from the first report or, to hit speech or a pause, from the start of A's speech.
        zero = self.first("A", "gotMedia") if scenarios.FROM_SPEECH in self.scenario["plan"] else start
        steps = [step for step in self.scenario["plan"] if step != scenarios.FROM_SPEECH]
        done, next_drain = [], 2
        while time.time() - start < self.scenario["seconds"]:
            while steps and zero + steps[0][0] <= time.time():
                _, step = steps.pop(0)
                told = f"t+{time.time() - start:.2f}s: "
                if isinstance(step, str):
                    self.tell_router(step)
                    done.append(told + step)
                else:
                    end, function, *arguments = step
                    await self.ends[end].call(function, *arguments)
                    done.append(f"{told}{end} {function} {json.dumps(arguments)}")
            if time.time() - start > next_drain:
                await self.drain()
                next_drain += 5
            await asyncio.sleep(0.02)
        return done

    def write(self, truth):
        for end, heard in self.heard.items():
            lines = lambda items: "".join(item + "\n" for item in items)
            file = lambda name: self.folder / f"{end}.{name}"
            log = heard["log"]
            file("events.jsonl").write_text(lines(json.dumps(e) for e in log if "kandy" not in e))
            file("callAdditionalInfo.jsonl").write_text(lines(json.dumps(e["kandy"]) for e in log if "kandy" in e))
            file("stats-1s.jsonl.gz").write_bytes(gzip.compress(lines(heard["stats1"]).encode(), mtime=0))
            file("getRTPStatistics-10s.jsonl").write_text(lines(heard["stats10"]))
            samples = numpy.frombuffer(bytes(heard["pcm"]), "<i2") / 32768
            soundfile.write(file("heard.flac"), resample_poly(samples, 1, 3), 16000)
        (self.folder / "truth.json").write_text(json.dumps(truth, indent=1))
        print(self.name, {e: (len(h["stats1"]), len(h["stats10"]), len(h["pcm"]) // 96000) for e, h in self.heard.items()})


async def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--speech", type=pathlib.Path, help="48 kHz mono WAV of speech.txt")
    parser.add_argument("--output", type=pathlib.Path, help="folder for the recordings")
    arguments = parser.parse_args()
    if arguments.list:
        for name, scenario in scenarios.SCENARIOS.items():
            print(f"{name:32} {scenario['what']}")
        return
    from playwright.async_api import async_playwright
    arguments.output.mkdir(parents=True, exist_ok=True)
    sounds = speech.prepare(arguments.speech, arguments.output)
    async with async_playwright() as playwright:
        for name in arguments.names:
            recording = Recording(name, arguments.output, sounds)
            await asyncio.wait_for(recording.record(playwright), recording.scenario["seconds"] + 60)


if __name__ == "__main__":
    asyncio.run(main())
