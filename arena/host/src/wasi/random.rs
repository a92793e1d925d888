//! Random numbers that are the same every time.
//!
//! Owns `wasi:random` and its stream: ChaCha8 under a key of the agent's seed and a label, so that
//! nothing here tells of the dice, and what an agent draws shifts nothing but what it draws next.
//! Refuses the machine's randomness.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use wasmtime::component::LinkerInstance;
use wasmtime::{Result, StoreContextMut};

use crate::imports::{BYTE, CALL, charge};
use crate::seat::Seat;

/// What follows the agent's seed in the key.
const KEY_LABEL: &[u8; 24] = b"farkle-arena wasi ver. 1";
/// Bytes that are given at one time: no agent has more memory to put them.
const MOST_BYTES: u64 = 64 << 20;

/// The stream of one seat. Secure or not, all that is drawn comes from it, in order.
pub(super) struct Random(ChaCha8Rng);

impl Random {
    /// The stream of an agent's seed; without one, outside a match and before `start`, a stream that
    /// is the same for everybody.
    pub(super) fn new(agent_seed: Option<u64>) -> Random {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&agent_seed.unwrap_or(0).to_le_bytes());
        key[8..].copy_from_slice(KEY_LABEL);
        let mut source = ChaCha8Rng::from_seed(key);
        source.set_stream(u64::from(agent_seed.is_none()));
        Random(source)
    }
}

pub(super) fn add_random(instance: &mut LinkerInstance<'_, Seat>) -> Result<()> {
    instance.func_wrap("get-random-bytes", bytes)?;
    instance.func_wrap("get-random-u64", number)
}

pub(super) fn add_insecure(instance: &mut LinkerInstance<'_, Seat>) -> Result<()> {
    instance.func_wrap("get-insecure-random-bytes", bytes)?;
    instance.func_wrap("get-insecure-random-u64", number)
}

pub(super) fn add_insecure_seed(instance: &mut LinkerInstance<'_, Seat>) -> Result<()> {
    instance.func_wrap("insecure-seed", |mut store: StoreContextMut<'_, Seat>, (): ()| {
        charge(&mut store, CALL)?;
        let Random(source) = &mut store.data_mut().wasi().random;
        Ok(((source.next_u64(), source.next_u64()),))
    })
}

fn bytes(mut store: StoreContextMut<'_, Seat>, (length,): (u64,)) -> Result<(Vec<u8>,)> {
    charge(&mut store, BYTE.saturating_mul(length).saturating_add(CALL))?;
    if length > MOST_BYTES {
        return Err(wasmtime::format_err!(
            "{length} random bytes are asked for at one time, and {MOST_BYTES} are the most"
        ));
    }
    let mut bytes = vec![0; length as usize];
    store.data_mut().wasi().random.0.fill_bytes(&mut bytes);
    Ok((bytes,))
}

fn number(mut store: StoreContextMut<'_, Seat>, (): ()) -> Result<(u64,)> {
    charge(&mut store, CALL)?;
    Ok((store.data_mut().wasi().random.0.next_u64(),))
}
