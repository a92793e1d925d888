//! The terminal while it is drawn on.
//!
//! Owns taking it over and giving it back: at the end, on an error, on a panic, on a signal. Refuses to leave
//! it as no shell expects it.

use std::io::{self, Stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::{Frame, Terminal};

use crate::failure::Failure;

/// The terminal, taken over until this is dropped.
pub(super) struct Taken {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    _back: GivesBack,
}

/// Gives the terminal back once, whoever comes first.
struct GivesBack(Arc<AtomicBool>);

impl Taken {
    pub(super) fn new(stop: &Stop) -> io::Result<Taken> {
        let is_taken = stop.is_taken.clone();
        is_taken.store(true, Ordering::SeqCst);
        let back = GivesBack(is_taken.clone());
        // A panic is told where it can be read.
        let tell = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            give_back(&is_taken);
            tell(panic);
        }));
        enable_raw_mode()?;
        execute!(io::stdout(), EnterAlternateScreen)?;
        Ok(Taken { terminal: Terminal::new(CrosstermBackend::new(io::stdout()))?, _back: back })
    }

    pub(super) fn draw(&mut self, draw: impl FnOnce(&mut Frame)) -> io::Result<()> {
        self.terminal.draw(draw).map(|_| ())
    }
}

impl Drop for GivesBack {
    fn drop(&mut self) {
        give_back(&self.0);
    }
}

/// Where the terminal is gone, there is nobody to tell.
fn give_back(is_taken: &AtomicBool) {
    if is_taken.swap(false, Ordering::SeqCst) {
        let _ = disable_raw_mode();
        let _ = execute!(io::stdout(), LeaveAlternateScreen, Show);
    }
}

/// How long a program that is to end may take to do so by itself.
const GRACE: Duration = Duration::from_secs(1);

/// What a signal and the loop of keys and screen share.
#[derive(Clone)]
pub(super) struct Stop {
    is_stopped: Arc<AtomicBool>,
    is_taken: Arc<AtomicBool>,
}

impl Stop {
    /// Whether somebody stopped the program.
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::SeqCst)
    }
}

/// Whether an error says that the terminal was closed: EIO, which has this number on Linux, macOS and the BSDs.
pub(super) fn is_gone(error: &io::Error) -> bool {
    cfg!(unix) && error.raw_os_error() == Some(5)
}

/// Listens to signals that end a program. (Ctrl-C is a key here.)
pub(super) fn listen() -> io::Result<Stop> {
    let stop = Stop { is_stopped: Arc::default(), is_taken: Arc::default() };
    let heard = stop.clone();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    // Before the terminal is taken over: from then on no signal may end the program at once.
    let signal = {
        let _inside = runtime.enter();
        signal()?
    };
    std::thread::Builder::new().spawn(move || {
        runtime.block_on(signal);
        heard.is_stopped.store(true, Ordering::SeqCst);
        std::thread::sleep(GRACE);
        // Reading from a terminal that is gone never comes back (crossterm 0.29).
        give_back(&heard.is_taken);
        std::process::exit(Failure::Stopped(anyhow::Error::msg("stopped")).code().into());
    })?;
    Ok(stop)
}

/// Waits for a signal that ends programs, which no longer does so by itself.
#[cfg(unix)]
fn signal() -> io::Result<impl Future<Output = ()> + Send> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut hung_up = signal(SignalKind::hangup())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = hung_up.recv() => {}
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Waits for the signal that ends programs.
#[cfg(not(unix))]
fn signal() -> io::Result<impl Future<Output = ()> + Send> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
