extension Endpoint {
    /// Whether its port is that of a service whose packets look like RTP by chance: they begin with a random number, as
    /// those of DNS (53), TFTP (69), NetBIOS (137 to 139) and IKE (500) do, or with that of a transaction (RPC, 111), or are
    /// very many (DHCP, NTP, SNMP, syslog, RIP). No media go there.
    ///
    /// Others below 1024 are as good for media as any: a server that is to be reached through firewalls takes 443.
    var isOfService: Bool {
        switch port {
        case 0, 53, 67...69, 111, 123, 137...139, 161...162, 500, 514, 520: true
        default: false
        }
    }
}
