//! From values to places.
//!
//! Owns round ends and steps of axes. Refuses values that are no numbers: they are at the lower end.

/// An axis whose ends are round numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
    step: f64,
}

impl Scale {
    /// Around values, with about so many steps of 1, 2 or 5 times a power of ten.
    ///
    /// ```
    /// use arena_site::charts::Scale;
    /// let scale = Scale::around([1312.0, 1650.0].into_iter(), 4);
    /// assert_eq!(scale.labels(), ["1300", "1400", "1500", "1600", "1700"]);
    /// assert_eq!(scale.share(1400.0), 0.25);
    /// ```
    pub fn around(values: impl Iterator<Item = f64>, steps: u32) -> Scale {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| value.is_finite()) {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        let span = if high > low { high - low } else { 1.0 };
        let raw = span / f64::from(steps.max(1));
        let power = 10f64.powf(raw.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|step| *step >= raw * 0.999);
        let step = step.unwrap_or(power * 10.0);
        let low = (low / step).floor() * step;
        let high = ((high / step).ceil() * step).max(low + step);
        Scale { low, high, step }
    }

    /// Where a value is between the ends, 0 to 1.
    pub fn share(&self, value: f64) -> f64 {
        if value.is_nan() { 0.0 } else { ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0) }
    }

    /// The values that are labelled, from the lower end to the upper.
    pub fn ticks(&self) -> Vec<f64> {
        let steps = ((self.high - self.low) / self.step).round() as usize;
        (0..=steps).map(|step| self.low + step as f64 * self.step).collect()
    }

    /// Their labels.
    pub fn labels(&self) -> Vec<String> {
        let digits = (-self.step.log10().floor()).max(0.0) as usize;
        self.ticks().into_iter().map(|tick| format!("{:.digits$}", if tick == 0.0 { 0.0 } else { tick })).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_round_and_hold_every_value() {
        let mut random = 3u64;
        let mut draw = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 40) as f64 / f64::from(1 << 24)
        };
        for _ in 0..1_000 {
            let size = 10f64.powf(draw() * 8.0 - 3.0);
            let values = [(draw() - 0.5) * size, (draw() - 0.5) * size];
            let scale = Scale::around(values.into_iter(), 5);
            assert!(values.iter().all(|v| *v >= scale.low && *v <= scale.high), "{values:?} {scale:?}");
            let ticks = scale.ticks();
            assert!((2..=8).contains(&ticks.len()), "{values:?} {ticks:?}");
            let mantissa = scale.step / 10f64.powf(scale.step.log10().floor());
            assert!([1.0, 2.0, 5.0, 10.0].iter().any(|m| (mantissa - m).abs() < 1e-6), "{scale:?}");
            let labels = scale.labels();
            assert!((1..labels.len()).all(|i| labels[i] != labels[i - 1]), "{labels:?}");
        }
    }

    #[test]
    fn nothing_and_one_value_have_an_axis_too() {
        assert_eq!(Scale::around(std::iter::empty(), 4).ticks().first(), Some(&0.0));
        let one = Scale::around([1500.0, f64::NAN].into_iter(), 4);
        assert!(one.share(1500.0) >= 0.0 && one.ticks().len() >= 2);
        assert_eq!(one.share(f64::NAN), 0.0);
    }
}
