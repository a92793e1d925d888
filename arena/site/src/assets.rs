//! The files beside the pages.
//!
//! Owns what they are. Refuses to change them: they are compiled in.

/// A file that pages refer to.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Its path below the site: `assets/style.css`.
    pub path: &'static str,
    /// Its media type.
    pub media_type: &'static str,
    /// What is in it.
    pub text: &'static str,
    /// Whether only live pages need it.
    pub live: bool,
}

const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";

/// All of them.
pub const ASSETS: [Asset; 5] = [
    Asset { path: "assets/style.css", media_type: CSS, text: include_str!("../assets/style.css"), live: false },
    Asset { path: "assets/replay.js", media_type: JS, text: include_str!("../assets/replay.js"), live: false },
    Asset { path: "assets/live.js", media_type: JS, text: include_str!("../assets/live.js"), live: true },
    Asset { path: "assets/submit.js", media_type: JS, text: include_str!("../assets/submit.js"), live: true },
    Asset {
        path: "assets/icon.svg",
        media_type: "image/svg+xml",
        text: include_str!("../assets/icon.svg"),
        live: false,
    },
];
