//! The fields of a query.
//!
//! Owns that each is known, given once and allowed. Refuses all others by name.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use axum::http::Uri;

use crate::web::problem::Problem;

/// The fields of a query, by name.
pub(in crate::web) struct Query(Vec<(String, String)>);

impl Query {
    /// Reads a query that may have these fields.
    pub(in crate::web) fn read(uri: &Uri, known: &[&str]) -> Result<Query, Problem> {
        let malformed =
            || Problem::bad_value("the query cannot be read: write it as field=value&field=value, in UTF-8");
        let fields: axum::extract::Query<Vec<(String, String)>> =
            axum::extract::Query::try_from_uri(uri).map_err(|_| malformed())?;
        for (place, (field, value)) in fields.0.iter().enumerate() {
            // What stands for bytes that are no UTF-8.
            if field.contains('\u{fffd}') || value.contains('\u{fffd}') {
                return Err(malformed());
            }
            if !known.contains(&field.as_str()) {
                let allowed = match known {
                    [] => "none are allowed".to_owned(),
                    known => format!("allowed are {}", known.join(", ")),
                };
                return Err(Problem::bad_value(format!("unknown field `{field}` in the query: {allowed}")));
            }
            if fields.0[..place].iter().any(|(other, _)| other == field) {
                return Err(Problem::bad_value(format!("`{field}` is given twice")));
            }
        }
        Ok(Query(fields.0))
    }

    /// The text of a field.
    pub(in crate::web) fn text(&self, field: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| name == field).map(|(_, value)| value.as_str())
    }

    /// A number of a range, or the usual one.
    pub(in crate::web) fn number<N: FromStr + PartialOrd + Display>(
        &self,
        field: &str,
        range: RangeInclusive<N>,
        usual: N,
    ) -> Result<N, Problem> {
        let Some(text) = self.text(field) else { return Ok(usual) };
        text.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            Problem::bad_value(format!("`{field}` is `{text}`: allowed are {least} to {most}"))
        })
    }

    /// Yes or no.
    pub(in crate::web) fn is(&self, field: &str) -> Result<bool, Problem> {
        match self.text(field) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(text) => Err(Problem::bad_value(format!("`{field}` is `{text}`: allowed are true and false"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Result<Query, String> {
        Query::read(&format!("/x?{query}").parse().unwrap(), &["agent", "limit", "faults"]).map_err(|p| p.message)
    }

    #[test]
    fn fields_are_known_given_once_and_allowed() {
        let query = read("agent=a%20b+c&limit=7&faults=true").unwrap();
        assert_eq!(
            (query.text("agent"), query.number("limit", 1..=9, 5), query.is("faults").unwrap()),
            (Some("a b c"), Ok(7), true)
        );
        assert_eq!(
            read("agents=a").err().unwrap(),
            "unknown field `agents` in the query: allowed are agent, limit, faults"
        );
        assert!(read("agent=%ff").err().unwrap().contains("in UTF-8"));
        assert_eq!(read("limit=1&limit=2").err().unwrap(), "`limit` is given twice");
        for wrong in ["limit=0", "limit=10", "limit=x", "limit=", "limit=-1", "limit=99999999999999999999"] {
            let said = read(wrong).unwrap().number("limit", 1..=9, 5).unwrap_err().message;
            assert!(said.ends_with("allowed are 1 to 9"), "{said}");
        }
        assert!(read("faults=yes").unwrap().is("faults").is_err());
        assert_eq!(read("").unwrap().number("limit", 1..=9, 5), Ok(5));
    }
}
