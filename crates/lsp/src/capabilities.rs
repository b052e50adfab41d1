//! What the server can do, and what it needs to know of the client.

use lsp_types::{
    ClientCapabilities, CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CodeLensOptions,
    CompletionOptions, ExecuteCommandOptions, HoverProviderCapability, InitializeParams, OneOf,
    PositionEncodingKind, RenameOptions, ServerCapabilities, TextDocumentSyncCapability,
    TextDocumentSyncKind, TextDocumentSyncOptions, WorkDoneProgressOptions,
};

use crate::command;
use crate::text::Encoding;

/// What matters of a client.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client {
    pub(crate) encoding: Encoding,
    /// It shows how far a search has come.
    pub(crate) shows_progress: bool,
    /// It opens a document when it is asked to.
    pub(crate) opens_documents: bool,
    /// It can rename only after it has asked what is renamed.
    pub(crate) prepares_renaming: bool,
}

impl Client {
    pub(crate) fn of(parameters: &InitializeParams) -> Client {
        let ClientCapabilities { general, window, text_document, .. } = &parameters.capabilities;
        let encodings = general.as_ref().and_then(|general| general.position_encodings.as_ref());
        let takes_utf8 = encodings.is_some_and(|known| known.contains(&PositionEncodingKind::UTF8));
        let window = window.as_ref();
        let rename = text_document.as_ref().and_then(|document| document.rename.as_ref());
        Client {
            encoding: if takes_utf8 { Encoding::Utf8 } else { Encoding::Utf16 },
            shows_progress: window.and_then(|window| window.work_done_progress).unwrap_or(false),
            opens_documents: window
                .and_then(|window| window.show_document.as_ref())
                .is_some_and(|show| show.support),
            prepares_renaming: rename.and_then(|rename| rename.prepare_support).unwrap_or(false),
        }
    }
}

pub(crate) fn server(client: Client) -> ServerCapabilities {
    let work_done_progress_options = WorkDoneProgressOptions::default();
    ServerCapabilities {
        position_encoding: Some(match client.encoding {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some([":", "="].map(str::to_owned).to_vec()),
            ..CompletionOptions::default()
        }),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        rename_provider: Some(if client.prepares_renaming {
            OneOf::Right(RenameOptions { prepare_provider: Some(true), work_done_progress_options })
        } else {
            OneOf::Left(true)
        }),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            ..CodeActionOptions::default()
        })),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: [command::VERIFY, command::EXPLORE].map(str::to_owned).to_vec(),
            work_done_progress_options: WorkDoneProgressOptions { work_done_progress: Some(true) },
        }),
        ..ServerCapabilities::default()
    }
}
