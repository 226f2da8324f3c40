#!/usr/bin/env python3
"""How the recorded calls sounded: PESQ (ITU-T P.862.2; of G.711 P.862.1) of windows of 8 s of what each end heard against
the speech that the other sent, with what getStats said of the same 8 s.

usage: windows.py --speech SPEECH.wav RECORDING... > listening-windows.json

The same figures as the windows of the first recordings: s the scenario, i the window, pesq, loss, conc(ealed), sil(ent
concealed) and stretch(ed) in percent, evs concealment events, jit(ter), rtt and jb (stay in the jitter buffer) in ms,
codec. And: end, who heard it; dtx, whether the sender might go silent on purpose (usedtx=1, or comfort noise on the
wire); speech, the percentage of the window in which there was speech; from, seconds after t0. Left out are windows with
speech in less than 40 % of their frames (fluent speech has 75 to 85) and windows in which the sender was muted or the
stream stopped: PESQ compares speech that was sent. PESQ takes delay out.
"""
import argparse
import csv
import gzip
import json
import pathlib
import tempfile
import warnings

import numpy
import soundfile
from pesq import pesq
from scipy.signal import fftconvolve, resample_poly

import speech

RATE, SECONDS, FIRST = 16000, 8, 2
# Below this root mean square in 20 ms nobody speaks.
SILENCE = 0.002
# Percent of the frames of a window.
LEAST_SPEECH = 40
NARROWBAND = ["pcmu", "pcma"]
OTHER = {"A": "B", "B": "A"}
# Payload type, RFC 3551.
COMFORT_NOISE = "13"


def reference(path):
    sound, rate = soundfile.read(path)
    return resample_poly(sound, 1, rate // RATE)


def aligned(loop, heard):
    """The stretch of the loop that was heard, by cross-correlation."""
    tiled = numpy.concatenate([loop, loop])[:len(loop) + len(heard)]
    start = int(numpy.argmax(numpy.abs(fftconvolve(tiled, heard[::-1], "valid"))))
    return tiled[start:start + len(heard)]


def spoken(sound):
    frames = sound[:len(sound) // 320 * 320].reshape(-1, 320)
    return 100 * float(numpy.mean(numpy.sqrt(numpy.mean(frames ** 2, axis=1)) > SILENCE))


class Statistics:
    """Members of one end's report, at any time between two reports."""

    def __init__(self, path):
        self.reports = [json.loads(line) for line in gzip.open(path, "rt")]

    def of(self, report, kind):
        return next((o for o in report["stats"].values()
                     if o["type"] == kind and (kind == "candidate-pair" and o.get("nominated")
                                               or o.get("kind") == "audio")), {})

    def counter(self, name, time):
        points = [(r["t"] / 1000, self.of(r, "inbound-rtp").get(name)) for r in self.reports]
        points = [p for p in points if p[1] is not None]
        return float(numpy.interp(time, *zip(*points)))

    def mean(self, kind, name, start, end):
        values = [self.of(r, kind).get(name) for r in self.reports if start <= r["t"] / 1000 < end]
        values = [1000 * v for v in values if v is not None]
        return float(numpy.mean(values)) if values else None

    def codec(self):
        inbound = self.of(self.reports[-1], "inbound-rtp")
        return self.reports[-1]["stats"].get(inbound.get("codecId"), {})


def quality(codec, said, heard):
    """Narrowband PESQ for a codec that carries no more: the wideband one would compare codecs, not calls."""
    if codec in NARROWBAND:
        return pesq(RATE // 2, resample_poly(said, 1, 2), resample_poly(heard, 1, 2), "nb")
    return pesq(RATE, said, heard, "wb")


def silences(folder, end):
    """When the application silenced the other end's audio, in epoch seconds."""
    spans, since = [], None
    for line in (folder / f"{OTHER[end]}.events.jsonl").open():
        event = json.loads(line)
        if event.get("kind") != "audio":
            continue
        if event["name"] in ("mute-local", "pause-stream"):
            since = event["t"] / 1000
        elif event["name"] in ("unmute-local", "resume-stream"):
            spans.append((since, event["t"] / 1000))
    return spans


def windows(folder, end, loops):
    truth = json.loads((folder / "truth.json").read_text())
    heard, _ = soundfile.read(folder / f"{end}.heard.flac")
    events = [json.loads(line) for line in (folder / f"{end}.events.jsonl").open()]
    # The page posts blocks of 100 ms when they are full.
    zero = next(e["t"] for e in events if e["name"] == "first-pcm") / 1000 - 0.1
    statistics, loop = Statistics(folder / f"{end}.stats-1s.jsonl.gz"), loops[truth["speech"]]
    codec = statistics.codec()
    name = codec.get("mimeType", "").split("/")[-1].lower()
    with gzip.open(folder / "wire.csv.gz", "rt") as log:
        comfort = any(row[1:2] + row[7:8] == [OTHER[end], COMFORT_NOISE] for row in csv.reader(log))
    size = SECONDS * RATE
    for index, at in enumerate(range(FIRST * RATE, len(heard) - size, size)):
        start, window = zero + at / RATE, heard[at:at + size]
        stop = start + SECONDS
        said = aligned(loop, window)
        silenced = sum(max(0, min(stop, b) - max(start, a)) for a, b in silences(folder, end))
        share = spoken(said)
        if stop > truth["t1"] or share < LEAST_SPEECH or silenced > 0:
            continue
        delta = lambda member: statistics.counter(member, stop) - statistics.counter(member, start)
        played, lost, received = delta("totalSamplesReceived"), delta("packetsLost"), delta("packetsReceived")
        emitted = delta("jitterBufferEmittedCount")
        yield {
            "s": truth["name"], "i": index, "end": end, "from": round(start - truth["t0"], 2),
            "pesq": round(float(quality(name, said, window)), 2),
            "loss": 100 * lost / (lost + received) if lost + received > 0 else None,
            "conc": 100 * delta("concealedSamples") / played, "sil": 100 * delta("silentConcealedSamples") / played,
            "stretch": 100 * (delta("insertedSamplesForDeceleration") + delta("removedSamplesForAcceleration")) / played,
            "evs": delta("concealmentEvents"), "jit": statistics.mean("inbound-rtp", "jitter", start, stop),
            "rtt": statistics.mean("candidate-pair", "currentRoundTripTime", start, stop),
            "jb": 1000 * delta("jitterBufferDelay") / emitted if emitted > 0 else None, "codec": name,
            "dtx": "usedtx=1" in codec.get("sdpFmtpLine", "") or comfort, "speech": round(share, 1),
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("recordings", nargs="+", type=pathlib.Path)
    parser.add_argument("--speech", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore")
    with tempfile.TemporaryDirectory() as folder:
        loops = {n: reference(p) for n, p in speech.prepare(arguments.speech, pathlib.Path(folder)).items()}
    result = [w for folder in arguments.recordings for end in "AB" for w in windows(folder, end, loops)]
    print("[\n" + ",\n".join(json.dumps(w) for w in result) + "\n]")


if __name__ == "__main__":
    main()
