/// What befell a stream, and between which of its ``PathPoint``s; `nil` for the sender, where no point stands for it.
enum PathFinding: Hashable {
    /// So many percent were lost between two points.
    case lost(percent: Double, from: Int?, to: Int)
    /// So many percent are missing at a probe and reached the receiver.
    case unrecorded(percent: Double, at: Int)
    /// Nothing passed for so long from one point to the next.
    case cutOff(seconds: Double, from: Int, to: Int)
    /// Nothing that was sent ever passed from one point to the next.
    case neverArrived(from: Int, to: Int)
    /// Something in between passes on only part of it, without a gap in the numbers: no loss.
    case forwardedInPart(percent: Double, from: Int, to: Int)
    /// Jitter grew between two points, by so many ms.
    case jitter(milliseconds: Double, from: Int?, to: Int)
    /// So many percent came too late for the receiver's buffer.
    case late(percent: Double, at: Int)
    /// So many percent were thrown away in the receiver, with pictures that it dropped.
    case discarded(percent: Double, at: Int)
    /// The receiver made up so many percent that it was not short of.
    case concealedWithoutLoss(percent: Double, at: Int)
}
