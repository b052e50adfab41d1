//! Why a request gets no answer.

use lsp_server::ErrorCode;

#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) code: i32,
    pub(crate) message: String,
}

/// A cancelled request, by the protocol.
const REQUEST_CANCELLED: i32 = -32800;

/// The text is not the one that was asked about any more.
const CONTENT_MODIFIED: i32 = -32801;

/// The request is well formed, and cannot be done.
const REQUEST_FAILED: i32 = -32803;

impl Refusal {
    pub(crate) fn wrong_parameters(message: impl Into<String>) -> Refusal {
        Refusal { code: ErrorCode::InvalidParams as i32, message: message.into() }
    }

    pub(crate) fn unknown_method(method: &str) -> Refusal {
        Refusal { code: ErrorCode::MethodNotFound as i32, message: format!("there is no method `{method}`") }
    }

    pub(crate) fn shut_down() -> Refusal {
        let message = "the server was asked to shut down".to_owned();
        Refusal { code: ErrorCode::InvalidRequest as i32, message }
    }

    /// Something that cannot be done, in words for the user.
    pub(crate) fn impossible(message: impl Into<String>) -> Refusal {
        Refusal { code: REQUEST_FAILED, message: message.into() }
    }

    pub(crate) fn cancelled(message: &str) -> Refusal {
        Refusal { code: REQUEST_CANCELLED, message: message.to_owned() }
    }

    pub(crate) fn text_changed() -> Refusal {
        let message = "the text was changed, so this was given up".to_owned();
        Refusal { code: CONTENT_MODIFIED, message }
    }
}
