//! Dice drawn with their pips.
//!
//! Owns the picture of a die. Refuses to say anything about it by colour.

use farkle::Faces;

/// Lines of a die.
pub(crate) const HEIGHT: usize = 5;

/// Columns of a die.
pub(crate) const WIDTH: usize = 9;

/// The middle three lines of a die, by face.
const PIPS: [[&str; 3]; 6] = [
    ["       ", "   o   ", "       "],
    [" o     ", "       ", "     o "],
    [" o     ", "   o   ", "     o "],
    [" o   o ", "       ", " o   o "],
    [" o   o ", "   o   ", " o   o "],
    [" o   o ", " o   o ", " o   o "],
];

/// A die, from 1 to 6.
pub(crate) fn die(face: u8) -> [String; HEIGHT] {
    let [top, middle, bottom] = PIPS[usize::from(face) - 1].map(|pips| format!("│{pips}│"));
    ["┌───────┐".to_owned(), top, middle, bottom, "└───────┘".to_owned()]
}

/// Dice, a space between each two.
pub(crate) fn side_by_side(roll: Faces) -> [String; HEIGHT] {
    let dice: Vec<[String; HEIGHT]> = roll.dice().map(die).collect();
    std::array::from_fn(|line| dice.iter().map(|die| die[line].as_str()).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_show_as_many_pips_as_they_say() {
        for roll in ["1", "2", "3", "4", "5", "6", "123456", "666666"] {
            let drawn = side_by_side(roll.parse().unwrap());
            let pips: u32 = roll.chars().filter_map(|die| die.to_digit(10)).sum();
            assert_eq!(drawn.concat().matches('o').count(), pips as usize, "{roll}");
            let widths = drawn.each_ref().map(|line| line.chars().count());
            assert_eq!(widths, [(WIDTH + 1) * roll.len() - 1; HEIGHT], "{drawn:?}");
        }
    }
}
