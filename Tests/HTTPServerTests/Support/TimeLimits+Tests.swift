import HTTPServer

extension TimeLimits {
    /// Longer than any test takes.
    static let never = Duration.seconds(3600)
}

/// Limits of which none is ever met, but for what `change` sets.
func limits(_ change: (inout TimeLimits) -> Void) -> TimeLimits {
    var limits = TimeLimits()
    limits.header = TimeLimits.never
    limits.idle = TimeLimits.never
    limits.bodyGrace = TimeLimits.never
    limits.bodyStall = TimeLimits.never
    limits.write = TimeLimits.never
    limits.lingerIdle = TimeLimits.never
    limits.linger = TimeLimits.never
    change(&limits)
    return limits
}
