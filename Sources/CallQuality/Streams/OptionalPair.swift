/// Both values, or `nil` when one is missing.
func zip<A, B>(_ left: A?, _ right: B?) -> (A, B)? {
    guard let left, let right else { return nil }
    return (left, right)
}
