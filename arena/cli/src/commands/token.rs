//! `arena token`: who may submit over the network.

use arena_core::Sha256Hex;
use serde_json::json;

use crate::agents;
use crate::args::{Format, TokenArgs};
use crate::failure::Failure;
use crate::output;
use crate::store::{Store, Token};
use crate::tokens;

pub(crate) fn run(args: &TokenArgs) -> Result<(), Failure> {
    match &args.author {
        None => list(args),
        Some(author) if args.revoke => revoke(args, author),
        Some(author) => make(args, author),
    }
}

fn make(args: &TokenArgs, author: &str) -> Result<(), Failure> {
    agents::check_author(author)?;
    let store = Store::open(&args.file)?;
    let token = tokens::random()?;
    let before = store.set_token(author, Sha256Hex::of(token.as_bytes()).0)?;
    if args.format == Format::Json {
        let replaced = before == Token::Replaced;
        return output::print_json(&format!("{}\n", json!({"author": author, "token": token, "replaced": replaced})));
    }
    let note = match before {
        Token::First | Token::Restored => "",
        Token::Replaced => "the token before is good for nothing any more\n",
    };
    output::print(&format!("{token}\n{note}it is shown this once: {author} submits with it, and it is kept nowhere\n"))
}

fn revoke(args: &TokenArgs, author: &str) -> Result<(), Failure> {
    let store = Store::open(&args.file)?;
    let shown = args.file.display();
    match store.revoke_token(author)? {
        Some(true) => output::print(&format!("{author} submits no more; agents that take part stay\n")),
        Some(false) => Err(Failure::failed(format!("the token of {author} is revoked already"))),
        None => {
            let authors = store.authors()?;
            let guess = arena_core::nearest(author, authors.iter().map(|author| author.name.as_str()));
            let guess = guess.map_or(String::new(), |guess| format!(" (did you mean `{guess}`?)"));
            Err(Failure::usage(format!("no author of {shown} is named `{author}`{guess}")))
        }
    }
}

fn list(args: &TokenArgs) -> Result<(), Failure> {
    let authors = Store::open_to_read(&args.file)?.authors()?;
    if args.format == Format::Json {
        let lines = authors.iter().map(|author| {
            let (created, submissions) = (&author.created, author.submissions);
            json!({"author": author.name, "may_submit": author.may_submit, "created": created, "submissions": submissions})
        });
        return output::print_json(&lines.map(|line| format!("{line}\n")).collect::<String>());
    }
    if authors.is_empty() {
        let shown = args.file.display();
        return output::print(&format!("nobody has a token yet: `arena token {shown} AUTHOR` makes one\n"));
    }
    let line = |author: &crate::store::Listed| {
        let what = if author.may_submit { "token of" } else { "revoked, token of" };
        format!("{}: {what} {}, {} submitted\n", author.name, author.created, author.submissions)
    };
    output::print(&authors.iter().map(line).collect::<String>())
}
