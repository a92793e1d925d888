//! How strangers' text is made harmless.

/// Text with control characters (other than line ends) shown as escapes, so that it cannot
/// command a terminal.
pub(crate) fn harmless(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            let hidden = c.is_control() && c != '\n'
                // Marks that cannot be seen, or turn the direction of text around.
                || matches!(c, '\u{061c}' | '\u{200b}' | '\u{2028}' | '\u{2029}' | '\u{2060}' | '\u{feff}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            let escaped: Box<dyn Iterator<Item = char>> =
                if hidden { Box::new(c.escape_unicode()) } else { Box::new(std::iter::once(c)) };
            escaped
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_commands_become_text() {
        assert_eq!(harmless("a\u{1b}[31mb\rc\nd"), "a\\u{1b}[31mb\\u{d}c\nd");
        assert_eq!(harmless("x\u{202e}y"), "x\\u{202e}y");
        assert_eq!(harmless("Grüße 骰子"), "Grüße 骰子");
    }
}
