//! Streams that end at once or become notes, and moments that have come.
//!
//! Owns `wasi:io`. Refuses to wait: whatever is polled is ready, and the clock of the seat moves to
//! where it would have been.

use wasmtime::component::{LinkerInstance, Resource};
use wasmtime::{Result, StoreContextMut};

use super::shapes::{IoError, StreamError};
use super::{Channel, add_absent, add_held};
use crate::imports::{BYTE, CALL, EVENT, charge};
use crate::seat::Seat;

/// Bytes that an output stream says it takes at one time.
const WRITE_BYTES: u64 = 64 << 10;

/// A moment, in nanoseconds of the seat's clock. That of a stream is 0.
#[derive(Clone, Copy)]
pub(super) struct Pollable {
    pub(super) when: u64,
}

/// stdin: at its end.
pub(super) struct InputStream;

/// stdout or stderr.
pub(super) struct OutputStream(pub(super) Channel);

type Streamed<T> = std::result::Result<T, StreamError>;

pub(super) fn add_error(instance: &mut LinkerInstance<'_, Seat>) -> Result<()> {
    add_absent::<IoError>(instance, "error")
}

pub(super) fn add_poll(instance: &mut LinkerInstance<'_, Seat>) -> Result<()> {
    add_held::<Pollable>(instance, "pollable")?;
    instance.func_wrap("[method]pollable.ready", |store: StoreContextMut<'_, Seat>, (pollable,)| {
        poll(store, &[pollable])?;
        Ok((true,))
    })?;
    instance.func_wrap("[method]pollable.block", |store: StoreContextMut<'_, Seat>, (pollable,)| {
        poll(store, &[pollable])
    })?;
    instance.func_wrap("poll", |store: StoreContextMut<'_, Seat>, (pollables,): (Vec<Resource<Pollable>>,)| {
        if pollables.is_empty() {
            return Err(wasmtime::format_err!("`poll` is called with nothing to wait for"));
        }
        poll(store, &pollables)?;
        Ok(((0..pollables.len() as u32).collect::<Vec<_>>(),))
    })
}

/// Makes the moments of all of them come.
fn poll(mut store: StoreContextMut<'_, Seat>, pollables: &[Resource<Pollable>]) -> Result<()> {
    charge(&mut store, CALL + EVENT * pollables.len() as u64)?;
    let wasi = store.data_mut().wasi();
    for pollable in pollables {
        wasi.clock.reach(*wasi.handles.get(pollable)?);
    }
    Ok(())
}

pub(super) fn add_streams(instance: &mut LinkerInstance<'_, Seat>) -> Result<()> {
    add_held::<InputStream>(instance, "input-stream")?;
    add_held::<OutputStream>(instance, "output-stream")?;
    for name in ["[method]input-stream.read", "[method]input-stream.blocking-read"] {
        instance.func_wrap(name, |mut store: StoreContextMut<'_, Seat>, _: (Resource<InputStream>, u64)| {
            charge(&mut store, CALL)?;
            Ok((Streamed::<Vec<u8>>::Err(StreamError::Closed),))
        })?;
    }
    for name in ["[method]input-stream.skip", "[method]input-stream.blocking-skip"] {
        instance.func_wrap(name, |mut store: StoreContextMut<'_, Seat>, _: (Resource<InputStream>, u64)| {
            charge(&mut store, CALL)?;
            Ok((Streamed::<u64>::Err(StreamError::Closed),))
        })?;
    }
    instance.func_wrap("[method]input-stream.subscribe", subscribe::<InputStream>)?;
    instance.func_wrap("[method]output-stream.subscribe", subscribe::<OutputStream>)?;
    instance.func_wrap(
        "[method]output-stream.check-write",
        |mut store: StoreContextMut<'_, Seat>, _: (Resource<OutputStream>,)| {
            charge(&mut store, CALL)?;
            Ok((Streamed::Ok(WRITE_BYTES),))
        },
    )?;
    for name in ["[method]output-stream.write", "[method]output-stream.blocking-write-and-flush"] {
        instance.func_wrap(name, |store: StoreContextMut<'_, Seat>, (stream, bytes): (_, Vec<u8>)| {
            write(store, &stream, &bytes)
        })?;
    }
    for name in ["[method]output-stream.write-zeroes", "[method]output-stream.blocking-write-zeroes-and-flush"] {
        instance.func_wrap(name, |store: StoreContextMut<'_, Seat>, (stream, length): (_, u64)| {
            if length > WRITE_BYTES {
                return Err(wasmtime::format_err!(
                    "{length} zeroes are written at one time, and {WRITE_BYTES} are the most"
                ));
            }
            write(store, &stream, &vec![0; length as usize])
        })?;
    }
    for name in ["[method]output-stream.flush", "[method]output-stream.blocking-flush"] {
        instance.func_wrap(name, |mut store: StoreContextMut<'_, Seat>, _: (Resource<OutputStream>,)| {
            charge(&mut store, CALL)?;
            Ok((Streamed::Ok(()),))
        })?;
    }
    for name in ["[method]output-stream.splice", "[method]output-stream.blocking-splice"] {
        instance.func_wrap(
            name,
            |mut store: StoreContextMut<'_, Seat>, _: (Resource<OutputStream>, Resource<InputStream>, u64)| {
                charge(&mut store, CALL)?;
                Ok((Streamed::<u64>::Err(StreamError::Closed),))
            },
        )?;
    }
    Ok(())
}

fn subscribe<T: 'static>(mut store: StoreContextMut<'_, Seat>, _: (Resource<T>,)) -> Result<(Resource<Pollable>,)> {
    charge(&mut store, CALL)?;
    Ok((store.data_mut().wasi().hold(Pollable { when: 0 })?,))
}

fn write(
    mut store: StoreContextMut<'_, Seat>,
    stream: &Resource<OutputStream>,
    bytes: &[u8],
) -> Result<(Streamed<()>,)> {
    // A line is kept by itself, however short it is.
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
    charge(&mut store, CALL + BYTE * bytes.len() as u64 + EVENT * lines)?;
    let seat = store.data_mut();
    let OutputStream(channel) = *seat.wasi().handles.get(stream)?;
    seat.print(channel, bytes);
    Ok((Ok(()),))
}
