"""The board of a running collector: its `/metrics`, in the words of docs/operations.md."""
from grafana import (SCORE_STEPS, Row, board, choice, heatmap, lines, mark, placed, source, stat, steps, table)

KIND = "prometheus"
UID = "sidetone-collector"
# Of which servers; the scrape configuration gives them the label.
OF = '{instance=~"$instance"}'


def of(labels):
    """A selection by labels, of the chosen servers."""
    return "{" + labels + ',instance=~"$instance"}'


def rate(metric, labels="", by="", function="rate"):
    inner = f"{function}({metric}{of(labels) if labels else OF}[$__rate_interval])"
    return f"sum by ({by}) ({inner})" if by else f"sum({inner})"


def quantile(share, metric, labels="", by=""):
    buckets = rate(metric + "_bucket", labels, f"le, {by}" if by else "le")
    return f"histogram_quantile({share}, {buckets})"


def target(expression, legend="", *, instant=False, heat=False, letter="A"):
    return {
        "refId": letter, "datasource": source(KIND), "expr": expression, "legendFormat": legend or "__auto",
        "range": not instant, "instant": instant, "editorMode": "code",
        "format": "heatmap" if heat else "table" if instant else "time_series",
    }


def several(*pairs):
    """Queries with a legend each."""
    return [target(expression, legend, letter="ABCDEF"[number]) for number, (expression, legend) in enumerate(pairs)]


LOST = rate("sidetone_rtp_packets_lost_total", by="kind")
RECEIVED = rate("sidetone_rtp_packets_total", by="kind")
BAD = 'sidetone_call_quality_score_bucket{le="60",instance=~"$instance"}'
DROPPED = 'outcome=~"kernel_dropped|interface_dropped"'

# Panels in their order, each with its queries.
PANELS = [
    (Row("Calls"), None),
    (stat("active", "Calls going on", "Heard of within 90 s and not ended; all observers of one count once.", "short",
          least=0, decimals=0),
     [target(f"sum(sidetone_calls_active{OF})")]),
    (stat("finished", "Records, last hour", "Of calls that are over; each observer of a call has one.", "short",
          least=0, decimals=0),
     [target(f"sum(increase(sidetone_calls_finished_total{OF}[1h]))")]),
    (stat("median", "Median score, 1 h", "Of the records of calls that ended in the last hour; within the limits of the "
          "histogram's buckets.", "none", least=0, most=100, thresholds=SCORE_STEPS, decimals=0),
     [target(f"histogram_quantile(0.5, sum by (le) (increase(sidetone_call_quality_score_bucket{OF}[1h])))")]),
    (stat("bad", "Scored 60 or less, 1 h", "Share of the records of calls that ended in the last hour.", "percentunit", least=0,
          most=1, decimals=1, thresholds=steps((0.1, "yellow"), (0.2, "red"))),
     [target(f"sum(increase({BAD}[1h])) / sum(increase(sidetone_call_quality_score_count{OF}[1h]))")]),
    (stat("loss_now", "Packets lost, now", "Share of the packets on their way to clients and probes.", "percentunit",
          least=0, decimals=2, thresholds=steps((0.01, "yellow"), (0.03, "red"))),
     [target(f"{rate('sidetone_rtp_packets_lost_total')} / "
             f"({rate('sidetone_rtp_packets_total')} + {rate('sidetone_rtp_packets_lost_total')})")]),
    (stat("errors_now", "Store errors, 1 h", "Times that the database could not be written to or read. Anything but 0 "
          "needs somebody.", "short", least=0, decimals=0, thresholds=steps((1, "red"))),
     [target(f"sum(increase(sidetone_store_errors_total{OF}[1h]))")]),
    (lines("score", "Scores of records", "Of calls that ended: the tenth that went worst, and the median.", "none", least=0,
           most=100, decimals=0, thresholds=SCORE_STEPS),
     several((quantile(0.1, "sidetone_call_quality_score"), "10th percentile"),
             (quantile(0.5, "sidetone_call_quality_score"), "median"))),
    (heatmap("scores", "Records by score", "How many records of calls that ended have which score.", "none"),
     [target(f"sum by (le) (increase(sidetone_call_quality_score_bucket{OF}[$__rate_interval]))", "{{le}}", heat=True)]),
    (lines("going_on", "Calls going on, by server", "Heard of within 90 s and not ended; all observers of one count once.", "short", width=8, least=0,
           decimals=0),
     [target(f"sidetone_calls_active{OF}", "{{instance}}")]),
    (lines("reasons", "Records by end", "Records a minute of calls that are over, by reason; silent where no more was heard of "
           "a client.",
           "short", width=8, least=0, stacked=True, bars=True),
     [target(f"60 * {rate('sidetone_calls_finished_total', by='reason')} > 0", "{{reason}}")]),
    (lines("setup", "Setting up, 95th percentile", "By phase: docs/setup-latencies.md.", "s", width=8, least=0),
     [target(quantile(0.95, "sidetone_call_setup_duration_seconds", by="phase"), "{{phase}}")]),
    (lines("loss", "Packets lost", "Share of the packets on their way to clients and probes.", "percentunit", least=0,
           decimals=2),
     [target(f"{LOST} / ({RECEIVED} + {LOST})", "{{kind}}")]),
    (lines("jitter", "Jitter", "Of received streams at the end of each interval.", "s", least=0),
     several((quantile(0.5, "sidetone_rtp_jitter_seconds", by="kind"), "{{kind}}, median"),
             (quantile(0.95, "sidetone_rtp_jitter_seconds", by="kind"), "{{kind}}, 95th percentile"))),

    (Row("What clients and probes send"), None),
    (lines("reports", "Reports", "Of clients, by what became of them.", "reqps", width=8, least=0, stacked=True),
     [target(rate("sidetone_ingest_reports_total", by="outcome"), "{{outcome}}")]),
    (lines("wire", "Snapshots of probes", "By what became of them.", "reqps", width=8, least=0, stacked=True),
     [target(rate("sidetone_ingest_wire_reports_total", by="outcome"), "{{outcome}}")]),
    (lines("events", "Events", "By what they say.", "reqps", width=8, least=0, stacked=True),
     [target(rate("sidetone_ingest_events_total", by="type") + " > 0", "{{type}}")]),
    (lines("rejected", "Not taken", "Bodies and parts of bodies, by reason.", "reqps", width=8, least=0, stacked=True),
     [target(rate("sidetone_ingest_rejected_total", by="reason") + " > 0", "{{reason}}")]),
    (lines("samples", "Intervals derived", "Of streams, by kind and direction.", "reqps", width=8, least=0),
     [target(rate("sidetone_ingest_samples_total", by="kind, dir"), "{{kind}} {{dir}}")]),
    (lines("refolds", "Records derived anew", "Because facts came late or the rules are new.", "reqps", width=8,
           least=0),
     [target(rate("sidetone_refolds_total", by="instance"), "{{instance}}")]),

    (Row("Requests"), None),
    (lines("requests", "Answers", "By status code.", "reqps", width=8, least=0, stacked=True),
     [target(rate("sidetone_http_requests_total", by="code"), "{{code}}")]),
    (lines("durations", "Time to answer, 99th percentile", "By route; the commit is in it.", "s", width=8, least=0),
     [target(quantile(0.99, "sidetone_http_request_duration_seconds", by="route"), "{{route}}")]),
    (lines("busy", "Refused for being busy", "Share of the answers that are 429 or 503: clients come again later.",
           "percentunit", width=8, least=0),
     [target("(" + rate("sidetone_http_requests_total", 'code=~"429|503"') + " or vector(0)) / "
             + rate("sidetone_http_requests_total"), "refused")]),
    (lines("queue", "Waiting to be stored", "Facts; from 50,000 on clients are told to wait.", "short", width=8,
           least=0, decimals=0),
     several((f"sidetone_ingest_queue_facts{OF}", "facts, {{instance}}"),
             (f"sidetone_ingest_queue_submissions{OF}", "submissions, {{instance}}"))),
    (lines("held", "Bodies being received", "Bytes; from limits.waiting-bytes on clients are told to wait.", "bytes",
           width=8, least=0),
     [target(f"sidetone_ingest_bytes_in_flight{OF}", "{{instance}}")]),

    (Row("Those who watch calls as they happen"), None),
    (lines("watching", "Watching", "Streams of events that are open.", "short", width=8, least=0, decimals=0),
     [target(f"sidetone_live_subscribers{OF}", "{{instance}}")]),
    (lines("told", "Events told", "By what they say.", "reqps", width=8, least=0, stacked=True),
     [target(rate("sidetone_live_events_total", by="event"), "{{event}}")]),
    (lines("cut", "Cut off", "Watchers who were too slow, and events for which there was no room, an hour.", "short",
           width=8, least=0),
     several((f"3600 * {rate('sidetone_live_subscribers_cut_total')}", "watchers"),
             (f"3600 * {rate('sidetone_live_events_dropped_total')}", "events"))),

    (Row("Store"), None),
    (lines("commits", "Time of a commit", "Until it is on the disk.", "s", width=8, least=0),
     several((quantile(0.5, "sidetone_store_write_duration_seconds"), "median"),
             (quantile(0.99, "sidetone_store_write_duration_seconds"), "99th percentile"))),
    (lines("errors", "Store errors", "Times that the database could not be written to or read, by operation.", "short",
           width=8, least=0),
     [target(rate("sidetone_store_errors_total", by="operation", function="increase"), "{{operation}}")]),
    (lines("bytes", "Size of the database", "The file and its log.", "bytes", width=8, least=0),
     [target(f"sidetone_store_bytes{OF}", "{{instance}}")]),
    (lines("evicted", "Calls removed", "By the limits of number and age, an hour.", "short", width=8, least=0),
     [target(f"3600 * {rate('sidetone_retention_deleted_calls_total', by='instance')}", "{{instance}}")]),
    (lines("damaged", "Records that cannot be read whole", "By what of them; what follows from facts is derived anew.", "short",
           width=8, least=0),
     [target(rate("sidetone_store_damaged_records_total", by="part", function="increase"), "{{part}}")]),

    (Row("Shipping, where calls go on to another store"), None),
    (lines("spool", "Waiting to be shipped", "Bytes, as facts and rows take them of the database. At the limit nothing "
           "more is taken, or the oldest is given up.", "bytes", width=8, least=0),
     [target(f"sidetone_spool_bytes{OF}", "{{instance}}")]),
    (lines("spool_age", "Age of the oldest that waits", "Seconds in normal running; grows while the other store does not "
           "take anything.", "s", width=8, least=0),
     [target(f"sidetone_spool_oldest_age_seconds{OF}", "{{instance}}")]),
    (lines("spool_batches", "Changes that wait", "And records that the other store does not take.", "short", width=8,
           least=0, decimals=0),
     several((f"sidetone_spool_batches{OF}", "changes, {{instance}}"),
             (f"sidetone_spool_records_set_aside{OF}", "records set aside, {{instance}}"))),
    (lines("shipped", "Shipped", "Records of which something was shipped, and calls erased.", "cps", width=8, least=0),
     several((rate("sidetone_shipped_records_total"), "records"), (rate("sidetone_shipped_erasures_total"), "erasures"))),
    (lines("ship_time", "Time of a batch", "Until the other store had it.", "s", width=8, least=0),
     several((quantile(0.5, "sidetone_ship_duration_seconds"), "median"),
             (quantile(0.99, "sidetone_ship_duration_seconds"), "99th percentile"))),
    (lines("ship_errors", "Not shipped", "Batches that failed and records that were refused, by reason; and changes given "
           "up to make room.", "short", width=8, least=0),
     several((rate("sidetone_ship_errors_total", by="reason", function="increase"), "{{reason}}"),
             (rate("sidetone_spool_dropped_batches_total", function="increase"), "given up"))),
    (lines("merged", "Put together", "Calls in the other store whose reports reached several servers, and calls removed there "
           "by its limits, an hour.", "short", width=8, least=0),
     several((f"3600 * {rate('sidetone_merged_calls_total')}", "put together"),
             (f"3600 * {rate('sidetone_merge_evicted_calls_total')}", "removed"))),
    (lines("merge_time", "Time of a pass", "That looks for such calls and puts them together.", "s", width=8, least=0),
     several((quantile(0.5, "sidetone_merge_duration_seconds"), "median"),
             (quantile(0.99, "sidetone_merge_duration_seconds"), "99th percentile"))),
    (lines("merge_errors", "Not put together", "Calls that could not be, and passes that were not made, by reason.", "short",
           width=8, least=0),
     [target(rate("sidetone_merge_errors_total", by="reason", function="increase"), "{{reason}}")]),

    (Row("Capture, where the server listens to the wire"), None),
    (lines("packets", "Packets captured", "By what they were taken for.", "pps", width=8, least=0),
     [target(rate("sidetone_pcap_packets_total", by="outcome"), "{{outcome}}")]),
    (lines("dropped", "Packets never seen", "Share dropped by the kernel or the interface before they could be read.",
           "percentunit", width=8, least=0),
     [target(rate("sidetone_pcap_packets_total", DROPPED, "outcome") + " / ignoring (outcome) group_left "
             + rate("sidetone_pcap_packets_total"), "{{outcome}}")]),
    (lines("wire_now", "On the wire", "Streams being metered, and calls going on.", "short", width=8, least=0,
           decimals=0),
     several((f"sum(sidetone_pcap_streams_active{OF})", "streams"), (f"sum(sidetone_pcap_calls_active{OF})", "calls"))),

    (Row("Process"), None),
    (lines("processor", "Processor", "Processors in use.", "none", width=6, least=0, decimals=2),
     [target(f"rate(process_cpu_seconds_total{OF}[$__rate_interval]) "
             "and on (instance, job) sidetone_build_info", "{{instance}}")]),
    (lines("memory", "Memory", "Resident, and addressed.", "bytes", width=6, least=0),
     several((f"process_resident_memory_bytes{OF} and on (instance, job) sidetone_build_info", "{{instance}}, resident"),
             (f"process_virtual_memory_bytes{OF} and on (instance, job) sidetone_build_info", "{{instance}}, virtual"))),
    (lines("files", "Files and connections", "Descriptors that are open, and how many may be.", "short", width=6,
           least=0, decimals=0),
     several((f"process_open_fds{OF} and on (instance, job) sidetone_build_info", "{{instance}}, open"),
             (f"process_max_fds{OF} and on (instance, job) sidetone_build_info", "{{instance}}, most"))),
    (lines("threads", "Threads", "Of the process.", "short", width=6, least=0, decimals=0),
     [target(f"process_threads{OF} and on (instance, job) sidetone_build_info", "{{instance}}")]),
    (table("running", "What runs", "Version, version of the rules, store, and since when.", height=5, overrides=[]),
     [target(f"sidetone_build_info{OF} * on (instance, job) group_left process_start_time_seconds * 1000",
             instant=True)]),
]


def boards():
    queries = {panel.key: found for panel, found in PANELS if found}
    panels = placed([panel for panel, _ in PANELS], lambda panel: queries[panel.key])
    marks = [
        mark("Restarts", "purple", target(
            f"changes(process_start_time_seconds{OF}[$__rate_interval]) > 0 and on (instance, job) "
            "sidetone_build_info", "{{instance}} was started")),
        mark("Alerts", "red", target('ALERTS{alertname=~"Sidetone.*",alertstate="firing"}', "{{alertname}}")),
    ]
    variables = [choice("instance", "Server", KIND, "label_values(sidetone_build_info, instance)", all_value=".*")]
    return {"collector-prometheus.json": board(
        UID, "Collector (Prometheus)", "What sidetone serve says of itself and of all calls. Single calls are on the "
        "boards of the stores; metrics never name one.", ["prometheus"], KIND, panels, variables=variables,
        marks=marks, start="now-6h")}
