//! A network that nobody may use.
//!
//! Owns `wasi:sockets`: every socket and every look-up of a name is denied, and what would need a
//! socket traps.

use wasmtime::component::{LinkerInstance, Resource};
use wasmtime::{Result, StoreContextMut};

use super::shapes::{AddressFamily, SocketError};
use super::{add_absent, add_held};
use crate::imports::{BYTE, CALL, charge};
use crate::seat::Seat;

struct Network;
struct TcpSocket;
struct UdpSocket;
struct IncomingDatagramStream;
struct OutgoingDatagramStream;
struct ResolveAddressStream;

pub(super) fn add_network(instance: &mut LinkerInstance<'_, Seat>) -> Result<()> {
    add_held::<Network>(instance, "network")
}

pub(super) fn add_instance_network(instance: &mut LinkerInstance<'_, Seat>) -> Result<()> {
    instance.func_wrap("instance-network", |mut store: StoreContextMut<'_, Seat>, (): ()| {
        charge(&mut store, CALL)?;
        Ok((store.data_mut().wasi().hold(Network)?,))
    })
}

pub(super) fn add_ip_name_lookup(instance: &mut LinkerInstance<'_, Seat>) -> Result<()> {
    add_absent::<ResolveAddressStream>(instance, "resolve-address-stream")?;
    instance.func_wrap(
        "resolve-addresses",
        |mut store: StoreContextMut<'_, Seat>, (_, name): (Resource<Network>, String)| {
            charge(&mut store, CALL + BYTE * name.len() as u64)?;
            Ok((Err::<Resource<ResolveAddressStream>, _>(SocketError::AccessDenied),))
        },
    )
}

pub(super) fn add_tcp(instance: &mut LinkerInstance<'_, Seat>) -> Result<()> {
    add_absent::<TcpSocket>(instance, "tcp-socket")
}

pub(super) fn add_tcp_create_socket(instance: &mut LinkerInstance<'_, Seat>) -> Result<()> {
    instance.func_wrap("create-tcp-socket", denied::<TcpSocket>)
}

pub(super) fn add_udp(instance: &mut LinkerInstance<'_, Seat>) -> Result<()> {
    add_absent::<UdpSocket>(instance, "udp-socket")?;
    add_absent::<IncomingDatagramStream>(instance, "incoming-datagram-stream")?;
    add_absent::<OutgoingDatagramStream>(instance, "outgoing-datagram-stream")
}

pub(super) fn add_udp_create_socket(instance: &mut LinkerInstance<'_, Seat>) -> Result<()> {
    instance.func_wrap("create-udp-socket", denied::<UdpSocket>)
}

fn denied<T: 'static>(
    mut store: StoreContextMut<'_, Seat>,
    (_,): (AddressFamily,),
) -> Result<(std::result::Result<Resource<T>, SocketError>,)> {
    charge(&mut store, CALL)?;
    Ok((Err(SocketError::AccessDenied),))
}
