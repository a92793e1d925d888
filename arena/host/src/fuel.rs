//! What instructions cost.
//!
//! Owns the costs that differ from the engine's own: one unit an instruction, and one a byte or an
//! element of an instruction that has many. Refuses instructions that take long for their fuel: fuel
//! is the only clock, so the fuel of a decision must be spent within a second whatever it is spent on
//! (`tests/examples/bulk-cost.rs` measures it).

use wasmtime::OperatorCost;

/// A load from memory: one that no cache holds takes as long as hundreds of other instructions.
const LOAD: u8 = 10;
/// Rounding a number, which the baseline processor has no instruction for, so that a function is
/// called for every number of a vector.
const ROUND: u8 = 2;
const ROUND_2: u8 = 4;
const ROUND_4: u8 = 8;
/// What looks something up in the engine.
const LOOK_UP: u8 = 10;
/// A call: its function may be in no cache either.
const CALL: u8 = 4;
/// The same for the engine's fingerprint.
pub(crate) const COSTS: &str = "load 10, round 2 4 8, look-up 10, call 4";

/// The cost of every instruction.
pub(crate) fn costs() -> OperatorCost {
    let mut costs = OperatorCost::new();
    macro_rules! cost {
        ($cost:ident: $($instruction:ident)*) => { $(costs.$instruction = $cost;)* };
    }
    cost!(LOAD: I32Load I64Load F32Load F64Load I32Load8S I32Load8U I32Load16S I32Load16U);
    cost!(LOAD: I64Load8S I64Load8U I64Load16S I64Load16U I64Load32S I64Load32U);
    cost!(LOAD: V128Load V128Load8x8S V128Load8x8U V128Load16x4S V128Load16x4U V128Load32x2S V128Load32x2U);
    cost!(LOAD: V128Load8Splat V128Load16Splat V128Load32Splat V128Load64Splat V128Load32Zero V128Load64Zero);
    cost!(LOAD: V128Load8Lane V128Load16Lane V128Load32Lane V128Load64Lane);
    cost!(ROUND: F32Ceil F32Floor F32Trunc F32Nearest F64Ceil F64Floor F64Trunc F64Nearest);
    cost!(ROUND_2: F64x2Ceil F64x2Floor F64x2Trunc F64x2Nearest);
    cost!(ROUND_4: F32x4Ceil F32x4Floor F32x4Trunc F32x4Nearest);
    cost!(LOOK_UP: RefFunc MemoryGrow TableGrow TableInit ElemDrop DataDrop);
    cost!(CALL: Call CallIndirect);
    costs
}
