//! `arena_fuzz::command_input` under libFuzzer, or over the files named on the command line.
#![cfg_attr(fuzzing, no_main)]

arena_fuzz::target!(arena_fuzz::command_input);
