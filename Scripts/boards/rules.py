"""Recording rules and alerts for Prometheus, each with a case in which it fires and one in which it does not."""

# Reasons of `calls_finished_total` that no caller chose.
BROKEN = "error|lost|mediaError|capacity|unavailable"
# Reasons of `ingest_rejected_total` that say that a client sends what cannot be read.
UNREADABLE = "malformed|unrecognised|missing_member|wrong_type|too_large"
SERVER = {"instance": "a:8080", "job": "sidetone"}


def rise(*steps):
    """Samples of a counter or gauge, in promtool's notation: rise((0, 10, 60)) is 60 steps of 10 from 0."""
    return " ".join(f"{first}+{step}x{count}" for first, step, count in steps)


class Alert:
    """An alert, and the series with which it fires and with which it does not."""

    def __init__(self, name, expression, after, severity, summary, description, at, labels, fires, rests, every="1m"):
        self.name, self.expression, self.after, self.severity = name, expression, after, severity
        self.summary, self.description = summary, description
        self.at, self.labels, self.fires, self.rests, self.every = at, labels, fires, rests, every

    @property
    def rule(self):
        return {
            "alert": self.name, "expr": self.expression, "for": self.after, "labels": {"severity": self.severity},
            "annotations": {"summary": self.summary, "description": self.description},
        }

    @property
    def tests(self):
        return [self.test("fires", self.fires, True), self.test("rests", self.rests, False)]

    def test(self, word, series, is_expected):
        case = {"eval_time": self.at, "alertname": self.name}
        if is_expected:
            filled = {name: self.filled(text) for name, text in self.rule["annotations"].items()}
            case["exp_alerts"] = [
                {"exp_labels": {"severity": self.severity, **self.labels}, "exp_annotations": filled}]
        return {
            "name": f"{self.name} {word}", "interval": self.every,
            "input_series": [{"series": name, "values": values} for name, values in series.items()],
            "alert_rule_test": [case],
        }

    def filled(self, text):
        for name, value in self.labels.items():
            text = text.replace("{{ $labels." + name + " }}", value)
        return text


def of_server(metric, labels=""):
    given = ",".join(f'{name}="{value}"' for name, value in SERVER.items())
    return f"{metric}{{{labels + ',' if labels else ''}{given}}}"


def buckets(metric, labels, counts):
    """The series of a histogram that grows by so many in each bucket at each step."""
    return {of_server(metric + "_bucket", f'{labels}le="{limit}"'): rise((0, count, 120)) for limit, count in counts}


HERE = {"instance": "a:8080"}

RECORDED = [
    ("sidetone:rtp_packets_lost:ratio_rate5m",
     "sum by (kind) (rate(sidetone_rtp_packets_lost_total[5m])) / (sum by (kind) (rate(sidetone_rtp_packets_total[5m])) "
     "+ sum by (kind) (rate(sidetone_rtp_packets_lost_total[5m])))"),
    ("sidetone:call_quality_score:p50_1h",
     "histogram_quantile(0.5, sum by (le) (rate(sidetone_call_quality_score_bucket[1h])))"),
    ("sidetone:call_quality_score_60_or_less:ratio_rate1h",
     'sum(rate(sidetone_call_quality_score_bucket{le="60"}[1h])) / sum(rate(sidetone_call_quality_score_count[1h]))'),
    ("sidetone:calls_finished:increase1h", "sum(increase(sidetone_calls_finished_total[1h]))"),
    ("sidetone:calls_broken:ratio_rate1h",
     f'sum(rate(sidetone_calls_finished_total{{reason=~"{BROKEN}"}}[1h])) '
     "/ sum(rate(sidetone_calls_finished_total[1h]))"),
    ("sidetone:store_write_duration_seconds:p99_5m",
     "histogram_quantile(0.99, sum by (instance, le) (rate(sidetone_store_write_duration_seconds_bucket[5m])))"),
    ("sidetone:ingest_duration_seconds:p99_5m",
     "histogram_quantile(0.99, sum by (instance, le) "
     '(rate(sidetone_http_request_duration_seconds_bucket{route=~".*/stats|/v1/events|/v1/wire"}[5m])))'),
]

ALERTS = [
    Alert("SidetoneDown", 'up{job="sidetone"} == 0', "2m", "critical",
          "{{ $labels.instance }} does not answer", "Clients keep what they cannot post, for a while. Start it anew; "
          "its log says why it ended.", "5m", SERVER,
          {of_server("up"): "1 0x10"}, {of_server("up"): "1 0 1x10"}),
    Alert("SidetoneAbsent", 'absent(up{job="sidetone"})', "5m", "warning",
          "Prometheus scrapes no server of the job sidetone", "The job is missing in the scrape configuration, or finds "
          "no target: no other alert here can fire.", "10m", {"job": "sidetone"},
          {'up{job="other",instance="b"}': "1x10"}, {of_server("up"): "1x10"}),
    Alert("SidetoneRestarts", 'changes(process_start_time_seconds{job="sidetone"}[1h]) > 3', "0m", "warning",
          "{{ $labels.instance }} was started more than three times in an hour", "The last lines of its log before "
          "each start say why it ended.", "50m", SERVER,
          {of_server("process_start_time_seconds"): "1 1x8 2x10 3x10 4x10 5x10"},
          {of_server("process_start_time_seconds"): "1 1x8 2x40"}),
    Alert("SidetoneStoreErrors", "sum by (instance, operation) (increase(sidetone_store_errors_total[5m])) > 0", "1m",
          "critical", "{{ $labels.instance }} cannot use its database ({{ $labels.operation }})",
          "While it cannot write it answers 503 and clients come again. The log names the cause: docs/operations.md, "
          "Faults and Messages.", "8m", {**HERE, "operation": "append"},
          {of_server("sidetone_store_errors_total", 'operation="append"'): rise((0, 0, 3), (1, 1, 8))},
          {of_server("sidetone_store_errors_total", 'operation="append"'): rise((7, 0, 12))}),
    Alert("SidetoneBusy",
          'sum by (instance) (rate(sidetone_http_requests_total{method="POST",code=~"429|503"}[5m])) '
          '/ sum by (instance) (rate(sidetone_http_requests_total{method="POST"}[5m])) > 0.01', "5m", "warning",
          "{{ $labels.instance }} refuses more than 1 % of what is posted, for being busy", "Clients come again and lose "
          "nothing. The disk, or limits.*, are the bottleneck: docs/operations.md, When it is busy.", "15m", HERE,
          {of_server("sidetone_http_requests_total", 'method="POST",code="202"'): rise((0, 100, 20)),
           of_server("sidetone_http_requests_total", 'method="POST",code="503"'): rise((0, 5, 20))},
          {of_server("sidetone_http_requests_total", 'method="POST",code="202"'): rise((0, 1000, 20)),
           of_server("sidetone_http_requests_total", 'method="POST",code="503"'): rise((0, 5, 20))}),
    Alert("SidetoneInternalErrors",
          'sum by (instance) (increase(sidetone_http_requests_total{code=~"5..",code!="503"}[10m])) > 0', "0m",
          "warning", "{{ $labels.instance }} answered with an internal error", "A fault of the server; the log has the "
          "request.", "8m", HERE,
          {of_server("sidetone_http_requests_total", 'method="GET",code="500"'): rise((0, 0, 4), (1, 0, 6))},
          {of_server("sidetone_http_requests_total", 'method="GET",code="503"'): rise((0, 5, 12))}),
    Alert("SidetoneQueue", "sidetone_ingest_queue_facts > 25000", "2m", "warning",
          "On {{ $labels.instance }} more than 25,000 facts wait to be stored", "From 50,000 on clients are refused. The "
          "disk is too slow for what comes.", "6m", SERVER,
          {of_server("sidetone_ingest_queue_facts"): "0 30000x10"},
          {of_server("sidetone_ingest_queue_facts"): "0 30000 100 30000 100 30000 100 100 100"}),
    Alert("SidetoneNotShipped", "sidetone_spool_oldest_age_seconds > 300", "5m", "warning",
          "On {{ $labels.instance }} calls have waited for more than 5 minutes to be shipped", "Nothing is lost while the "
          "spool has room. GET /readyz says whether it is tried again or somebody has to set something right; the log says "
          "what.", "13m", SERVER,
          {of_server("sidetone_spool_oldest_age_seconds"): "0 60 120 180 240 300 360 420 480 540 600 660 720 780"},
          {of_server("sidetone_spool_oldest_age_seconds"): "0 400 400 400 400 2 400 400 400 400 2 2 2 2"}),
    Alert("SidetoneNotTaken", "sidetone_spool_records_set_aside > 0", "10m", "warning",
          "On {{ $labels.instance }} records were set aside: the other store does not take them", "They stay in the database "
          "until the retention removes them, and are tried again at the next start. The log says why.", "13m", SERVER,
          {of_server("sidetone_spool_records_set_aside"): "0 0 1x12"},
          {of_server("sidetone_spool_records_set_aside"): "0 0 1 1 1 1 0 0 0 0 0 0 0 0"}),
    Alert("SidetoneSlowCommits", "sidetone:store_write_duration_seconds:p99_5m > 1", "10m", "warning",
          "One of a hundred commits of {{ $labels.instance }} takes longer than 1 s",
          "Every answer to a client waits for one. Look at the disk.", "25m", HERE,
          buckets("sidetone_store_write_duration_seconds", "", [("0.5", 90), ("2.5", 100), ("+Inf", 100)]),
          buckets("sidetone_store_write_duration_seconds", "", [("0.5", 100), ("2.5", 100), ("+Inf", 100)])),
    Alert("SidetoneSlowAnswers", "sidetone:ingest_duration_seconds:p99_5m > 2.5", "10m", "warning",
          "One of a hundred clients waits longer than 2.5 s for {{ $labels.instance }}",
          "Slow clients count, too. Compare with the time of a commit on the board of the collector.", "25m", HERE,
          buckets("sidetone_http_request_duration_seconds", 'route="/v1/events",', [("1", 90), ("5", 100), ("+Inf", 100)]),
          buckets("sidetone_http_request_duration_seconds", 'route="/v1/events",', [("1", 100), ("5", 100), ("+Inf", 100)])),
    Alert("SidetoneClientsUnreadable",
          f'sum by (instance) (rate(sidetone_ingest_rejected_total{{reason=~"{UNREADABLE}"}}[15m])) / on (instance) '
          f'(sum by (instance) (rate(sidetone_ingest_rejected_total{{reason=~"{UNREADABLE}"}}[15m])) '
          "+ sum by (instance) (rate(sidetone_ingest_reports_total[15m]))) > 0.05", "15m", "warning",
          "More than 5 % of what clients send to {{ $labels.instance }} cannot be read", "Often a new version of a "
          "client. The answers say what is wrong; the board shows the reasons.", "40m", HERE,
          {of_server("sidetone_ingest_rejected_total", 'reason="malformed"'): rise((0, 10, 60)),
           of_server("sidetone_ingest_reports_total", 'outcome="accepted"'): rise((0, 100, 60))},
          {of_server("sidetone_ingest_rejected_total", 'reason="malformed"'): rise((0, 1, 60)),
           of_server("sidetone_ingest_reports_total", 'outcome="accepted"'): rise((0, 100, 60))}),
    Alert("SidetoneNoReports",
          "sum(rate(sidetone_ingest_reports_total[10m])) == 0 "
          "and sum(rate(sidetone_ingest_reports_total[10m] offset 1h)) > 0", "10m", "warning",
          "No client reports, and an hour ago some did", "A quiet night, or a proxy, a token or a certificate that "
          "ended.", "100m", {},
          {of_server("sidetone_ingest_reports_total", 'outcome="accepted"'): rise((0, 10, 60), (600, 0, 60))},
          {of_server("sidetone_ingest_reports_total", 'outcome="accepted"'): rise((0, 10, 120))}),
    Alert("SidetoneQualityBad",
          "sidetone:call_quality_score_60_or_less:ratio_rate1h > 0.2 "
          "and on () sidetone:calls_finished:increase1h >= 20", "15m",
          "warning", "More than one of five records of calls that ended within an hour scored 60 or less",
          "Each end of a call has a record. The board of calls shows why, and which.", "100m", {},
          {**buckets("sidetone_call_quality_score", "", [("60", 3), ("+Inf", 10)]),
           of_server("sidetone_call_quality_score_count"): rise((0, 10, 120)),
           of_server("sidetone_calls_finished_total", 'reason="hangup"'): rise((0, 10, 120))},
          # As bad, but of few calls.
          {**buckets("sidetone_call_quality_score", "", [("60", 0.1), ("+Inf", 0.2)]),
           of_server("sidetone_call_quality_score_count"): rise((0, 0.2, 120)),
           of_server("sidetone_calls_finished_total", 'reason="hangup"'): rise((0, 0.2, 120))}),
    Alert("SidetoneQualityFell",
          "(sidetone:call_quality_score:p50_1h < sidetone:call_quality_score:p50_1h offset 1d - 10) "
          "and on () sidetone:calls_finished:increase1h >= 20", "30m", "warning",
          "The median score is more than 10 points below yesterday's at this hour", "Of the records of calls that ended: "
          "each end of a call has one. The board of calls shows why, and which.", "28h", {},
          {**{of_server("sidetone_call_quality_score_bucket", f'le="{limit}"'): values for limit, values in [
              ("60", "0x144 0+5x60"), ("90", "0x144 0+10x60"), ("100", "0+10x144 1450+10x60"),
              ("+Inf", "0+10x144 1450+10x60")]},
           of_server("sidetone_calls_finished_total", 'reason="hangup"'): "0+10x240"},
          {**{of_server("sidetone_call_quality_score_bucket", f'le="{limit}"'): values for limit, values in [
              ("60", "0x240"), ("90", "0x240"), ("100", "0+10x240"), ("+Inf", "0+10x240")]},
           of_server("sidetone_calls_finished_total", 'reason="hangup"'): "0+10x240"}, every="10m"),
    Alert("SidetonePacketLoss", "sidetone:rtp_packets_lost:ratio_rate5m > 0.03", "10m", "warning",
          "More than 3 % of the packets of {{ $labels.kind }} are lost", "Of all calls together: a link or a relay, "
          "rather than one client.", "20m", {"kind": "audio"},
          {of_server("sidetone_rtp_packets_total", 'kind="audio"'): rise((0, 900, 30)),
           of_server("sidetone_rtp_packets_lost_total", 'kind="audio"'): rise((0, 100, 30))},
          {of_server("sidetone_rtp_packets_total", 'kind="audio"'): rise((0, 990, 30)),
           of_server("sidetone_rtp_packets_lost_total", 'kind="audio"'): rise((0, 10, 30))}),
    Alert("SidetoneCallsBreak",
          "sidetone:calls_broken:ratio_rate1h > 0.1 and on () sidetone:calls_finished:increase1h >= 20", "15m",
          "warning", "More than one of ten records of calls that ended within an hour broke",
          f"They ended as {BROKEN.replace('|', ', ')}; each end of a call has a record.", "100m", {},
          {of_server("sidetone_calls_finished_total", 'reason="lost"'): rise((0, 2, 120)),
           of_server("sidetone_calls_finished_total", 'reason="hangup"'): rise((0, 8, 120))},
          {of_server("sidetone_calls_finished_total", 'reason="busy"'): rise((0, 2, 120)),
           of_server("sidetone_calls_finished_total", 'reason="hangup"'): rise((0, 8, 120))}),
    Alert("SidetoneSlowConnect",
          "histogram_quantile(0.95, sum by (le) "
          '(rate(sidetone_call_setup_duration_seconds_bucket{phase="mediaSetup"}[1h]))) > 3 '
          "and on () sidetone:calls_finished:increase1h >= 20", "15m", "warning",
          "After the answer one of twenty waits longer than 3 s for the connection", "Nothing is heard until ICE is "
          "connected: look at STUN, TURN and firewalls.", "100m", {},
          {**buckets("sidetone_call_setup_duration_seconds", 'phase="mediaSetup",', [("1", 80), ("5", 100), ("+Inf", 100)]),
           of_server("sidetone_calls_finished_total", 'reason="hangup"'): rise((0, 100, 120))},
          {**buckets("sidetone_call_setup_duration_seconds", 'phase="mediaSetup",', [("1", 99), ("5", 100), ("+Inf", 100)]),
           of_server("sidetone_calls_finished_total", 'reason="hangup"'): rise((0, 100, 120))}),
    Alert("SidetoneCaptureDrops",
          'sum by (instance) (rate(sidetone_pcap_packets_total{outcome=~"kernel_dropped|interface_dropped"}[5m])) '
          "/ sum by (instance) (rate(sidetone_pcap_packets_total[5m])) > 0.001", "5m", "warning",
          "{{ $labels.instance }} does not see all packets", "What is missing then looks like loss in the reports of "
          "probes, which say so. A larger buffer or a filter: docs/operations.md, Capturing.", "15m", HERE,
          {of_server("sidetone_pcap_packets_total", 'outcome="rtp"'): rise((0, 1000, 20)),
           of_server("sidetone_pcap_packets_total", 'outcome="kernel_dropped"'): rise((0, 10, 20))},
          {of_server("sidetone_pcap_packets_total", 'outcome="rtp"'): rise((0, 1000, 20)),
           of_server("sidetone_pcap_packets_total", 'outcome="kernel_dropped"'): rise((0, 0, 20))}),
    Alert("SidetoneDescriptors",
          'process_open_fds{job="sidetone"} / process_max_fds{job="sidetone"} > 0.8', "10m", "warning",
          "{{ $labels.instance }} has used four fifths of its file descriptors", "Raise the limit (LimitNOFILE of the "
          "unit) above limits.connections.", "15m", SERVER,
          {of_server("process_open_fds"): "900x20", of_server("process_max_fds"): "1000x20"},
          {of_server("process_open_fds"): "100x20", of_server("process_max_fds"): "1000x20"}),
]


def rules():
    return {"groups": [
        {"name": "sidetone-recorded", "interval": "30s",
         "rules": [{"record": name, "expr": expression} for name, expression in RECORDED]},
        {"name": "sidetone-alerts", "rules": [alert.rule for alert in ALERTS]},
    ]}


def tests():
    """The cases by file: those that take days are evaluated less often, or they would take long."""
    every = {"sidetone.rules.test.yml": "1m", "sidetone.rules.days.test.yml": "10m"}
    return {file: {
        "rule_files": ["sidetone.rules.yml"], "evaluation_interval": interval,
        # Else they take turns as it comes, and an alert sees what was recorded before or after.
        "group_eval_order": ["sidetone-recorded", "sidetone-alerts"],
        "tests": [test for alert in ALERTS if alert.every == interval for test in alert.tests],
    } for file, interval in every.items()}
