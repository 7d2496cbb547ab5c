//! Shardy's document on propagation: a test for each of its sentences, and the tables of the guide's page about it.

mod data_flow;
mod page;
mod rules;
mod strategies;
mod tables;
