import CallModel
import CallReport

/// Why a report could not be given.
enum ReportError: Error, Hashable {
    /// The database has no such call of the tenant; it holds so many records of the tenant's, some of which have the name
    /// in theirs.
    case noSuchCall(String, tenant: TenantID, database: String, records: Int, like: [String])
    /// It was there, and was removed by retention or on demand.
    case removedCall(String, database: String)
    /// The call is there, but not seen by this observer, or not tried so often; these are there.
    case noSuchRecord(String, records: [String])
    /// Several records are meant, where one can be compared; an option names one of them.
    case ambiguousRecord(String, records: [String], option: String)
    /// One call alone was named, and it was not seen from two ends.
    case notTwoRecords(String, records: [String])
    /// A record was to be compared with itself.
    case sameRecord(String, call: String)
    /// The capture file has no such call; it has so many.
    case noSuchCallInCapture(String, file: String, calls: Int)
    /// What was read is no capture, for the reason given, and only captures can be read so.
    case notACapture(String, CaptureLimit)
    /// The file is no capture, and nothing that statistics are written in; what it is instead.
    case unrecognised(file: String, reason: String)
    /// Nothing in the file could be read as statistics; the first thing that was wrong.
    case nothingReadable(file: String, reason: String)
}

/// What can be done with captures alone, and not with files of statistics.
enum CaptureLimit: Hashable {
    case severalFiles, standardInput, filter

    /// What to do with statistics instead.
    var advice: String {
        switch self {
        case .severalFiles: "only captures are read several at a time; put files of statistics into one (cat)"
        case .standardInput: "only captures are read from the standard input; give the path of a file of statistics"
        case .filter: "--filter is for captures alone; leave it out for statistics"
        }
    }
}

extension ReportError: CustomStringConvertible {
    /// Ids come from strangers.
    var description: String { words.printable }

    private var words: String {
        switch self {
        case .noSuchCall(let call, let tenant, let database, let records, let like):
            "no call \(call) in \(database), which holds \(Self.holding(records, of: tenant, like: like))"
        case .removedCall(let call, let database):
            "call \(call) was removed from \(database), by retention or on demand"
        case .noSuchRecord(let call, let records):
            "call \(call) has no such record; it has \(records.joined(separator: ", "))"
        case .ambiguousRecord(let call, let records, let option):
            "call \(call) has several records: \(records.joined(separator: ", ")); name one with \(option) or --observer"
        case .notTwoRecords(let call, let records):
            "call \(call) has \(records.joined(separator: ", ")), not two ends to compare; name another call, or an attempt"
        case .sameRecord(let record, let call):
            "both are the same record, \(record) of call \(call); name another call, observer or attempt"
        case .noSuchCallInCapture(let call, let file, let calls):
            "no call \(call) in \(file), which has \(calls) call\(calls == 1 ? "" : "s"); `statsreport \(file)` lists them"
        case .notACapture(let reason, let limit):
            "\(reason); \(limit.advice)"
        case .unrecognised(let file, let reason):
            "nothing in \(file) can be read, as a capture (pcap, pcapng) or as statistics: \(reason)"
        case .nothingReadable(let file, let reason):
            "nothing in \(file) can be read: \(reason)"
        }
    }

    /// What there is of a tenant, and how to come by it.
    private static func holding(_ records: Int, of tenant: TenantID, like: [String]) -> String {
        guard records > 0 else { return "none of tenant \(tenant.rawValue); --tenant names another" }
        let isDefault = tenant == .default
        let option = isDefault ? "" : " --tenant \(tenant.rawValue)"
        let hint =
            like.isEmpty ? "`statsreport list\(option)` lists them" : "did you mean \(like.joined(separator: " or "))?"
        return "\(records) record\(records == 1 ? "" : "s")\(isDefault ? "" : " of tenant \(tenant.rawValue)"); \(hint)"
    }
}
