import Foundation
import TestSupport

/// A capture of one of our own recordings, taken at one end, and the log of the router in the middle.
struct OwnCapture: Hashable, CustomStringConvertible, Sendable {
    /// Path below the shared data.
    var capture: String
    /// Path of the router's log below the shared data.
    var log: String
    /// At which end it was taken: A calls B.
    var end: Character

    var url: URL { SharedData.url(capture) }
    var description: String { capture }

    /// Every capture beside which a log of the router lies; empty without the shared data.
    static let all: [OwnCapture] = (calls + sip).sorted { $0.capture < $1.capture }

    private static var calls: [OwnCapture] {
        list("calls").flatMap { call in
            list("calls/\(call)").compactMap { name in
                guard name.hasPrefix("A.pcap") || name.hasPrefix("B.pcap"), let end = name.first else { return nil }
                return OwnCapture(capture: "calls/\(call)/\(name)", log: "calls/\(call)/wire.csv.gz", end: end)
            }
        }
    }

    private static var sip: [OwnCapture] {
        list("sip").compactMap { name in
            for (part, end) in [(".caller.pcap", Character("A")), (".callee.pcap", "B")] {
                guard let range = name.range(of: part) else { continue }
                return OwnCapture(
                    capture: "sip/\(name)", log: "sip/\(name[..<range.lowerBound]).wire.csv.gz", end: end)
            }
            return nil
        }
    }

    private static func list(_ directory: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: SharedData.url(directory).path)) ?? []
    }
}
