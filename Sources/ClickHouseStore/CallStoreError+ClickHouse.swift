import CallModel

extension CallStoreError {
    /// What an error of ClickHouse means to a caller of the store.
    init(_ error: ClickHouseError) {
        self =
            switch error.kind {
            case .retry: .unavailable(.unreachable, detail: error.description)
            case .poison: .refused(error.description)
            case .operator: .misconfigured(error.description)
            }
    }
}
