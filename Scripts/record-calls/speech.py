"""The sound that both ends send: the speech in a loop, or the same speech with pauses between its sentences."""
import numpy
import soundfile

# Pairs of sentences of the speech (seconds) and the pause after each. 28 s of speech, 24 s of pauses.
PARTS = [((0.2, 5.65), 3), ((5.7, 10.7), 9), ((10.7, 15.95), 3), ((16.0, 22.25), 5), ((22.3, 27.9), 4)]
# A room is never quite silent: noise at -70 dB of full scale under everything.
NOISE = 10 ** (-70 / 20)


def layout():
    """(start, end) of each part of the speech with pauses, and the length of the whole, in seconds."""
    parts, at = [], 0.0
    for (start, end), pause in PARTS:
        parts.append((at, at + end - start))
        at += end - start + pause
    return parts, at


def prepare(source, folder):
    """Path of each sound by its name."""
    speech, rate = soundfile.read(source)
    pieces = []
    for (start, end), pause in PARTS:
        pieces += [speech[round(start * rate):round(end * rate)], numpy.zeros(round(pause * rate))]
    paused = numpy.concatenate(pieces)
    paused = paused + numpy.random.default_rng(1).normal(0, NOISE, len(paused))
    path = folder / "speech-with-pauses.wav"
    soundfile.write(path, paused, rate, subtype="PCM_16")
    return {"speech": source.resolve(), "pauses": path.resolve()}


if __name__ == "__main__":
    print(*(f"{start:.2f}-{end:.2f}" for start, end in layout()[0]), f"of {layout()[1]:.2f} s")
