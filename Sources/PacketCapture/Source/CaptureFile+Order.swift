import RTPMeter

extension CaptureFile {
    /// The files of a capture that was rotated, so that they can be read as one, one after the other.
    ///
    /// - Parameter paths: Of the files; a single one is not looked at, and may be ``standardInput``.
    /// - Returns: The paths in the order of the files' first frames; those without a frame come last.
    /// - Throws: ``CaptureError`` of the first file that cannot be opened.
    public static func inOrder(_ paths: [String]) throws(CaptureError) -> [String] {
        guard paths.count > 1 else { return paths }
        var found: [(path: String, first: ArrivalTime?)] = []
        for path in paths {
            var file = try CaptureFile(path: path)
            var first: ArrivalTime?
            _ = file.forEachFrame { _, _, time in
                first = time
                return .enough
            }
            found.append((path, first))
        }
        // Of files that begin at once the order stays as it was given: the sort is stable.
        return found.sorted { left, right in
            guard let leftTime = left.first else { return false }
            return right.first.map { leftTime < $0 } ?? true
        }.map(\.path)
    }
}
