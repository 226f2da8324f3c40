import CPcap

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension PcapHandle {
    /// Opens and starts a capture on an interface, in nonblocking mode.
    static func live(interface: String, options: LiveOptions) throws(CaptureError) -> PcapHandle {
        var words = Self.errorBuffer
        guard let pcap = unsafe pcap_create(interface, &words) else {
            throw .captureFailed(interface: interface, reason: Self.text(words))
        }
        let handle = unsafe PcapHandle(owning: pcap)
        unsafe pcap_set_snaplen(pcap, Int32(clamping: options.snapLength))
        unsafe pcap_set_promisc(pcap, options.isPromiscuous ? 1 : 0)
        unsafe pcap_set_timeout(pcap, Int32(clamping: options.timeoutMilliseconds))
        unsafe pcap_set_immediate_mode(pcap, options.isImmediate ? 1 : 0)
        unsafe pcap_set_buffer_size(pcap, Int32(clamping: options.bufferBytes))
        unsafe pcap_set_tstamp_precision(pcap, PCAP_TSTAMP_PRECISION_NANO)
        let status = unsafe pcap_activate(pcap)
        // Positive values are warnings: "any" cannot be promiscuous, and that is no reason not to listen.
        guard status >= 0 else { throw handle.activationError(status, interface: interface) }
        guard unsafe pcap_setnonblock(pcap, 1, &words) == 0 else {
            throw .captureFailed(interface: interface, reason: Self.text(words))
        }
        return handle
    }

    private func activationError(_ status: Int32, interface: String) -> CaptureError {
        switch status {
        case PCAP_ERROR_NO_SUCH_DEVICE:
            return .noSuchInterface(name: interface, available: Self.interfaceNames())
        case PCAP_ERROR_PERM_DENIED, PCAP_ERROR_PROMISC_PERM_DENIED:
            return .permissionDenied(interface: interface)
        case PCAP_ERROR_IFACE_NOT_UP:
            return .interfaceDown(name: interface)
        default:
            let words = lastError
            let reason = words.isEmpty ? unsafe String(cString: pcap_statustostr(status)) : words
            return .captureFailed(interface: interface, reason: reason)
        }
    }

    /// Waits until the descriptor of the capture is readable.
    func wait(milliseconds: Int) -> Bool {
        guard let descriptor else { return true }
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&request, 1, Int32(clamping: milliseconds)) > 0
    }

    /// The interfaces libpcap can open; those that are up first, as libpcap orders them.
    static func interfaceNames() -> [String] {
        var first: UnsafeMutablePointer<pcap_if_t>?
        var words = errorBuffer
        guard unsafe pcap_findalldevs(&first, &words) == 0 else { return [] }
        defer { unsafe pcap_freealldevs(first) }
        var names: [String] = []
        var next = unsafe first
        while let device = unsafe next {
            if let name = unsafe device.pointee.name { names.append(unsafe String(cString: name)) }
            unsafe next = device.pointee.next
        }
        return names
    }
}
