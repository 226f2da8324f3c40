/// What can be set for listening to packets, beside the server or by `sidetone capture`.
extension Settings {
    static let captureInterface = Setting<String?>.text(
        SettingNames("capture.interface", flag: "--capture"), "Also capture on this interface; any stands for all.",
        expected: "the name of an interface, or any")
    static let captureFilter = Setting<String?>.text(
        "capture.filter", "Only packets that this expression lets through.", expected: "an expression of pcap-filter")
    static let captureUser = Setting<String?>.text(
        "capture.user", "Account to go on as once the capture is open.", expected: "the name of an account")
    static let captureObserver = Setting(
        "capture.observer", "Name of this sensor; records are NAME:caller and NAME:callee.",
        expected: "1 to 200 bytes", default: "wire", shown: ["wire"]
    ) { texts throws(SettingFault) in
        let name = texts.first ?? ""
        // Leaves room for `:caller`.
        guard (1...200).contains(name.utf8.count) else {
            throw SettingFault(found: "\(name.utf8.count) bytes long", expected: "1 to 200 bytes")
        }
        return name
    }
    static let captureBufferMib = Setting<Int>.whole(
        "capture.buffer-mib", "What the kernel buffers until it is read.", unit: "MiB",
        in: LiveOptionRules.bufferMebibytes, default: 16)
    static let captureSnapLength = Setting<Int>.whole(
        "capture.snap-length", "How much is kept of each packet; SIP is needed whole.", unit: "bytes",
        in: LiveOptionRules.snapLengths, default: 65_535)
    static let capturePromiscuous = Setting.yesOrNo(
        SettingNames("capture.promiscuous", flag: "--capture-no-promiscuous"),
        "Take packets between other machines, too.", default: true)
    static let captureImmediate = Setting.yesOrNo(
        "capture.immediate", "Take packets one by one as they come; costs much CPU.", default: false)
    static let captureSnapshotSeconds = Setting<Int>.whole(
        "capture.snapshot-seconds", "Time between two snapshots of a call.", unit: "seconds",
        in: LiveOptionRules.snapshotSeconds, default: 5)
    static let captureSummarySeconds = Setting<Int>.whole(
        "capture.summary-seconds", "Time between two summaries; 0 for none.", unit: "seconds",
        in: LiveOptionRules.summarySeconds, default: 10)

    // Of `sidetone capture` alone.

    static let capturePost = Setting<CollectorAddress?>(
        SettingNames("capture.post", flag: "--post"), "Where sidetone capture posts to; else it keeps a database.",
        expected: collectorWords, default: nil, shown: nil
    ) { texts throws(SettingFault) in
        let text = texts.first ?? ""
        guard let address = CollectorAddress(argument: text) else {
            throw SettingFault(found: "\"\(text.prefix(80))\"", expected: collectorWords)
        }
        return address
    }
    static let captureTokenFile = Setting<String?>.text(
        SettingNames("capture.token-file", flag: "--token-file"), "The file with the token for posting.",
        expected: "the path of a file")
    static let captureCAFile = Setting<String?>.text(
        SettingNames("capture.ca-file", flag: "--ca"), "Authorities to trust beside the machine's, in PEM.",
        expected: "the path of a file")
    static let captureFlushSeconds = Setting<Int>.whole(
        SettingNames("capture.flush-seconds", flag: "--flush-seconds"),
        "How long sidetone capture tries to deliver the rest.", unit: "seconds",
        in: LiveOptionRules.flushSeconds, default: 15)

    private static let collectorWords = "an address such as http://10.0.0.5:8080"

    static let capture: [any SettingRow] = [
        captureInterface, captureFilter, captureUser, captureObserver, captureBufferMib, captureSnapLength,
        capturePromiscuous, captureImmediate, captureSnapshotSeconds, captureSummarySeconds, capturePost,
        captureTokenFile, captureCAFile, captureFlushSeconds,
    ]
}
