/// How a stored picture has to be turned to be seen upright: the values of the EXIF tag 0x0112.
///
/// Named after what is done to the stored picture.
public enum Orientation: Int, CaseIterable, Sendable {
    /// Stored as it is seen.
    case upright = 1
    /// Left and right are exchanged.
    case mirrored = 2
    /// Turned by half a turn.
    case turned = 3
    /// Top and bottom are exchanged.
    case flipped = 4
    /// Rows become columns (mirrored at the main diagonal).
    case transposed = 5
    /// Turned clockwise by a quarter turn.
    case turnedRight = 6
    /// Mirrored at the other diagonal.
    case transversed = 7
    /// Turned counter-clockwise by a quarter turn.
    case turnedLeft = 8

    /// Whether stored rows are seen as columns.
    var swapsAxes: Bool { rawValue >= 5 }

    /// Whether the first stored column is seen last along its axis.
    var reversesColumns: Bool {
        switch self {
        case .mirrored, .turned, .transversed, .turnedLeft: true
        case .upright, .flipped, .transposed, .turnedRight: false
        }
    }

    /// Whether the first stored row is seen last along its axis.
    var reversesRows: Bool {
        switch self {
        case .turned, .flipped, .turnedRight, .transversed: true
        case .upright, .mirrored, .transposed, .turnedLeft: false
        }
    }
}
