//! Counts, side by side.

use maud::{Markup, html};

use super::{Frame, Scale, across, place};

/// A bar and what it stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Below it; may be empty.
    pub label: String,
    /// How high it is.
    pub value: f64,
    /// What a pointer on it is told.
    pub told: String,
}

/// Bars from the left to the right.
pub fn bars(title: &str, told: &str, x_name: &str, y_name: &str, bars: &[Bar]) -> Markup {
    let scale = Scale::around([0.0].into_iter().chain(bars.iter().map(|bar| bar.value)), 4);
    let frame = Frame {
        title,
        told,
        x_name,
        x_labels: bars.iter().map(|bar| bar.label.clone()).collect(),
        y_name,
        y_labels: scale.labels(),
    };
    let width = 1.0 / bars.len().max(1) as f64;
    let picture = html! {
        @for (index, bar) in bars.iter().enumerate() {
            @let height = scale.share(bar.value);
            rect.bar x=(across((index as f64 + 0.08) * width)) y=(place(height)) width=(across(width * 0.84))
                height=(across(height)) {
                title { (bar.told) }
            }
        }
    };
    html! { div.bars { (frame.around(picture, None)) } }
}
