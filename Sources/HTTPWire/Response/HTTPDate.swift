/// The date format of header fields: IMF-fixdate (RFC 9110 section 5.6.7), as in `Sun, 06 Nov 1994 08:49:37 GMT`.
public enum HTTPDate {
    /// Writes a moment given in seconds since 1970-01-01 00:00:00 UTC, not before it.
    public static func format(secondsSinceEpoch seconds: Int) -> String {
        let days = seconds / 86_400
        let time = seconds % 86_400
        let date = civilDate(daysSinceEpoch: days)
        // The first of January 1970 was a Thursday.
        let weekday = weekdays[(days + 4) % 7]
        return "\(weekday), \(padded(date.day)) \(months[date.month - 1]) \(date.year) "
            + "\(padded(time / 3600)):\(padded(time / 60 % 60)):\(padded(time % 60)) GMT"
    }

    /// The Gregorian date of a day number, by counting in eras of 400 years that begin with March.
    private static func civilDate(daysSinceEpoch: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = daysSinceEpoch + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    private static func padded(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
