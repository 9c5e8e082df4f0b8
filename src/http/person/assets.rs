//! The files of the interface, built by `build.rs` and carried inside the program.

use super::failure::Failure;
use super::page;
use axum::http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{Method, Uri};
use axum::response::{IntoResponse, Response};

/// For files whose name is a hash of what is in them.
pub(super) const KEPT: &str = "private, max-age=31536000, immutable";
/// Where such files are.
const HASHED: &str = "/assets/";

/// One file of the interface.
struct Asset {
    /// From the root, such as `/index.html`.
    path: &'static str,
    content_type: &'static str,
    bytes: &'static [u8],
}

// `static ASSETS: &[Asset]`, ordered by path; empty in a build without the interface.
include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// Everything that no other route takes.
pub(super) async fn serve(method: Method, uri: Uri) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return ([(ALLOW, "GET, HEAD")], Failure::wrong_method()).into_response();
    }
    match uri.path() {
        "/" => index().await,
        page::STYLE_PATH => {
            ([(CONTENT_TYPE, "text/css; charset=utf-8")], page::STYLE).into_response()
        }
        path => find(path).map_or_else(|| Failure::unknown_path().into_response(), answer),
    }
}

/// The page itself.
pub(super) async fn index() -> Response {
    find("/index.html").map_or_else(page::no_interface, answer)
}

fn find(path: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.path == path)
}

fn answer(asset: &'static Asset) -> Response {
    let content = [(CONTENT_TYPE, asset.content_type)];
    if asset.path.starts_with(HASHED) {
        (content, [(CACHE_CONTROL, KEPT)], asset.bytes).into_response()
    } else {
        (content, asset.bytes).into_response()
    }
}
