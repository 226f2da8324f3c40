"""The two boards of calls: all of them, and one. What a panel asks of a store stands in the file of the store."""
from grafana import (BANDS, SCORE_STEPS, Row, bars, board, colored, gauges, lines, mark, named, placed, stat, states,
                     steps, table)

SCORE = {"least": 0, "most": 100, "thresholds": SCORE_STEPS, "decimals": 0}
OVER_TIME = {"interval": "1m", "points": 60}
SETUP_STEPS = steps((2000, "yellow"), (5000, "red"))


def to_call(store):
    """The link from a row to the board of its call. What a row names goes into the address encoded."""
    named_there = [("call", "call"), ("observer", "observer"), ("attempt", "attempt")]
    rest = "".join(f"&var-{name}=${{__data.fields.{field}:percentencode}}" for name, field in named_there)
    return (f"/d/{store.CALL}?var-datasource=${{datasource}}&var-tenant=${{tenant:percentencode}}{rest}"
            "&from=${__data.fields.from}&to=${__data.fields.to}")


def rows_of_calls(store):
    link = {"title": "Open this call", "url": to_call(store), "targetBlank": False}
    hidden = {"id": "custom.hidden", "value": True}
    return [
        named("call", links=[link], custom__width=310),
        named("score", **shown_score()), named("worst", **shown_score()),
        named("duration", unit="s"), named("loss", unit="percent", decimals=2), named("post-dial delay", unit="ms"),
        named("start", unit="dateTimeAsLocal", custom__width=180),
        *({"matcher": {"id": "byName", "options": field}, "properties": [hidden]} for field in ["from", "to"]),
    ]


def shown_score():
    return {"unit": "none", "min": 0, "max": 100, "color": {"mode": "thresholds"},
            "thresholds": {"mode": "absolute", "steps": SCORE_STEPS},
            "custom__cellOptions": {"type": "color-text"}}


def all_calls(store):
    """From the fleet to the worst calls."""
    of_bands = [colored(name, color) for name, _, color in BANDS]
    return [
        Row("How calls went"),
        stat("calls", "Calls", "Calls that started in the chosen time. A call with records of several observers counts "
             "once.", "short", decimals=0),
        stat("median", "Median score", "Half of the records score less. Each observer of a call has a record.", "none",
             **SCORE),
        stat("bad_stretch", "With a bad stretch", "Share of the scored records whose worst stretch (5 % of the time, at "
             "least 20 s) lies in the bands poor or bad (below 70).", "percentunit", least=0, most=1, decimals=1,
             thresholds=steps((0.05, "yellow"), (0.15, "red"))),
        stat("failed", "Not connected or answered", "Share of the records whose call was never connected, or that "
             "nobody answered. One that still rings is neither.", "percentunit", least=0, most=1, decimals=1,
             thresholds=steps((0.3, "yellow"), (0.5, "red"))),
        stat("post_dial", "Post-dial delay, p95", "From callCreate until the far end rings: 95 % of the records took "
             "less (L2 of docs/setup-latencies.md).", "ms", least=0, decimals=0, thresholds=SETUP_STEPS),
        stat("relayed", "Over a relay", "Share of the records with a known path that spent any of their time on a "
             "relay (TURN).", "percentunit", least=0, most=1, decimals=1),
        lines("score_over_time", "Score over time", "Scores of the records that started in each span: one of twenty is below "
              "the 5th percentile.", "none", least=0, most=100, thresholds=SCORE_STEPS, decimals=0,
              overrides=[colored("p5", "dark-red"), colored("p50", "blue"), colored("p95", "green")], **OVER_TIME),
        lines("bands_over_time", "Records by band of score", "How many records that started in each span fell into "
              "which band.", "short", least=0, decimals=0, stacked=True, bars=True, overrides=of_bands, **OVER_TIME),
        Row("Why"),
        bars("scores", "Scores", "How many records have a score in each ten.", "short", "score", least=0, decimals=0),
        bars("causes", "What cost most", "Of the records below 80: how many lost most of their points to which cause "
             "(docs/score.md).", "short", "cause", least=0, decimals=0),
        bars("issues", "Issues", "In how many records what went wrong (docs/issues.md).", "short", "issue", least=0,
             decimals=0),
        lines("setup_over_time", "Setting up, 95th percentile", "Post-dial delay (L2), from the answer to connected "
              "ICE (L6), and from callCreate to the first packet (L8).", "ms", width=16, least=0, decimals=0,
              **OVER_TIME),
        bars("ends", "Records by end", "By the cause of their end; going on or silent where no end was told.",
             "short", "end", least=0, decimals=0),
        Row("Which: a click opens the call"),
        table("worst_calls", "Worst records", "The fifty with the worst stretches, and what cost them most; each observer "
              "of a call has one. A click on the id opens the call.", overrides=rows_of_calls(store), height=12),
        table("failed_calls", "Records of calls that failed", "The latest fifty that were not connected or not answered; one "
              "that still rings is neither.",
              overrides=rows_of_calls(store), height=8),
    ]


def one_call(store):
    """One record of one call, with what happened in it marked on everything over time."""
    of_streams = {"overrides": [{"matcher": {"id": "byType", "options": "number"}, "properties": [
        {"id": "displayName", "value": "${__field.labels.stream}"}]}]}
    link = {"title": "As this observer had it", "url": to_call(store), "targetBlank": False}
    ends = [named("observer", links=[link]), *rows_of_calls(store)[1:]]
    return [
        Row("What this end had"),
        stat("score", "Score", "The score of the whole call (docs/score.md); the lowest band is bad, below 60.",
             "none", **SCORE),
        stat("worst", "Worst stretch", "The mean score of the worst 5 % of the time, at least 20 s.", "none", **SCORE),
        stat("outcome", "Outcome", "Whether the call was connected, and why it ended.", "string", width=6),
        stat("duration", "Duration", "From connected to the end, or to the last thing heard.", "s", least=0,
             decimals=0),
        stat("path", "Path", "Type of the local and of the remote candidate, and the transport.", "string", width=6),
        lines("live", "Score over time", "The score of each report, for all, audio and video. A gap: on hold, no media, or too "
              "little was reported.", "none", width=16, height=9, **SCORE),
        gauges("costs", "Points lost, by cause", "What the 100 points were lost to (docs/score.md).", "none",
               height=9, of_rows=True, least=0, most=100, decimals=1,
               thresholds=[{"color": "blue", "value": None}]),
        states("phases", "Course", "Setup, ringing, connecting, active, on hold, ended: as the client told."),
        Row("Streams: what is marked is what happened"),
        lines("loss", "Packets lost", "Share of the packets of each stream that were lost between two reports.",
              "percent", least=0, decimals=2, **of_streams),
        lines("concealed", "Sound made up", "Share of the played samples that were made up, for packets missing or "
              "late; silent ones included.", "percent", least=0, decimals=2, **of_streams),
        lines("jitter", "Jitter", "Interarrival jitter (RFC 3550).", "ms", least=0, decimals=1, **of_streams),
        lines("round_trip", "Round trip", "As ICE or RTCP measured it.", "ms", least=0, decimals=0, **of_streams),
        lines("buffer", "Jitter buffer", "How long what was played had waited.", "ms", least=0, decimals=0,
              **of_streams),
        lines("bitrate", "Bit rate", "Payload of each stream.", "Kbits", least=0, decimals=0, **of_streams),
        lines("frames", "Frames", "Frames a second of each video.", "none", least=0, decimals=1, **of_streams),
        lines("frozen", "Picture frozen", "Seconds that the picture stood still between two reports.", "s", least=0,
              decimals=1, **of_streams),
        table("streams", "Streams", "The streams of this end over the whole call.", height=7, overrides=[
            named("loss", unit="percent", decimals=2), named("concealed", unit="percent", decimals=2),
            named("jitter", unit="ms"), named("most jitter", unit="ms"), named("round trip", unit="ms"),
            named("bit rate", unit="Kbits"), named("score", **shown_score()), named("worst", **shown_score())]),
        Row("What happened"),
        table("found", "Issues", "What went wrong, with the worst figure (docs/issues.md).", width=14, height=9,
              overrides=[named("lasted", unit="s", decimals=1)]),
        gauges("setup", "Setting up", "From callCreate, unless it says otherwise (docs/setup-latencies.md).", "ms",
               width=10, height=9, least=0, decimals=0, thresholds=[{"color": "blue", "value": None}]),
        table("told", "Events", "What the client told, with its members.", width=14, height=10),
        table("other_ends", "Other ends and attempts", "Who else told of this call. A click shows it as that observer had "
              "it.", width=10, height=10, overrides=ends),
    ]


def boards(store):
    """The boards of a store, by file."""
    tags = [store.SUFFIX]
    fleet = board(
        store.FLEET, f"Calls ({store.NAME})",
        "How calls went, why, and which went worst. A click on a call opens it.", tags, store.KIND,
        placed(all_calls(store), store.targets), variables=store.fleet_variables())
    call = board(
        store.CALL, f"One call ({store.NAME})",
        "Streams, events and issues of one call. Usually opened from the board of all calls; else paste an id.",
        tags, store.KIND, placed(one_call(store), store.targets), variables=store.call_variables(),
        marks=[mark(name, color, store.target(sql), enabled) for name, color, sql, enabled in store.MARKS],
        start="now-7d", refresh="")
    return {f"calls-{store.SUFFIX}.json": fleet, f"call-{store.SUFFIX}.json": call}
