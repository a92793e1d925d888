//! The grammar of the commands around a served tournament.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Format;

#[derive(Args)]
pub(crate) struct ServeArgs {
    /// The tournament file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Where to listen: an address and a port, 0 for any that is free
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080", value_parser = address)]
    pub(crate) bind: SocketAddr,
    /// A further name that the server is reached by, as behind a proxy; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Vec<String>,
    /// Matches played at one time
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=128))]
    pub(crate) jobs: u16,
    /// Play nothing: show what others play
    #[arg(long, conflicts_with = "jobs")]
    pub(crate) no_play: bool,
    /// Agents of one author that may take part at one time
    #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) agents: u16,
    /// For whom dice are shown that nobody has seen: who is submitted later plays others
    #[arg(long, value_enum, value_name = "WHOM", default_value = "everybody")]
    pub(crate) new_dice_for: DiceFor,
    /// Take the address of who asks from the last entry of X-Forwarded-For: for a server that is
    /// reached through one proxy alone, which sets it
    #[arg(long)]
    pub(crate) behind_proxy: bool,
}

/// For whom matches are played again whose dice nobody has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiceFor {
    /// Everybody
    Everybody,
    /// Those who have a token
    Authors,
}

#[derive(Args)]
pub(crate) struct TokenArgs {
    /// The tournament file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Who gets a token, instead of the one before; without AUTHOR all are listed
    #[arg(value_name = "AUTHOR")]
    pub(crate) author: Option<String>,
    /// Make the author's token good for nothing
    #[arg(long, requires = "author")]
    pub(crate) revoke: bool,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

/// `127.0.0.1:8080`, `localhost:8080`, `8080`.
fn address(text: &str) -> Result<SocketAddr, String> {
    let port = text.strip_prefix("localhost:").unwrap_or(text);
    match port.parse::<u16>() {
        Ok(port) => Ok(SocketAddr::from(([127, 0, 0, 1], port))),
        Err(_) => text.parse().map_err(|_| "an address with its port, as in 127.0.0.1:8080, or a port".to_owned()),
    }
}
