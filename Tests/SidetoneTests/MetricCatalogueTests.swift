import Collector
import CollectorServer
import Foundation
import PrometheusText
import TestSupport
import Testing

@testable import sidetone

/// The metrics that are described, those that are metered, and those that the operator reads about.
@Suite struct MetricCatalogueTests {
    @Test func `what is metered is described, and of what does not happen by route everything is shown from the start`()
    {
        let metrics = ServeMetrics(database: #filePath, sensor: nil)
        let text = metrics.registry.text
        #expect(metrics.registry.problems == [])
        let late = ["sidetone_http_requests_total", "sidetone_http_request_duration_seconds"]
        for description in MetricCatalogue.all where !description.name.hasPrefix("sidetone_pcap_") {
            let isShown = text.contains("# TYPE \(description.name) \(description.type)\n")
            #expect(isShown != late.contains(description.name), "\(description.name)")
        }
    }

    @Test func `names say the unit, as Prometheus has it`() {
        for description in MetricCatalogue.all {
            let name = description.name
            #expect(name.hasPrefix("sidetone_") || name.hasPrefix("process_"), "\(name)")
            #expect((description.kind == .counter) == name.hasSuffix("_total"), "\(name)")
            #expect(description.help.hasSuffix("."), "\(name)")
        }
        let names = MetricCatalogue.all.map(\.name)
        #expect(Set(names).count == names.count)
    }

    @Test func `every metric stands in docs-operations with its labels`() throws {
        let path = SharedData.packageRoot.appending(path: "docs/operations.md")
        let text = try String(contentsOf: path, encoding: .utf8)
        for description in MetricCatalogue.all where description.name.hasPrefix("sidetone_") {
            let name = String(description.name.dropFirst("sidetone_".count))
            let labels = description.labels.isEmpty ? "" : "{\(description.labels.joined(separator: ","))}"
            #expect(text.contains("| `\(name)\(labels)` | \(description.type) |"), "\(name)\(labels)")
        }
    }
}
