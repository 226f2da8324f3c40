"""A recording gone through several times, while its counters go on: what a longer call tells."""
import json

REPORT_MILLISECONDS = 10_000
# What may rise throughout a recording and is no counter.
GAUGES = {"audioLevel", "availableIncomingBitrate", "availableOutgoingBitrate", "currentRoundTripTime", "frameHeight",
          "frameWidth", "framesPerSecond", "jitter", "roundTripTime", "targetBitrate"}
# A time since 1970 in ms or µs; those that are cut out of the text move with it.
TIMES = ((1.7e12, 1.9e12), (1.7e15, 1.9e15))


class Laps:
    """The reports of a recording. A lap is once through it."""

    def __init__(self, reports):
        times = [int(members["time"]) for _, members in reports]
        # The last is told as the page is closed, right after another.
        gaps = [REPORT_MILLISECONDS] + [later - time for time, later in zip(times, times[1:])]
        self.regular = [place for place in range(len(times)) if gaps[place] > REPORT_MILLISECONDS / 2]
        self.reports = reports
        self.milliseconds = len(self.regular) * REPORT_MILLISECONDS
        self.growth = self.measured()
        self.made = {0: reports}

    def lap(self, number, is_last):
        """The reports of a lap, each a text and its members; their times are those of the first."""
        if number not in self.made:
            self.made[number] = [self.grown(members, number) for _, members in self.reports]
        made = self.made[number]
        return made if is_last else [made[index] for index in self.regular]

    def measured(self):
        """By how much each counter rises in a lap."""
        series = {}
        for index in self.regular:
            for name, value in numbers(self.reports[index][1]):
                series.setdefault(name, []).append(value)
        share = len(self.regular) / max(1, len(self.regular) - 1)
        rising = {name: values for name, values in series.items() if name[-1] not in GAUGES and is_counter(values)}
        return {name: (values[-1] - values[0]) * share for name, values in rising.items()}

    def grown(self, members, number):
        members = json.loads(json.dumps(members))
        for row in members["statistics"]:
            for holder, name, path in list(places(row)):
                rise = self.growth.get(path, 0) * number
                holder[name] += round(rise) if isinstance(holder[name], int) else rise
        return json.dumps(members, separators=(",", ":")).encode(), members


def is_counter(values):
    """Whether a member only ever rose."""
    is_time = any(first < values[0] < last for first, last in TIMES)
    return not is_time and values[0] < values[-1] and all(one <= next for one, next in zip(values, values[1:]))


def numbers(members):
    for row in members["statistics"]:
        for holder, name, path in places(row):
            yield path, holder[name]


def places(row):
    """Where the numbers of an object are, and by what they are known from report to report."""
    for holder in [row] + [value for value in row.values() if isinstance(value, dict)]:
        for name, value in holder.items():
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                yield holder, name, (row["type"], row["id"], name)
