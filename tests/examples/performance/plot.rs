//! The figures of growth as a picture.

use plotters::prelude::*;

use crate::growth::Series;
use crate::program::Failed;

const SIZE: (u32, u32) = (960, 560);

/// Above, decisions a second; below, memory; a column for everything that grows. Both axes are
/// logarithmic but for memory's.
pub(crate) fn draw(growth: &[Series]) -> Result<String, Failed> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let cells = area.split_evenly((2, growth.len()));
        let (above, below) = cells.split_at(growth.len());
        let most = |of: &dyn Fn(&crate::growth::Point) -> f64| {
            growth.iter().flat_map(|series| series.points.iter().map(of)).fold(0.0, f64::max)
        };
        let (speed, memory) = (most(&|p| p.decisions_per_second / 1e6), most(&|p| p.peak_bytes as f64 / 1e6));
        for (place, series) in growth.iter().enumerate() {
            let speeds = series.points.iter().map(|p| (f64::from(p.at), p.decisions_per_second / 1e6)).collect();
            chart(&above[place], &format!("{}: million decisions/s", series.what), speeds, speed, &BLUE)?;
            let memories = series.points.iter().map(|p| (f64::from(p.at), p.peak_bytes as f64 / 1e6)).collect();
            chart(&below[place], &format!("{}: peak memory, MB", series.what), memories, memory, &RED)?;
        }
        area.present()?;
    }
    Ok(svg)
}

fn chart(
    area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
    caption: &str,
    points: Vec<(f64, f64)>,
    most: f64,
    colour: &RGBColor,
) -> Result<(), Failed> {
    let (first, last) = (points.first().map_or(1.0, |p| p.0), points.last().map_or(2.0, |p| p.0));
    let mut chart = ChartBuilder::on(area)
        .caption(caption, ("sans-serif", 14))
        .margin(8)
        .x_label_area_size(28)
        .y_label_area_size(44)
        .build_cartesian_2d((first * 0.9..last * 1.1).log_scale(), 0.0..most * 1.1)?;
    chart.configure_mesh().disable_x_mesh().x_label_formatter(&|x| format!("{x:.0}")).draw()?;
    chart.draw_series(LineSeries::new(points.clone(), colour))?;
    chart.draw_series(points.iter().map(|point| Circle::new(*point, 3, colour.filled())))?;
    Ok(())
}
