/// Elements in blocks of fixed size, addressed by a number that stays theirs until they are removed.
///
/// Grows by a block at a time, so that a large table never has to be copied, and gives places back for reuse.
struct ChunkedStore<Element> {
    private var chunks: [[Element]] = []
    private var free: [Int] = []
    /// How many elements there are.
    private(set) var count = 0

    private static var shift: Int { 7 }
    private static var mask: Int { (1 << shift) - 1 }

    /// The element at a place that ``insert(_:)`` gave out.
    subscript(place: Int) -> Element {
        // Written into who reads, who then takes the one member that he wants of an element, which is large; by itself it would
        // copy all of it.
        @inline(__always)
        _read { yield chunks[place >> Self.shift][place & Self.mask] }
        _modify { yield &chunks[place >> Self.shift][place & Self.mask] }
    }

    /// Brings the first bytes of an element near, for one who will soon ask for it.
    @inline(__always)
    func prefetch(_ place: Int, byteCount: Int) {
        chunks[place >> Self.shift].prefetch(place & Self.mask, byteCount: byteCount)
    }

    /// Every place ever given out, in order; what was removed is still there as its blank.
    var places: Range<Int> { 0..<chunks.reduce(0) { $0 + $1.count } }

    /// Takes in an element.
    /// - Returns: its place.
    mutating func insert(_ element: Element) -> Int {
        count += 1
        if let place = free.popLast() {
            self[place] = element
            return place
        }
        if chunks.last.map({ $0.count > Self.mask }) ?? true {
            chunks.append([])
            chunks[chunks.count - 1].reserveCapacity(Self.mask + 1)
        }
        chunks[chunks.count - 1].append(element)
        return (chunks.count - 1) << Self.shift + chunks[chunks.count - 1].count - 1
    }

    /// Gives the place of an element back; `blank` takes it, so that nothing the element held stays alive.
    mutating func remove(at place: Int, leaving blank: Element) {
        self[place] = blank
        free.append(place)
        count -= 1
    }
}
