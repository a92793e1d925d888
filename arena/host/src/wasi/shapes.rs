//! Shapes of WASI's values.
//!
//! Owns the types that have no shape in Rust already, as the WASI 0.2 interfaces define them: the
//! engine compares them with what a component imports.

// Derived, and so not free of unsafe code.
#![allow(unsafe_code)]

use wasmtime::component::{ComponentType, Lift, Lower, Resource};

/// `wasi:io/error` `error`: what went wrong with a stream. Nothing does, so there is none.
pub(super) struct IoError;

/// `wasi:io/streams` `stream-error`.
#[derive(ComponentType, Lower)]
#[component(variant)]
pub(super) enum StreamError {
    #[component(name = "last-operation-failed")]
    #[expect(dead_code, reason = "part of the shape")]
    LastOperationFailed(Resource<IoError>),
    #[component(name = "closed")]
    Closed,
}

/// `wasi:clocks/wall-clock` `datetime`: since 1970, UTC.
#[derive(ComponentType, Lower, Clone, Copy, Debug, PartialEq, Eq)]
#[component(record)]
pub(super) struct Datetime {
    pub(super) seconds: u64,
    pub(super) nanoseconds: u32,
}

/// `wasi:sockets/network` `ip-address-family`.
#[derive(ComponentType, Lift, Clone, Copy)]
#[component(enum)]
#[repr(u8)]
#[expect(dead_code, reason = "part of the shape")]
pub(super) enum AddressFamily {
    #[component(name = "ipv4")]
    V4,
    #[component(name = "ipv6")]
    V6,
}

/// `wasi:sockets/network` `error-code`.
#[derive(ComponentType, Lower, Clone, Copy)]
#[component(enum)]
#[repr(u8)]
#[expect(dead_code, reason = "part of the shape")]
pub(super) enum SocketError {
    #[component(name = "unknown")]
    Unknown,
    #[component(name = "access-denied")]
    AccessDenied,
    #[component(name = "not-supported")]
    NotSupported,
    #[component(name = "invalid-argument")]
    InvalidArgument,
    #[component(name = "out-of-memory")]
    OutOfMemory,
    #[component(name = "timeout")]
    Timeout,
    #[component(name = "concurrency-conflict")]
    ConcurrencyConflict,
    #[component(name = "not-in-progress")]
    NotInProgress,
    #[component(name = "would-block")]
    WouldBlock,
    #[component(name = "invalid-state")]
    InvalidState,
    #[component(name = "new-socket-limit")]
    NewSocketLimit,
    #[component(name = "address-not-bindable")]
    AddressNotBindable,
    #[component(name = "address-in-use")]
    AddressInUse,
    #[component(name = "remote-unreachable")]
    RemoteUnreachable,
    #[component(name = "connection-refused")]
    ConnectionRefused,
    #[component(name = "connection-reset")]
    ConnectionReset,
    #[component(name = "connection-aborted")]
    ConnectionAborted,
    #[component(name = "datagram-too-large")]
    DatagramTooLarge,
    #[component(name = "name-unresolvable")]
    NameUnresolvable,
    #[component(name = "temporary-resolver-failure")]
    TemporaryResolverFailure,
    #[component(name = "permanent-resolver-failure")]
    PermanentResolverFailure,
}
