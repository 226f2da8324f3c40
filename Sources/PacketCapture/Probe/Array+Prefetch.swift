import CPcap

extension Array {
    /// Brings the first bytes of an element near the processor, for one who will soon ask for it.
    ///
    /// Unsafe for the address alone: nothing is read or written, and one beyond the array would do no harm.
    @inline(__always)
    func prefetch(_ index: Int, byteCount: Int) {
        unsafe withUnsafeBufferPointer { elements in
            guard let first = elements.baseAddress else { return }
            let element = unsafe UnsafeRawPointer(first + index)
            for offset in stride(from: 0, to: byteCount, by: cacheLineBytes) {
                unsafe capture_prefetch(element + offset)
            }
        }
    }
}

/// What processors fetch at once.
private let cacheLineBytes = 64
