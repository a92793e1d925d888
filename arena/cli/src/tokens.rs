//! Tokens, by which a server knows authors.
//!
//! Owns how a token is made and how it looks. Refuses to store one: that is for its hash.

use crate::failure::Failure;

/// What every token begins with, so that it is known for one wherever it turns up.
const PREFIX: &str = "farkle_";
/// Random bytes of a token.
const BYTES: usize = 32;

/// A token that nobody has.
pub(crate) fn random() -> Result<String, Failure> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(|error| Failure::failed(format!("no random token to be had: {error}")))?;
    Ok(bytes.iter().fold(PREFIX.to_owned(), |token, byte| token + &format!("{byte:02x}")))
}

/// Whether a text could be a token.
pub(crate) fn is_one(text: &str) -> bool {
    let digits = text.strip_prefix(PREFIX).unwrap_or_default();
    digits.len() == 2 * BYTES && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_is_another_and_looks_like_one() {
        let (one, other) = (random().unwrap(), random().unwrap());
        assert!(one != other && is_one(&one) && is_one(&other), "{one} {other}");
        for wrong in ["", "farkle_", &one[1..], &one[..70], &one.to_uppercase(), &format!("{one}0")] {
            assert!(!is_one(wrong), "{wrong}");
        }
    }
}
