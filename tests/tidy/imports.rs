//! Every path that a source file can reach for: `use` trees, inline paths, macro arguments,
//! attributes and `extern crate`, each resolved to where it really starts.
//!
//! `use s::time::Instant` after `use std as s` is not followed: the alias itself already reaches for
//! all of `std`, and that is what is reported.

use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

/// One path, from its root: `std::time::Instant`, `crate::reducer::State`, `tokio`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Reach {
    pub(crate) line: usize,
    /// Without generics. A glob, or an import of the root itself, ends where it stands.
    pub(crate) path: String,
}

/// One function with its length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Length {
    pub(crate) name: String,
    pub(crate) line: usize,
    pub(crate) lines: usize,
}

/// What was found in one file, code for tests left out.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) reaches: Vec<Reach>,
    pub(crate) lengths: Vec<Length>,
}

/// Reads one file. `module` is where it is mounted: `crate::reducer::requests`.
pub(crate) fn read(text: &str, module: &str, externals: &[String]) -> syn::Result<Found> {
    let file = syn::parse_file(text)?;
    let module = module.split("::").map(str::to_owned).collect();
    let mut reader = Reader { module, externals, found: Found::default() };
    reader.visit_file(&file);
    reader.found.reaches.sort();
    reader.found.reaches.dedup();
    Ok(reader.found)
}

/// `src/reducer/requests.rs` is mounted at `crate::reducer::requests`.
pub(crate) fn module_of(path: &str) -> String {
    let path = path.strip_prefix("src/").unwrap_or(path);
    let path = path.strip_suffix(".rs").unwrap_or(path);
    let names = path.split('/').filter(|name| !["mod", "lib", "main"].contains(name));
    std::iter::once("crate").chain(names).collect::<Vec<_>>().join("::")
}

struct Reader<'a> {
    module: Vec<String>,
    externals: &'a [String],
    found: Found,
}

impl Reader<'_> {
    /// Notes a path if it starts at a root; a path that starts at a local name came by a `use`.
    fn note(&mut self, line: usize, segments: &[String], is_use: bool) {
        let Some(first) = segments.first() else { return };
        let mut path = match first.as_str() {
            "self" | "super" => self.relative(segments),
            name if is_use
                || name == "crate"
                || self.externals.iter().any(|known| known == name) =>
            {
                segments.to_vec()
            }
            _ => return,
        };
        // `use error::Error` below a `mod error` is a path of the crate; nobody shadows a crate.
        if !path.is_empty() && path[0] != "crate" && !self.externals.contains(&path[0]) {
            path = self.module.iter().cloned().chain(path).collect();
        }
        self.found.reaches.push(Reach { line, path: path.join("::") });
    }

    fn relative(&self, segments: &[String]) -> Vec<String> {
        let mut base = self.module.clone();
        let mut rest = segments;
        while let Some((first, after)) = rest.split_first() {
            match first.as_str() {
                "self" => {}
                "super" => {
                    base.truncate(base.len().saturating_sub(1).max(1));
                }
                _ => break,
            }
            rest = after;
        }
        base.extend(rest.iter().cloned());
        base
    }

    fn note_tree(&mut self, tree: &syn::UseTree, mut before: Vec<String>) {
        let line = tree.span().start().line;
        match tree {
            syn::UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.note_tree(&path.tree, before);
            }
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.note_tree(tree, before.clone());
                }
            }
            syn::UseTree::Name(name) => self.note_end(line, before, &name.ident),
            syn::UseTree::Rename(rename) => self.note_end(line, before, &rename.ident),
            syn::UseTree::Glob(_) => self.note(line, &before, true),
        }
    }

    fn note_end(&mut self, line: usize, mut path: Vec<String>, last: &proc_macro2::Ident) {
        if path.is_empty() || last != "self" {
            path.push(last.to_string());
        }
        self.note(line, &path, true);
    }

    /// A path in tokens. A single name is a local one.
    fn note_loose(&mut self, line: usize, segments: &[String]) {
        if segments.len() > 1 {
            self.note(line, segments, false);
        }
    }

    /// Paths in tokens that nobody parses: arguments of macros and attributes, bodies of
    /// `macro_rules!`.
    fn note_tokens(&mut self, tokens: proc_macro2::TokenStream) {
        let mut segments: Vec<String> = Vec::new();
        let (mut line, mut colons) = (0, 0);
        for token in tokens {
            match token {
                proc_macro2::TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.note_loose(line, &segments);
                        segments.clear();
                        line = ident.span().start().line;
                    }
                    segments.push(ident.to_string());
                    colons = 0;
                }
                proc_macro2::TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                proc_macro2::TokenTree::Group(group) => {
                    self.note_tokens(group.stream());
                    self.note_loose(line, &segments);
                    (segments, colons) = (Vec::new(), 0);
                }
                proc_macro2::TokenTree::Punct(_) | proc_macro2::TokenTree::Literal(_) => {
                    self.note_loose(line, &segments);
                    (segments, colons) = (Vec::new(), 0);
                }
            }
        }
        self.note_loose(line, &segments);
    }

    fn note_length(&mut self, name: &proc_macro2::Ident, from: usize, block: &syn::Block) {
        let to = block.brace_token.span.close().end().line;
        let length = Length { name: name.to_string(), line: from, lines: to + 1 - from };
        self.found.lengths.push(length);
    }
}

/// Whether an item is only there for tests.
fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if is_for_tests(&item.attrs) {
            return;
        }
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !is_for_tests(&item.attrs) {
            self.note_tree(&item.tree, Vec::new());
        }
    }

    fn visit_item_extern_crate(&mut self, item: &'ast syn::ItemExternCrate) {
        self.note(item.ident.span().start().line, &[item.ident.to_string()], true);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<_> =
            path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        // A single name is a local one: no path reaches anything without `::`.
        if segments.len() > 1 || path.leading_colon.is_some() {
            self.note(path.span().start().line, &segments, path.leading_colon.is_some());
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        if item.path.is_ident("include") {
            let line = item.path.span().start().line;
            self.found.reaches.push(Reach { line, path: "include!".to_owned() });
        }
        self.note_tokens(item.tokens.clone());
        visit::visit_macro(self, item);
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        if attribute.path().is_ident("path") {
            let line = attribute.span().start().line;
            self.found.reaches.push(Reach { line, path: "#[path]".to_owned() });
        }
        if let syn::Meta::List(list) = &attribute.meta {
            self.note_tokens(list.tokens.clone());
        }
        visit::visit_attribute(self, attribute);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_for_tests(&item.attrs) {
            self.note_length(&item.sig.ident, item.sig.span().start().line, &item.block);
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !is_for_tests(&item.attrs) {
            self.note_length(&item.sig.ident, item.sig.span().start().line, &item.block);
            visit::visit_impl_item_fn(self, item);
        }
    }
}
