import Foundation
import PrometheusText

/// What the database takes of the disk.
enum StoreFigures {
    /// - Parameter path: the database file; its log lies beside it.
    /// - Returns: the size of the file and of its log; nothing while there is no file.
    static func read(_ path: String) -> [MetricRegistry.Observation] {
        let sizes = [path, path + "-wal"].compactMap { file -> Int? in
            (try? FileManager.default.attributesOfItem(atPath: file))?[.size] as? Int
        }
        return sizes.isEmpty ? [] : [.init("sidetone_store_bytes", value: Double(sizes.reduce(0, +)))]
    }
}
