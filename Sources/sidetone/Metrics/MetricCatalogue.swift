import PrometheusText

/// Every metric of `sidetone serve`, in the order in which they are shown. docs/operations.md has the same table, and a
/// test holds them against each other.
enum MetricCatalogue {
    static let all: [MetricDescription] = server + ingest + calls + live + store + shipping + capture + process

    private static let server = [
        MetricDescription(
            "sidetone_build_info", .gauge, labels: ["version", "rules", "store"],
            "What is running: its version, the version of its rules, and what it stores calls in; always 1."),
        MetricDescription(
            "sidetone_http_requests_total", .counter, labels: ["route", "method", "code"],
            "Requests answered, by template of the route, method and status code."),
        MetricDescription(
            "sidetone_http_request_duration_seconds", .histogram(durations), labels: ["route"],
            "Time from the head of a request until its answer was ready to be sent."),
    ]

    private static let ingest = [
        MetricDescription(
            "sidetone_ingest_reports_total", .counter, labels: ["outcome"],
            "Statistics reports of clients, by what became of them."),
        MetricDescription(
            "sidetone_ingest_wire_reports_total", .counter, labels: ["outcome"],
            "Snapshots by probes, by what became of them."),
        MetricDescription(
            "sidetone_ingest_events_total", .counter, labels: ["type", "outcome"],
            "Events, by what they say and by what became of them."),
        MetricDescription(
            "sidetone_ingest_samples_total", .counter, labels: ["kind", "dir"],
            "Intervals of streams that were derived from reports as they came."),
        MetricDescription(
            "sidetone_ingest_rejected_total", .counter, labels: ["reason"],
            "Bodies, and parts of bodies, that were not taken, by reason."),
        MetricDescription(
            "sidetone_ingest_bytes_in_flight", .gauge, "Bytes held of bodies that are being received and parsed."),
        MetricDescription(
            "sidetone_ingest_queue_submissions", .gauge, "Submissions that wait to be stored."),
        MetricDescription("sidetone_ingest_queue_facts", .gauge, "Facts of the submissions that wait to be stored."),
        MetricDescription(
            "sidetone_rtp_packets_total", .counter, labels: ["kind"],
            "RTP packets that clients and probes say were received."),
        MetricDescription(
            "sidetone_rtp_packets_lost_total", .counter, labels: ["kind"],
            "RTP packets that clients and probes say were lost on the way to them."),
        MetricDescription(
            "sidetone_rtp_jitter_seconds", .histogram([0.001, 0.0025, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5]),
            labels: ["kind"], "Jitter of received streams at the end of each interval (RFC 3550)."),
    ]

    private static let calls = [
        MetricDescription(
            "sidetone_calls_active", .gauge,
            "Calls that go on: heard of within 90 s and not ended; all observers of one count once."),
        MetricDescription(
            "sidetone_calls_finished_total", .counter, labels: ["reason"],
            "Records of calls that are over, by why they ended."),
        MetricDescription(
            "sidetone_call_quality_score", .histogram([20, 30, 40, 50, 60, 70, 80, 90, 95, 100]),
            "Scores (0 to 100) of calls when they were over."),
        MetricDescription(
            "sidetone_call_setup_duration_seconds", .histogram([0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20, 30, 60]),
            labels: ["phase"], "How long the phases of setting up calls took, of calls that are over."),
    ]

    private static let live = [
        MetricDescription(
            "sidetone_live_subscribers", .gauge, "Those who watch calls as they happen."),
        MetricDescription(
            "sidetone_live_events_total", .counter, labels: ["event"],
            "What happened to calls and was there to be watched, by what it was."),
        MetricDescription(
            "sidetone_live_subscribers_cut_total", .counter, "Those who were too slow, and were cut off."),
        MetricDescription(
            "sidetone_live_events_dropped_total", .counter,
            "Events for which there was no room; all who watched were cut off then."),
    ]

    private static let store = [
        MetricDescription(
            "sidetone_store_write_duration_seconds", .histogram(durations),
            "Time that a commit took until it was on the disk."),
        MetricDescription(
            "sidetone_store_errors_total", .counter, labels: ["operation"],
            "Times that the store could not do what it was asked for."),
        MetricDescription(
            "sidetone_store_damaged_records_total", .counter, labels: ["part"],
            "Records of which a part cannot be read, each once a part."),
        MetricDescription(
            "sidetone_store_bytes", .gauge, "Bytes that the database and its log take of the disk."),
        MetricDescription(
            "sidetone_refolds_total", .counter,
            "Records derived anew, because facts came late or because the rules are new."),
        MetricDescription(
            "sidetone_retention_deleted_calls_total", .counter, "Calls removed by the limits of number and age."),
    ]

    private static let shipping = [
        MetricDescription(
            "sidetone_spool_batches", .gauge, "Changes of records, and erasures, that wait to be shipped."),
        MetricDescription(
            "sidetone_spool_bytes", .gauge, "Bytes that the facts and rows of what waits take of the database, about."),
        MetricDescription(
            "sidetone_spool_oldest_age_seconds", .gauge, "For how long the oldest of what waits has waited."),
        MetricDescription(
            "sidetone_spool_records_set_aside", .gauge,
            "Records that the other store does not take, or that cannot be read here."),
        MetricDescription(
            "sidetone_spool_dropped_batches_total", .counter, "Changes that will not be shipped, given up to make room."
        ),
        MetricDescription("sidetone_shipped_records_total", .counter, "Records of which something was shipped."),
        MetricDescription("sidetone_shipped_erasures_total", .counter, "Erasures of calls that were shipped."),
        MetricDescription(
            "sidetone_ship_duration_seconds", .histogram(durations), "Time that a batch took to be shipped."),
        MetricDescription(
            "sidetone_ship_errors_total", .counter, labels: ["reason"],
            "Batches that could not be shipped, and records that were set aside, by reason."),
        MetricDescription(
            "sidetone_merged_calls_total", .counter,
            "Calls that were put together from what several servers shipped; with their sessions one."),
        MetricDescription(
            "sidetone_merge_errors_total", .counter, labels: ["reason"],
            "Calls that could not be put together, and passes that the store did not let end, by reason."),
        MetricDescription(
            "sidetone_merge_duration_seconds", .histogram(durations),
            "Time that a pass took which puts calls together."),
        MetricDescription(
            "sidetone_merge_evicted_calls_total", .counter,
            "Calls removed from the database that is shipped to, by its limits of number and age."),
    ]

    private static let capture = [
        MetricDescription(
            "sidetone_pcap_packets_total", .counter, labels: ["outcome"],
            "Packets captured, by what they were taken for; and those dropped before they could be read."),
        MetricDescription("sidetone_pcap_streams_active", .gauge, "RTP streams being metered on the wire."),
        MetricDescription("sidetone_pcap_calls_active", .gauge, "Calls going on on the wire."),
    ]

    private static let process = [
        MetricDescription("process_cpu_seconds_total", .counter, "User and system CPU time spent in seconds."),
        MetricDescription("process_resident_memory_bytes", .gauge, "Resident memory size in bytes."),
        MetricDescription("process_virtual_memory_bytes", .gauge, "Virtual memory size in bytes."),
        MetricDescription("process_open_fds", .gauge, "Number of open file descriptors."),
        MetricDescription("process_max_fds", .gauge, "Maximum number of open file descriptors."),
        MetricDescription("process_threads", .gauge, "Number of threads."),
        MetricDescription(
            "process_start_time_seconds", .gauge, "Start time of the process since unix epoch in seconds."),
    ]

    private static let durations = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
}
