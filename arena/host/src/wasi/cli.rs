//! A command line without arguments, an environment without variables, an input at its end.
//!
//! Owns `wasi:cli`. Refuses to end anything but the agent that calls `exit`: that is a fault.

use wasmtime::component::{LinkerInstance, Resource};
use wasmtime::{Result, StoreContextMut};

use super::io::{InputStream, OutputStream};
use super::{Channel, add_absent};
use crate::imports::{CALL, charge};
use crate::seat::Seat;

struct TerminalInput;
struct TerminalOutput;

pub(super) fn add_environment(instance: &mut LinkerInstance<'_, Seat>) -> Result<()> {
    instance.func_wrap("get-environment", |mut store: StoreContextMut<'_, Seat>, (): ()| {
        charge(&mut store, CALL)?;
        Ok((Vec::<(String, String)>::new(),))
    })?;
    instance.func_wrap("get-arguments", |mut store: StoreContextMut<'_, Seat>, (): ()| {
        charge(&mut store, CALL)?;
        Ok((Vec::<String>::new(),))
    })?;
    instance.func_wrap("initial-cwd", |mut store: StoreContextMut<'_, Seat>, (): ()| {
        charge(&mut store, CALL)?;
        Ok((None::<String>,))
    })
}

pub(super) fn add_exit(instance: &mut LinkerInstance<'_, Seat>) -> Result<()> {
    instance.func_wrap("exit", |_: StoreContextMut<'_, Seat>, (status,): (std::result::Result<(), ()>,)| {
        let status = if status.is_ok() { "success" } else { "failure" };
        Err::<(), _>(wasmtime::format_err!("the agent called exit with {status}"))
    })?;
    instance.func_wrap("exit-with-code", |_: StoreContextMut<'_, Seat>, (code,): (u8,)| {
        Err::<(), _>(wasmtime::format_err!("the agent called exit with code {code}"))
    })
}

pub(super) fn add_stdin(instance: &mut LinkerInstance<'_, Seat>) -> Result<()> {
    instance.func_wrap("get-stdin", |mut store: StoreContextMut<'_, Seat>, (): ()| {
        charge(&mut store, CALL)?;
        Ok((store.data_mut().wasi().hold(InputStream)?,))
    })
}

pub(super) fn add_stdout(instance: &mut LinkerInstance<'_, Seat>) -> Result<()> {
    instance.func_wrap("get-stdout", |store: StoreContextMut<'_, Seat>, (): ()| output(store, Channel::Stdout))
}

pub(super) fn add_stderr(instance: &mut LinkerInstance<'_, Seat>) -> Result<()> {
    instance.func_wrap("get-stderr", |store: StoreContextMut<'_, Seat>, (): ()| output(store, Channel::Stderr))
}

fn output(mut store: StoreContextMut<'_, Seat>, channel: Channel) -> Result<(Resource<OutputStream>,)> {
    charge(&mut store, CALL)?;
    Ok((store.data_mut().wasi().hold(OutputStream(channel))?,))
}

pub(super) fn add_terminal_input(instance: &mut LinkerInstance<'_, Seat>) -> Result<()> {
    add_absent::<TerminalInput>(instance, "terminal-input")
}

pub(super) fn add_terminal_output(instance: &mut LinkerInstance<'_, Seat>) -> Result<()> {
    add_absent::<TerminalOutput>(instance, "terminal-output")
}

pub(super) fn add_terminal_stdin(instance: &mut LinkerInstance<'_, Seat>) -> Result<()> {
    instance.func_wrap("get-terminal-stdin", no_terminal::<TerminalInput>)
}

pub(super) fn add_terminal_stdout(instance: &mut LinkerInstance<'_, Seat>) -> Result<()> {
    instance.func_wrap("get-terminal-stdout", no_terminal::<TerminalOutput>)
}

pub(super) fn add_terminal_stderr(instance: &mut LinkerInstance<'_, Seat>) -> Result<()> {
    instance.func_wrap("get-terminal-stderr", no_terminal::<TerminalOutput>)
}

fn no_terminal<T: 'static>(mut store: StoreContextMut<'_, Seat>, (): ()) -> Result<(Option<Resource<T>>,)> {
    charge(&mut store, CALL)?;
    Ok((None,))
}
