pub mod dice;
pub mod seeds;
