//! Text as tokens.

use crate::Result;
use crate::folder::Folder;
use std::io::Write;

/// How text becomes tokens.
pub enum Tokenizer {
    /// Each byte is a token.
    Bytes {
        /// The token that begins a text.
        begin: Option<usize>,
    },
    /// The tokenizer that `tokenizer.json` describes.
    #[cfg(feature = "tokenizers")]
    File(Box<tokenizers::Tokenizer>),
}

impl Tokenizer {
    /// The tokenizer of a model: `tokenizer.json`, or bytes if the model has no such file.
    ///
    /// # Errors
    /// If the file cannot be read, or if it is needed and the program was built without the feature `tokenizers`.
    pub fn of(folder: &Folder) -> Result<Self> {
        #[cfg(feature = "tokenizers")]
        if let Some(path) = folder.file("tokenizer.json") {
            return Ok(Self::File(Box::new(tokenizers::Tokenizer::from_file(path)?)));
        }
        #[cfg(not(feature = "tokenizers"))]
        if folder.file("tokenizer.json").is_some() {
            return Err(
                "the folder has a `tokenizer.json`\nhelp: build with `--features tokenizers`"
                    .into(),
            );
        }
        match folder.config.dims().vocabulary {
            256 => Ok(Self::Bytes { begin: folder.config.begin }),
            tokens => Err(format!(
                "there is no `tokenizer.json`, and {tokens} tokens are not bytes\n\
                     help: copy the file of the model into the folder"
            )
            .into()),
        }
    }

    /// The tokens of a text, including the token that begins it.
    ///
    /// # Errors
    /// If the tokenizer rejects the text.
    pub fn encode(&self, text: &str) -> Result<Vec<usize>> {
        match self {
            Self::Bytes { begin } => {
                Ok(begin.iter().copied().chain(text.bytes().map(usize::from)).collect())
            }
            #[cfg(feature = "tokenizers")]
            Self::File(tokenizer) => {
                let encoding = tokenizer.encode(text, true)?;
                Ok(encoding.get_ids().iter().map(|id| *id as usize).collect())
            }
        }
    }

    /// The text of tokens.
    ///
    /// # Errors
    /// If the tokenizer rejects the tokens.
    pub fn decode(&self, tokens: &[usize]) -> Result<String> {
        match self {
            Self::Bytes { .. } => {
                let bytes: Vec<u8> = tokens.iter().map(|token| *token as u8).collect();
                Ok(String::from_utf8_lossy(&bytes).into_owned())
            }
            #[cfg(feature = "tokenizers")]
            Self::File(tokenizer) => {
                let ids: Vec<u32> = tokens.iter().map(|token| *token as u32).collect();
                Ok(tokenizer.decode(&ids, true)?)
            }
        }
    }
}

/// Writes a text while its tokens arrive. Characters that later tokens can change are held back.
pub struct Writer<'a, W> {
    tokenizer: &'a Tokenizer,
    tokens: Vec<usize>,
    written: usize,
    to: W,
}

impl<'a, W: Write> Writer<'a, W> {
    /// A writer for the text that follows `tokens`.
    ///
    /// # Errors
    /// As for [`Tokenizer::decode`].
    pub fn new(tokenizer: &'a Tokenizer, tokens: &[usize], to: W) -> Result<Self> {
        let written = complete(&tokenizer.decode(tokens)?).len();
        Ok(Self { tokenizer, tokens: tokens.to_vec(), written, to })
    }

    /// Writes the text that the next token adds.
    ///
    /// # Errors
    /// As for [`Tokenizer::decode`], and if the text cannot be written.
    pub fn push(&mut self, token: usize) -> Result<()> {
        self.tokens.push(token);
        let text = self.tokenizer.decode(&self.tokens)?;
        let complete = complete(&text);
        if let Some(new) = complete.get(self.written..) {
            self.to.write_all(new.as_bytes())?;
            self.to.flush()?;
            self.written = complete.len();
        }
        Ok(())
    }
}

/// The text without an incomplete character at its end, which is decoded as the replacement character.
fn complete(text: &str) -> &str {
    text.trim_end_matches(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::{Tokenizer, Writer};

    #[test]
    fn characters_are_written_when_they_are_complete() {
        let tokenizer = Tokenizer::Bytes { begin: Some(10) };
        let tokens = tokenizer.encode("aé").unwrap();
        assert_eq!(tokens, [10, 97, 0xC3, 0xA9]);
        let mut text = Vec::new();
        let mut writer = Writer::new(&tokenizer, &tokens[..2], &mut text).unwrap();
        writer.push(0xC3).unwrap();
        assert!(writer.to.is_empty());
        writer.push(0xA9).unwrap();
        writer.push(33).unwrap();
        assert_eq!(text, "é!".as_bytes());
        // The text so far may end within a character.
        let mut text = Vec::new();
        let mut writer = Writer::new(&tokenizer, &tokens[..3], &mut text).unwrap();
        writer.push(0xA9).unwrap();
        writer.push(33).unwrap();
        assert_eq!(text, "é!".as_bytes());
    }
    #[cfg(feature = "tokenizers")]
    #[test]
    fn words_are_written_as_the_file_has_them() {
        let file = r###"{"version": "1.0", "added_tokens": [], "pre_tokenizer": {"type": "Metaspace",
            "replacement": "\u2581", "prepend_scheme": "always", "split": true},
            "decoder": {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": true},
            "model": {"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0, "\u2581red": 1, "\u2581cat": 2}}}"###;
        let tokenizer = Tokenizer::File(Box::new(file.parse().unwrap()));
        assert_eq!(tokenizer.encode("red cat dog").unwrap(), [1, 2, 0]);
        let mut text = Vec::new();
        let mut writer = Writer::new(&tokenizer, &[1], &mut text).unwrap();
        [2, 1].into_iter().for_each(|token| writer.push(token).unwrap());
        assert_eq!(text, b" cat red");
    }
}
