//! `arena serve`: a tournament file on the web.

use crate::args::ServeArgs;
use crate::failure::Failure;
use crate::web;

pub(crate) fn run(args: &ServeArgs) -> Result<(), Failure> {
    web::run(args)
}
