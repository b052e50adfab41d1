//! Requests that are answered at once, each from one document.

use lsp_types::request::{self as requests, Request as _};
use lsp_types::{CompletionResponse, DocumentSymbolResponse, TextDocumentPositionParams, TextEdit};
use polycube_language::format;
use serde::Serialize;
use serde_json::{Value, json};

use crate::document::Open;
use crate::refusal::Refusal;
use crate::server::{Server, read};
use crate::{completion, fixes, hover, lens, navigation, outline, rename};

impl Server {
    /// What is answered at once.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Result<Value, Refusal> {
        match method {
            requests::Shutdown::METHOD => {
                self.is_shut_down = true;
                self.jobs.clear();
                Ok(Value::Null)
            }
            requests::HoverRequest::METHOD => self.at(params, |open, at| hover::hover(open, at.position)),
            requests::GotoDefinition::METHOD => {
                self.at(params, |open, at| navigation::definition(open, at.position))
            }
            requests::References::METHOD => self.about::<requests::References, _>(params, |open, asked| {
                let with_declaration = asked.context.include_declaration;
                Ok(navigation::references(open, asked.text_document_position.position, with_declaration))
            }),
            requests::DocumentHighlightRequest::METHOD => {
                self.at(params, |open, at| navigation::highlights(open, at.position))
            }
            requests::PrepareRenameRequest::METHOD => {
                self.at(params, |open, at| rename::prepare(open, at.position))
            }
            requests::Rename::METHOD => self.about::<requests::Rename, _>(params, |open, asked| {
                rename::rename(open, asked.text_document_position.position, &asked.new_name).map(Some)
            }),
            requests::Completion::METHOD => self.at(params, |open, at| {
                Some(CompletionResponse::Array(completion::completion(open, at.position)))
            }),
            requests::DocumentSymbolRequest::METHOD => self
                .about::<requests::DocumentSymbolRequest, _>(params, |open, _| {
                    Ok(Some(DocumentSymbolResponse::Nested(outline::symbols(open))))
                }),
            requests::CodeActionRequest::METHOD => self
                .about::<requests::CodeActionRequest, _>(params, |open, asked| {
                    Ok(Some(fixes::fixes(open, asked.range)))
                }),
            requests::CodeLensRequest::METHOD => {
                self.about::<requests::CodeLensRequest, _>(params, |open, _| Ok(Some(lens::lenses(open))))
            }
            requests::Formatting::METHOD => {
                self.about::<requests::Formatting, _>(params, |open, _| Ok(formatted(open)))
            }
            _ => Err(Refusal::unknown_method(method)),
        }
    }

    /// Answers a request about a place in a document.
    fn at<T: Serialize>(
        &mut self,
        params: &Value,
        answer: impl FnOnce(&Open<'_>, TextDocumentPositionParams) -> Option<T>,
    ) -> Result<Value, Refusal> {
        let asked: TextDocumentPositionParams = read(params)?;
        let Some(open) = self.open(params)? else { return Ok(Value::Null) };
        Ok(json!(answer(&open, asked)))
    }

    /// Answers a request about a document.
    fn about<R: requests::Request, A>(&mut self, params: &Value, answer: A) -> Result<Value, Refusal>
    where
        A: FnOnce(&Open<'_>, R::Params) -> Result<R::Result, Refusal>,
    {
        let asked: R::Params = read(params)?;
        let Some(open) = self.open(params)? else { return Ok(Value::Null) };
        Ok(json!(answer(&open, asked)?))
    }

    /// The document that a request is about: all of them name it in the same way. None if it is too large to
    /// say anything about it.
    fn open(&mut self, params: &Value) -> Result<Option<Open<'_>>, Refusal> {
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        match self.documents.get_mut(uri) {
            Some(document) => Ok((!document.is_too_large()).then(|| document.open())),
            None => Err(Refusal::wrong_parameters(format!("the document `{uri}` is not open"))),
        }
    }
}

/// The edit that brings a text into canonical layout; none where it has syntax errors.
fn formatted(open: &Open<'_>) -> Option<Vec<TextEdit>> {
    let formatted = format(open.source()).ok()?;
    let is_formatted = formatted == open.source();
    let edit = TextEdit { range: open.text.whole(), new_text: formatted };
    Some(if is_formatted { Vec::new() } else { vec![edit] })
}
