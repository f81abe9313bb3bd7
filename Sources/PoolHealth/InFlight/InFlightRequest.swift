/// A registered request. Whoever holds it may change its stage, one at a time; ``end()`` has to be called once.
public struct InFlightRequest: Sendable {
    private let register: InFlight
    /// `nil` when there was no slot free.
    private let slot: Int?
    private let generation: UInt64

    init(register: InFlight, slot: Int?, generation: UInt64) {
        self.register = register
        self.slot = slot
        self.generation = generation
    }

    /// Where the request is: one of the register's stages. Another name is ignored.
    public var stage: String {
        get {
            guard let slot, let stage = register.slots[slot].currentStage, stage < register.stages.count else {
                return register.stages[0]
            }
            return register.stages[stage]
        }
        nonmutating set {
            guard let slot, let index = register.stages.firstIndex(of: newValue) else { return }
            register.slots[slot].move(to: index, generation: generation)
        }
    }

    /// Takes the request out. A second call changes nothing.
    public func end() {
        guard let slot else { return }
        register.slots[slot].release(generation: generation)
    }
}
