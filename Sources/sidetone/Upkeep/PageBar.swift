import CallReport
import StandardStreams

/// Shows on a terminal how far a copy is.
///
/// A class, for the closure that is told of pages keeps it.
final class PageBar {
    private var bar: ProgressBar?

    /// Takes in how many pages are done, of how many.
    func advance(_ done: Int, _ total: Int) {
        guard Terminal.hasStandardError else { return }
        var bar = self.bar ?? ProgressBar(total: total)
        if let drawn = bar.advance(to: done) { Terminal.tell(drawn) }
        self.bar = bar
    }

    /// Takes the bar away.
    func erase() {
        if bar != nil { Terminal.tell(ProgressBar.erasure) }
    }
}
