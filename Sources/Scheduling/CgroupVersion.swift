/// The two generations of control groups; a machine may have mounted both.
enum CgroupVersion: Equatable {
    case v1
    case v2
}
