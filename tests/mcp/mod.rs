mod answers;
mod arguments;
mod guards;
mod protocol;
mod requests;
mod support;
mod words;
