//! Values over time.

use std::fmt::Write as _;

use maud::{Markup, html};

use super::{Frame, Scale, across, place};

/// A line with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// In the legend, and told to a pointer on it.
    pub name: String,
    /// Points from left to right: x and y.
    pub points: Vec<(f64, f64)>,
    /// Whether it has a colour and a place in the legend; others are in the background.
    pub marked: bool,
}

/// Colours that a style has for lines.
const COLOURS: usize = 8;

/// Lines over a common x axis that begins at 0. `x_label` writes its labels.
pub fn lines(
    title: &str,
    told: &str,
    x_name: &str,
    y_name: &str,
    lines: &[Line],
    x_label: impl Fn(f64) -> String,
) -> Markup {
    let points = || lines.iter().flat_map(|line| &line.points);
    let x = Scale::around([0.0].into_iter().chain(points().map(|(x, _)| *x)), 5);
    let y = Scale::around(points().map(|(_, y)| *y), 5);
    let frame = Frame {
        title,
        told,
        x_name,
        x_labels: x.ticks().into_iter().map(x_label).collect(),
        y_name,
        y_labels: y.labels(),
    };
    let path = |line: &Line| {
        let mut path = String::new();
        for (index, (at, value)) in line.points.iter().enumerate() {
            let step = if index == 0 { 'M' } else { 'L' };
            let _ = write!(path, "{step}{} {}", across(x.share(*at)), place(y.share(*value)));
        }
        path
    };
    let marked: Vec<&Line> = lines.iter().filter(|line| line.marked).collect();
    let colour = |index: usize| format!("line c{}", index % COLOURS);
    let picture = html! {
        @for line in lines.iter().filter(|line| !line.marked) {
            path class="line other" d=(path(line)) { title { (line.name) } }
        }
        @for (index, line) in marked.iter().enumerate() {
            path class=(colour(index)) d=(path(line)) { title { (line.name) } }
        }
    };
    let legend = html! {
        ul.legend {
            @for (index, line) in marked.iter().enumerate() {
                li {
                    svg viewBox="0 0 24 8" aria-hidden="true" { path class=(colour(index)) d="M0 4L24 4" {} }
                    (line.name)
                }
            }
            @if marked.len() < lines.len() { li.rest { "others in grey" } }
        }
    };
    frame.around(picture, (marked.len() > 1).then_some(legend))
}
