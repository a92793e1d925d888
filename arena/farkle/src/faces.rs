//! A multiset of dice: how many dice show each face.
//!
//! Owns the one representation that rolls, keeps and selections share. Refuses more than six
//! dice; dice have no order and no identity, two dice showing a 5 are the same dice.

use core::fmt;

/// The most dice that any ruleset rolls at once.
pub const MAX_DICE: u8 = 6;

/// How many multisets of zero to six dice there are: the length of a table indexed by
/// [`Faces::index`].
pub const FACES_COUNT: usize = 924;

/// A multiset of at most six dice, by face.
///
/// Packed: the number of dice showing face `f` (1 to 6) stands in bits `4(f-1)` to `4(f-1)+3`.
///
/// ```
/// use farkle::Faces;
/// let roll: Faces = "113346".parse()?;
/// assert_eq!(roll.len(), 6);
/// assert_eq!(roll.count(1), 2);
/// assert!(roll.contains("14".parse()?));
/// assert_eq!(roll.to_string(), "113346");
/// # Ok::<(), farkle::FacesError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Faces(u32);

/// Why something is not a multiset of at most six dice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FacesError {
    /// More dice than a table has.
    #[error("{0} dice, of at most 6")]
    TooMany(u32),
    /// Something that is no face of a die.
    #[error("`{0}` is not a face of a die: faces are 1 to 6")]
    NotAFace(char),
}

impl Faces {
    /// No dice.
    pub const NONE: Faces = Faces(0);

    /// From the number of dice showing 1, 2, 3, 4, 5 and 6.
    ///
    /// # Errors
    ///
    /// [`FacesError::TooMany`] when the counts add up to more than six.
    ///
    /// ```
    /// use farkle::Faces;
    /// assert_eq!(Faces::from_counts([3, 0, 0, 0, 1, 0])?.to_string(), "1115");
    /// assert!(Faces::from_counts([255; 6]).is_err());
    /// # Ok::<(), farkle::FacesError>(())
    /// ```
    pub const fn from_counts(counts: [u8; 6]) -> Result<Faces, FacesError> {
        let mut total = 0u32;
        let mut packed = 0u32;
        let mut face = 0;
        while face < 6 {
            total += counts[face] as u32;
            packed |= ((counts[face] & 15) as u32) << (4 * face);
            face += 1;
        }
        if total > MAX_DICE as u32 { Err(FacesError::TooMany(total)) } else { Ok(Faces(packed)) }
    }

    /// From the packed form, for callers that make it themselves from valid dice (the dice of a
    /// match do). The counts must add up to at most six; this is checked in debug builds only.
    #[inline]
    pub const fn from_packed(packed: u32) -> Faces {
        let faces = Faces(packed);
        debug_assert!(packed < 1 << 24 && faces.prefix_sums() >> 20 <= 6);
        faces
    }

    /// From what is the packed form of dice only if a test that follows says so.
    #[inline]
    pub(crate) const fn unchecked(packed: u32) -> Faces {
        Faces(packed)
    }

    /// The packed form.
    #[inline]
    pub const fn packed(self) -> u32 {
        self.0
    }

    /// From single dice in any order.
    ///
    /// # Errors
    ///
    /// [`FacesError`] for more than six dice or a value outside 1 to 6.
    pub fn from_dice(dice: &[u8]) -> Result<Faces, FacesError> {
        if dice.len() > MAX_DICE as usize {
            return Err(FacesError::TooMany(dice.len() as u32));
        }
        let mut packed = 0;
        for &die in dice {
            if !(1..=6).contains(&die) {
                return Err(FacesError::NotAFace(char::from_digit(die.into(), 36).unwrap_or('?')));
            }
            packed += 1 << (4 * (die - 1));
        }
        Ok(Faces(packed))
    }

    /// `n` dice (at most six) all showing `face`.
    #[inline]
    pub(crate) const fn of(face: usize, n: u8) -> Faces {
        Faces((n as u32) << (4 * (face - 1)))
    }

    /// How many dice show 1, 2, 3, 4, 5 and 6.
    #[inline]
    pub const fn counts(self) -> [u8; 6] {
        let mut counts = [0; 6];
        let mut face = 0;
        while face < 6 {
            counts[face] = (self.0 >> (4 * face) & 15) as u8;
            face += 1;
        }
        counts
    }

    /// How many dice show `face` (1 to 6); none show any other number.
    #[inline]
    pub const fn count(self, face: u8) -> u8 {
        if face == 0 || face > 6 { 0 } else { (self.0 >> (4 * (face - 1)) & 15) as u8 }
    }

    /// How many dice there are.
    #[inline]
    pub const fn len(self) -> u8 {
        (self.prefix_sums() >> 20) as u8
    }

    /// Whether there is no die.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether every die of `part` is among these.
    #[inline]
    pub const fn contains(self, part: Faces) -> bool {
        // A count of `part` above ours borrows the guard bit of its nibble.
        const GUARD: u32 = 0x88_8888;
        ((self.0 | GUARD) - part.0) & GUARD == GUARD
    }

    /// These dice without `part`, or `None` when some of `part` are not among them.
    #[inline]
    pub const fn without(self, part: Faces) -> Option<Faces> {
        if self.contains(part) { Some(Faces(self.0 - part.0)) } else { None }
    }

    /// These dice without `part`, which is known to be among them.
    #[inline]
    pub(crate) const fn less(self, part: Faces) -> Faces {
        debug_assert!(self.contains(part));
        Faces(self.0 - part.0)
    }

    /// Both together, or `None` where that is more than six dice.
    #[inline]
    pub const fn with(self, more: Faces) -> Option<Faces> {
        if self.len() + more.len() > MAX_DICE { None } else { Some(Faces(self.0 + more.0)) }
    }

    /// The dice in ascending order, one value each.
    pub fn dice(self) -> impl Iterator<Item = u8> {
        (1..=6u8).flat_map(move |face| core::iter::repeat_n(face, self.count(face).into()))
    }

    /// The position of this multiset among all of zero to six dice: below [`FACES_COUNT`],
    /// different for each. (Combinatorial number system over the running totals by face.)
    #[inline]
    pub const fn index(self) -> usize {
        let sums = self.prefix_sums();
        let mut index = 0usize;
        let mut k = 0;
        while k < 6 {
            index += RANK[k][(sums >> (4 * k) & 15) as usize] as usize;
            k += 1;
        }
        index
    }

    /// The multiset at a position; the inverse of [`index`](Faces::index). `None` past the end.
    pub const fn from_index(mut index: usize) -> Option<Faces> {
        if index >= FACES_COUNT {
            return None;
        }
        let mut packed = 0u32;
        let mut above = 0usize;
        let mut k = 6;
        while k > 0 {
            k -= 1;
            let mut sum = 6usize;
            while RANK[k][sum] as usize > index {
                sum -= 1;
            }
            index -= RANK[k][sum] as usize;
            if k < 5 {
                packed |= ((above - sum) as u32) << (4 * (k + 1));
            }
            above = sum;
        }
        Some(Faces(packed | above as u32))
    }

    /// Every multiset of `dice` dice, in ascending order.
    pub fn all(dice: u8) -> impl Iterator<Item = Faces> {
        (0..FACES_COUNT).filter_map(Faces::from_index).filter(move |f| f.len() == dice)
    }

    /// Every part of these dice, from none to all, each once.
    pub fn parts(self) -> impl Iterator<Item = Faces> {
        let mut next = Some(0u32);
        core::iter::from_fn(move || {
            let now = next?;
            // Counts up like an odometer whose wheels end at our counts.
            let mut up = now;
            let mut wheel = 0;
            next = loop {
                if wheel == 24 {
                    break None;
                }
                let at = 15 << wheel;
                if up & at < self.0 & at {
                    break Some(up + (1 << wheel));
                }
                up &= !at;
                wheel += 4;
            };
            Some(Faces(now))
        })
    }

    /// In how many ways distinguishable dice can show these faces: `n! / (c1! … c6!)`.
    ///
    /// ```
    /// # use farkle::Faces;
    /// let straight: Faces = "123456".parse()?;
    /// assert_eq!(straight.ways(), 720);
    /// # Ok::<(), farkle::FacesError>(())
    /// ```
    pub const fn ways(self) -> u32 {
        const FACTORIAL: [u32; 7] = [1, 1, 2, 6, 24, 120, 720];
        let mut ways = FACTORIAL[self.len() as usize];
        let mut face = 1;
        while face <= 6 {
            ways /= FACTORIAL[self.count(face) as usize];
            face += 1;
        }
        ways
    }

    /// Nibble `k` holds how many dice show a face of at most `k + 1`.
    #[inline]
    const fn prefix_sums(self) -> u32 {
        self.0.wrapping_mul(0x11_1111) & 0xff_ffff
    }
}

/// `RANK[k][s]` is the binomial coefficient C(s + k, k + 1).
const RANK: [[u16; 7]; 6] = {
    let mut rank = [[0u16; 7]; 6];
    let mut k = 0;
    while k < 6 {
        let mut s = 1;
        while s < 7 {
            // C(s+k, k+1) = C(s+k-1, k+1) + C(s+k-1, k)
            rank[k][s] = rank[k][s - 1] + if k == 0 { 1 } else { rank[k - 1][s] };
            s += 1;
        }
        k += 1;
    }
    rank
};

impl fmt::Display for Faces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.dice().try_for_each(|die| write!(f, "{die}"))
    }
}

impl fmt::Debug for Faces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Faces({self})")
    }
}

impl core::str::FromStr for Faces {
    type Err = FacesError;

    /// Digits 1 to 6 in any order; spaces, commas and hyphens may stand between: `115`, `1 1 5`,
    /// `1,1,5`, `1-1-5`.
    fn from_str(text: &str) -> Result<Faces, FacesError> {
        let mut dice = 0u32;
        let mut packed = 0u32;
        for c in text.chars() {
            match c {
                '1'..='6' => {
                    dice += 1;
                    if dice <= MAX_DICE.into() {
                        packed += 1 << (4 * (c as u32 - '1' as u32));
                    }
                }
                ' ' | ',' | '-' | '\t' => {}
                other => return Err(FacesError::NotAFace(other)),
            }
        }
        if dice > MAX_DICE.into() { Err(FacesError::TooMany(dice)) } else { Ok(Faces(packed)) }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Faces {
    /// An array of the dice, ascending.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.dice())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Faces {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Faces, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Faces;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array of at most six dice, each 1 to 6")
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Faces, A::Error> {
                let mut dice = [0u8; 6];
                let mut n = 0usize;
                while let Some(die) = seq.next_element::<u8>()? {
                    if n < dice.len() {
                        dice[n] = die;
                    }
                    n += 1;
                }
                if n > dice.len() {
                    return Err(serde::de::Error::custom(FacesError::TooMany(n as u32)));
                }
                Faces::from_dice(&dice[..n]).map_err(serde::de::Error::custom)
            }
        }
        deserializer.deserialize_seq(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_is_a_bijection_onto_924() {
        let mut seen = [false; FACES_COUNT];
        // Counted by six plain loops, not by `from_index`.
        let mut n = 0;
        for a in 0..=6u8 {
            for b in 0..=6 - a {
                for c in 0..=6 - a - b {
                    for d in 0..=6 - a - b - c {
                        for e in 0..=6 - a - b - c - d {
                            for f in 0..=6 - a - b - c - d - e {
                                let faces = Faces::from_counts([a, b, c, d, e, f]).unwrap();
                                assert_eq!(faces.len(), a + b + c + d + e + f);
                                assert_eq!(faces.counts(), [a, b, c, d, e, f]);
                                assert!(!std::mem::replace(&mut seen[faces.index()], true));
                                assert_eq!(Faces::from_index(faces.index()), Some(faces));
                                n += 1;
                            }
                        }
                    }
                }
            }
        }
        assert_eq!(n, FACES_COUNT);
        assert_eq!(Faces::from_index(FACES_COUNT), None);
    }

    #[test]
    fn parts_and_containment_agree() {
        for i in 0..FACES_COUNT {
            let all = Faces::from_index(i).unwrap();
            let parts: Vec<_> = all.parts().collect();
            let by_definition: Vec<_> = (0..FACES_COUNT)
                .filter_map(Faces::from_index)
                .filter(|p| p.counts().iter().zip(all.counts()).all(|(a, b)| *a <= b))
                .collect();
            assert_eq!(parts.len(), by_definition.len());
            for p in (0..FACES_COUNT).filter_map(Faces::from_index) {
                assert_eq!(all.contains(p), by_definition.contains(&p), "{p} in {all}");
                assert_eq!(all.without(p).is_some(), by_definition.contains(&p));
            }
            for p in parts {
                assert_eq!(all.without(p).unwrap().with(p), Some(all));
            }
        }
    }

    #[test]
    fn ways_add_up_to_all_rolls() {
        for dice in 1..=6u32 {
            let total: u32 = Faces::all(dice as u8).map(Faces::ways).sum();
            assert_eq!(total, 6u32.pow(dice));
        }
    }

    #[test]
    fn bad_dice_are_refused() {
        assert_eq!("1117".parse::<Faces>(), Err(FacesError::NotAFace('7')));
        assert_eq!("1111111".parse::<Faces>(), Err(FacesError::TooMany(7)));
        assert_eq!(Faces::from_counts([7, 0, 0, 0, 0, 0]), Err(FacesError::TooMany(7)));
        assert_eq!(Faces::from_counts([16, 0, 0, 0, 0, 0]), Err(FacesError::TooMany(16)));
        assert!(Faces::from_dice(&[0]).is_err());
        assert_eq!("".parse::<Faces>(), Ok(Faces::NONE));
    }
}
