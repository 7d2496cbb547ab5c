//! Shardy's document on propagation: a test for each of its sentences, and the tables of the guide's page on it.
#![cfg(feature = "sharding")]

#[allow(dead_code, reason = "other tests read more of the rows")]
#[path = "../golden/rows.rs"]
mod rows;

mod data_flow;
mod page;
mod rules;
mod strategies;
mod tables;
