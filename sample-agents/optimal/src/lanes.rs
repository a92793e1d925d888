//! Four numbers at once.
//!
//! Owns the arithmetic of the sweep, for the machine that agents run on: written with its own vector
//! instructions, since the compiler finds them in loops only here and there, and a turn takes half as much
//! fuel again. Natively, for tests, loops. Both give the same numbers. Refuses to know what they mean.

/// How many.
pub(crate) const LANES: usize = 4;

#[cfg(target_arch = "wasm32")]
mod arithmetic {
    use core::arch::wasm32::{f32x4, f32x4_add, f32x4_extract_lane, f32x4_mul, f32x4_pmax, i32x4_shuffle, v128};

    #[derive(Clone, Copy)]
    pub(crate) struct Lanes(v128);

    impl Lanes {
        #[inline(always)]
        pub(crate) fn new([a, b, c, d]: [f32; 4]) -> Lanes {
            Lanes(f32x4(a, b, c, d))
        }

        #[inline(always)]
        pub(crate) fn all(number: f32) -> Lanes {
            Lanes(f32x4(number, number, number, number))
        }

        #[inline(always)]
        pub(crate) fn first(self) -> f32 {
            f32x4_extract_lane::<0>(self.0)
        }

        #[inline(always)]
        pub(crate) fn and_on(self, next: Lanes) -> [Lanes; 4] {
            let (now, next) = (self.0, next.0);
            [
                self,
                Lanes(i32x4_shuffle::<1, 2, 3, 4>(now, next)),
                Lanes(i32x4_shuffle::<2, 3, 4, 5>(now, next)),
                Lanes(i32x4_shuffle::<3, 4, 5, 6>(now, next)),
            ]
        }

        #[inline(always)]
        pub(crate) fn or(self, other: Lanes) -> Lanes {
            Lanes(f32x4_pmax(self.0, other.0))
        }

        #[inline(always)]
        pub(crate) fn plus(self, other: Lanes) -> Lanes {
            Lanes(f32x4_add(self.0, other.0))
        }

        #[inline(always)]
        pub(crate) fn times(self, chance: f32) -> Lanes {
            Lanes(f32x4_mul(self.0, Lanes::all(chance).0))
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod arithmetic {
    #[derive(Clone, Copy)]
    pub(crate) struct Lanes([f32; 4]);

    impl Lanes {
        #[inline(always)]
        pub(crate) fn new(numbers: [f32; 4]) -> Lanes {
            Lanes(numbers)
        }

        #[inline(always)]
        pub(crate) fn all(number: f32) -> Lanes {
            Lanes([number; 4])
        }

        #[inline(always)]
        pub(crate) fn first(self) -> f32 {
            self.0[0]
        }

        /// These, and those that begin at the second, third and fourth of these and go on with the next.
        #[inline(always)]
        pub(crate) fn and_on(self, next: Lanes) -> [Lanes; 4] {
            let ([_, b, c, d], [e, f, g, _]) = (self.0, next.0);
            [self, Lanes([b, c, d, e]), Lanes([c, d, e, f]), Lanes([d, e, f, g])]
        }

        /// The larger ones.
        #[inline(always)]
        pub(crate) fn or(self, other: Lanes) -> Lanes {
            self.with(other, |a, b| if a < b { b } else { a })
        }

        #[inline(always)]
        pub(crate) fn plus(self, other: Lanes) -> Lanes {
            self.with(other, |a, b| a + b)
        }

        #[inline(always)]
        pub(crate) fn times(self, chance: f32) -> Lanes {
            self.with(self, |a, _| a * chance)
        }

        #[inline(always)]
        fn with(self, other: Lanes, combine: impl Fn(f32, f32) -> f32) -> Lanes {
            Lanes([0, 1, 2, 3].map(|lane| combine(self.0[lane], other.0[lane])))
        }
    }
}

pub(crate) use arithmetic::Lanes;
