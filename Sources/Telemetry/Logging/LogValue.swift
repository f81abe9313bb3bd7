/// A field's value in a log line.
public enum LogValue: Sendable, Equatable {
    /// Any text, also a client's: whatever it holds, the line stays one line without control characters.
    case string(String)
    /// A whole number.
    case integer(Int)
    /// A number. JSON has no infinity and no not-a-number: those become the strings "+Inf", "-Inf" and "NaN".
    case double(Double)
    /// True or false.
    case bool(Bool)
    /// Several texts.
    case strings([String])

    /// A duration in milliseconds, with three decimals at most.
    public static func milliseconds(_ duration: Duration) -> LogValue {
        .double((duration / .microseconds(1)).rounded() / 1000)
    }
}

extension LogValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral
{
    /// The text itself.
    public init(stringLiteral value: String) { self = .string(value) }
    /// The number itself.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// The number itself.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// The truth value itself.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// The texts themselves.
    public init(arrayLiteral elements: String...) { self = .strings(elements) }
}
