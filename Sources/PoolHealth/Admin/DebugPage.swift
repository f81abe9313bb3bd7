/// The page at `/debug/`: one file, no outside script, style or picture.
enum DebugPage {
    static let html = Array("<!doctype html><title>pool health</title>".utf8)
}
