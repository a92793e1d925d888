//! `arena submit`: a component enters a tournament.

use crate::agents;
use crate::args::SubmitArgs;
use crate::entrance::{self, Candidate, Terms};
use crate::failure::Failure;
use crate::loader::Loader;
use crate::store::{By, Store};
use crate::{output, remote};

pub(crate) fn run(args: &SubmitArgs) -> Result<(), Failure> {
    let (name, path) = agents::name_and_path(&args.agent)?;
    let name = args.name.clone().unwrap_or(name);
    agents::check_name(&name)?;
    if remote::is_address(&args.to) {
        if args.author.is_some() {
            return Err(Failure::usage("--author is for a tournament file: a server knows the author by the token"));
        }
        let bytes = agents::read(&path)?;
        return output::print(&remote::submit(&args.to, &name, &bytes, args.token_file.as_deref())?);
    }
    if args.token_file.is_some() {
        return Err(Failure::usage("--token-file is for a server: --to http://HOST:PORT"));
    }
    if let Some(author) = &args.author {
        agents::check_author(author)?;
    }
    remote::check_no_scheme_forgotten(&args.to)?;
    let mut store = Store::open(&args.to)?;
    let terms = Terms::of(&store.settings()?);
    let bytes = agents::read(&path)?;
    let candidate = Candidate { name: &name, by: By::Organiser(args.author.as_deref()), bytes: &bytes };
    entrance::may_come(&store, &candidate)?;
    let agent = agents::load(&Loader::new(terms.wasi())?, name.clone(), &path, &bytes)?;
    let examined = entrance::examine(&agent, &path, &terms)?;
    output::print(&entrance::enter(&mut store, &candidate, &examined)?)
}
