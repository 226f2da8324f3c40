/// What can be fuzzed, by the name that `Scripts/fuzz` uses.
enum FuzzTarget: String, CaseIterable {
    case frames, rtp, meter, rtcp, sdp, sip
    case sipOverTCP = "sip-tcp"
    case probe
    case json, stats, events, wire
    case imported = "import"
    case literals
    case rowBinary = "row-binary"

    /// Gives the code under test an input.
    func run(_ input: RawSpan) {
        switch self {
        case .frames: fuzzFrames(input)
        case .rtp: fuzzRTP(input)
        case .meter: fuzzMeter(input)
        case .rtcp: fuzzRTCP(input)
        case .sdp: fuzzSDP(input)
        case .sip: fuzzSIP(input)
        case .sipOverTCP: fuzzSIPOverTCP(input)
        case .probe: fuzzProbe(input)
        case .json: fuzzJSON(input)
        case .stats: fuzzStats(input)
        case .events: fuzzEvents(input)
        case .wire: fuzzWire(input)
        case .imported: fuzzImport(input)
        case .literals: fuzzLiterals(input)
        case .rowBinary: fuzzRowBinary(input)
        }
    }

    /// The target that `--target=NAME` names; libFuzzer leaves arguments that begin with two dashes to us.
    static let chosen: FuzzTarget = {
        let names = CommandLine.arguments.compactMap { $0.hasPrefix("--target=") ? String($0.dropFirst(9)) : nil }
        guard let target = names.last.flatMap(FuzzTarget.init(rawValue:)) else {
            let known = allCases.map(\.rawValue).joined(separator: ", ")
            fatalError("--target= must name one of \(known)")
        }
        return target
    }()
}

/// What libFuzzer calls with every input it makes up.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzTarget.chosen.run(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count).bytes)
    return 0
}

/// Ends the run, and saves the input, when what must hold does not. Says why in release builds too.
@inline(__always)
func require(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { fatalError("does not hold: \(what())") }
}
