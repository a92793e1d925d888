//! How strangers' text is made harmless: to a terminal, on a line, in a command, in
//! JSON and in Markdown.

/// Whether a character commands a terminal, or changes a text without being seen: control characters, and
/// what Unicode calls default-ignorable, with the separators of lines and paragraphs and the marks of
/// interlinear notes.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// Text whose hidden characters (other than line ends) are told by `escape`.
fn escaped(text: &str, escape: impl Fn(char, &mut String)) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c != '\n' && is_hidden(c) {
            true => escape(c, &mut shown),
            false => shown.push(c),
        }
    }
    shown
}

/// Text with hidden characters shown as escapes, so that it cannot command a terminal or look like another
/// text.
pub(crate) fn harmless(text: &str) -> String {
    escaped(text, |c, shown| shown.extend(c.escape_unicode()))
}

/// JSON with hidden characters as its own escapes: the same values, and no harm where it is looked at. They
/// stand in strings alone, since between them JSON has no other than spaces and line ends.
pub(crate) fn harmless_json(json: &str) -> String {
    escaped(json, |c, shown| {
        for unit in c.encode_utf16(&mut [0; 2]) {
            *shown += &format!("\\u{unit:04x}");
        }
    })
}

/// The same for TOML.
pub(crate) fn harmless_toml(toml: &str) -> String {
    escaped(toml, |c, shown| *shown += &format!("\\U{:08x}", u32::from(c)))
}

/// A name in Markdown: what would end a cell, or mean something in Markdown or HTML, is shown as it is.
pub(crate) fn markdown(name: &str) -> String {
    name.chars().fold(String::new(), |mut text, c| {
        if "|\\`*_[]<>&#~$".contains(c) {
            text.push('\\');
        }
        text.push(c);
        text
    })
}

/// A stranger's words, whose further lines are seen to be its own and pass for nobody else's.
pub(crate) fn indented(text: &str) -> String {
    harmless(text.trim_end()).replace('\n', "\n    ")
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
        assert_eq!(harmless("a\u{200d}b\u{ad}\u{9b}"), "a\\u{200d}b\\u{ad}\\u{9b}");
        assert_eq!(harmless("Grüße 骰子"), "Grüße 骰子");
    }

    #[test]
    fn json_keeps_its_values() {
        let value = serde_json::json!({ "a\u{9b}": "\u{7f}\u{202e}\u{e0041}\u{1b}\n Grüße" });
        let shown = harmless_json(&format!("{value:#}"));
        assert!(harmless(&shown) == shown && shown.contains("Grüße"), "{shown}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
    }

    #[test]
    fn a_name_means_nothing_in_markdown() {
        assert_eq!(markdown("a|b`<c>"), "a\\|b\\`\\<c\\>");
        assert_eq!(markdown("max-ev 0.1"), "max-ev 0.1");
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
