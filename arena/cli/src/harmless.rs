//! How strangers' text is made harmless: to a terminal, on a line, in a command.

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

/// A stranger's words on one line, and not too many.
pub(crate) fn one_line(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    harmless(&words).chars().take(300).collect()
}

/// A word as a shell reads it.
pub(crate) fn shell_word(word: &str) -> String {
    let mut word = harmless(word);
    if word.starts_with('-') {
        // A path and no option.
        word.insert_str(0, "./");
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+%@".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word } else { format!("'{}'", word.replace('\'', "'\\''")) }
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

    #[test]
    fn words_reach_a_command_as_one() {
        assert_eq!(shell_word("bots/a-1.wasm"), "bots/a-1.wasm");
        assert_eq!(shell_word("a=it's.wasm"), "'a=it'\\''s.wasm'");
        assert_eq!(shell_word("my bot.wasm"), "'my bot.wasm'");
        assert_eq!(shell_word("-x.save.json"), "./-x.save.json");
        assert_eq!(shell_word(""), "''");
    }
}
