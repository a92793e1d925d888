//! Pictures: lines, bars, intervals.
//!
//! Owns how they are drawn, as SVG that stretches with the page and takes its colours from the page's style.
//! Refuses text within what stretches: labels are beside it, at the size of other text.

mod bars;
mod lines;
mod scale;

pub use bars::{Bar, bars};
pub use lines::{Line, lines};
pub use scale::Scale;

use maud::{Markup, html};

/// What is around a picture: its title, labels of both axes.
pub(crate) struct Frame<'a> {
    pub(crate) title: &'a str,
    /// What a reader who does not see it is told.
    pub(crate) told: &'a str,
    pub(crate) x_name: &'a str,
    /// From left to right, evenly spaced.
    pub(crate) x_labels: Vec<String>,
    pub(crate) y_name: &'a str,
    /// From the bottom up, evenly spaced.
    pub(crate) y_labels: Vec<String>,
}

impl Frame<'_> {
    pub(crate) fn around(&self, picture: Markup, legend: Option<Markup>) -> Markup {
        html! {
            figure.plot {
                figcaption { (self.title) }
                @if let Some(legend) = legend { (legend) }
                div.grid {
                    div.y-axis aria-hidden="true" {
                        @for label in self.y_labels.iter().rev() { span { (label) } }
                    }
                    svg viewBox="0 0 1000 1000" preserveAspectRatio="none" role="img" aria-label=(self.told) {
                        @let steps = self.y_labels.len().saturating_sub(1).max(1);
                        @for step in 0..=steps {
                            @let y = place(step as f64 / steps as f64);
                            line.rule x1="0" x2="1000" y1=(y) y2=(y) {}
                        }
                        (picture)
                    }
                    div.x-axis aria-hidden="true" {
                        @for label in &self.x_labels { span { (label) } }
                    }
                }
                p.axes { (self.x_name) " (across), " (self.y_name) " (up)" }
            }
        }
    }
}

/// A share of the height, from the bottom, as a coordinate.
pub(crate) fn place(share: f64) -> String {
    across(1.0 - share)
}

/// A share of the width as a coordinate.
pub(crate) fn across(share: f64) -> String {
    let place = (share.clamp(0.0, 1.0) * 10_000.0).round() / 10.0;
    format!("{place}")
}
