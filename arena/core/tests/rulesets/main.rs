//! Rulesets as people meet them: files, schema, chart, words, odds.

mod files;
mod house;
mod odds;
mod page;
mod printed_chart;
mod schema;
