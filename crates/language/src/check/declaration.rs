//! Types, symbols and predicates: the tables of names.

use crate::diagnostic::{Code, Diagnostic};
use crate::span::{Origin, Span};
use crate::syntax::{Item, Name, NumberProcs, SymbolDeclaration, SymbolKeyword, TypeDeclaration};
use crate::system::{
    AbstractType, AbstractTypeId, Enumeration, EnumerationId, Processes, Symbol, SymbolId, SymbolKind, Type,
};

use super::{Checker, Declared, Global, without_case};

impl<'s, 'f> Checker<'s, 'f> {
    pub(super) fn declarations(&mut self, items: &'f [Item<'s>]) {
        for item in items {
            match item {
                Item::NumberProcs(declaration) => self.number_procs(declaration),
                Item::Type(declaration) => self.type_declaration(declaration),
                _ => {}
            }
        }
        for item in items {
            match item {
                Item::Symbol(declaration) => self.symbol_declaration(declaration),
                Item::Predicate(declaration) => self.predicate_declaration(declaration),
                _ => {}
            }
        }
    }

    fn number_procs(&mut self, declaration: &NumberProcs<'s>) {
        if let Some(first) = self.number_procs {
            self.error(
                Diagnostic::error(Code::DuplicateName, declaration.span, "`number_procs` is given twice")
                    .label("again here")
                    .also(first, "first here")
                    .help("keep one of them"),
            );
            return;
        }
        self.number_procs = Some(declaration.span);
        let digits = declaration.count.text;
        match digits.parse::<u32>() {
            Ok(0) => self.warning(
                Diagnostic::warning(Code::Unused, declaration.span, "`number_procs 0` says nothing")
                    .label("the number of processes stays open")
                    .help("remove it"),
            ),
            Ok(count) if !declaration.negative => self.system.processes = Processes::Exactly(count),
            _ => self.error(
                Diagnostic::error(Code::ProcessConstant, declaration.span, "this is no number of processes")
                    .label("expected a number from 1 to 4294967295")
                    .help("leave `number_procs` out to verify the model for every number of processes"),
            ),
        }
    }

    fn type_declaration(&mut self, declaration: &TypeDeclaration<'s>) {
        let Name { text, span } = declaration.name;
        if let Some(first) = self.types.get(text) {
            let first = first.span;
            self.duplicate("type", declaration.name, first);
            self.unread.extend(declaration.constructors.iter().flatten().map(|name| without_case(name.text)));
            return;
        }
        let origin = Origin(declaration.span);
        let ty = match &declaration.constructors {
            None => {
                let id = AbstractTypeId(self.system.abstract_types.len() as u32);
                self.system.abstract_types.push(AbstractType { name: text.to_owned(), origin });
                Type::Abstract(id)
            }
            Some(constructors) => {
                let id = EnumerationId(self.system.enumerations.len() as u32);
                let mut names = Vec::with_capacity(constructors.len());
                for &constructor in constructors {
                    let index = names.len() as u32;
                    if self.declare_global(constructor, Global::Constructor(id, index)) {
                        names.push(constructor.text.to_owned());
                    }
                }
                self.system.enumerations.push(Enumeration {
                    name: text.to_owned(),
                    constructors: names,
                    origin,
                });
                Type::Enumeration(id)
            }
        };
        self.types.insert(text, Declared { what: ty, span: Some(span) });
    }

    fn symbol_declaration(&mut self, declaration: &SymbolDeclaration<'s>) {
        for index in &declaration.indices {
            if index.text != "proc" {
                self.error(
                    Diagnostic::error(Code::TypeMismatch, index.span, "arrays are indexed by processes")
                        .label("expected `proc`")
                        .help(format!("write `array {}[proc] : ...`", declaration.name.text)),
                );
            }
        }
        let Some(ty) = self.find_type(declaration.ty) else {
            self.unread.insert(without_case(declaration.name.text));
            return;
        };
        let kind = match declaration.keyword {
            SymbolKeyword::Const => SymbolKind::Constant,
            SymbolKeyword::Var => SymbolKind::Variable,
            SymbolKeyword::Array => SymbolKind::Array { dimensions: declaration.indices.len() },
        };
        let id = SymbolId(self.system.symbols.len() as u32);
        if self.declare_global(declaration.name, Global::Symbol(id)) {
            let origin = Origin(declaration.name.span);
            self.system.symbols.push(Symbol { name: declaration.name.text.to_owned(), kind, ty, origin });
        }
    }

    fn find_type(&mut self, name: Name<'s>) -> Option<Type> {
        if let Some(declared) = self.types.get(name.text) {
            self.used_types.insert(declared.what);
            return Some(declared.what);
        }
        let mut known = self.suggestions(|checker| {
            let mut names: Vec<&str> =
                checker.types.keys().copied().filter(|&name| name != "mbool").collect();
            names.sort_unstable();
            names
        });
        let advice = match name.text {
            "boolean" => Some("write `bool`"),
            "integer" | "nat" | "natural" => Some("write `int`"),
            "float" | "double" | "rational" => Some("write `real`"),
            "process" | "pid" | "node" => Some("write `proc`"),
            _ => None,
        };
        // An alias is a better guess than a word that looks alike.
        if advice.is_some() {
            known.clear();
        }
        self.unknown_name("type", name, &known, advice);
        None
    }

    /// Enters an upper-case name; false, and an error, if it is taken.
    fn declare_global(&mut self, name: Name<'s>, what: Global) -> bool {
        if let Some(first) = self.globals.get(name.text) {
            let first = first.span;
            self.duplicate("name", name, first);
            return false;
        }
        self.globals.insert(name.text, Declared { what, span: Some(name.span) });
        true
    }

    pub(super) fn duplicate(&mut self, what: &str, name: Name<'s>, first: Option<Span>) {
        let text = name.text;
        let error = match first {
            Some(first) => Diagnostic::error(
                Code::DuplicateName,
                name.span,
                format!("the {what} `{text}` is declared twice"),
            )
            .label("again here")
            .also(first, "first declared here")
            .help("rename one of them"),
            None => Diagnostic::error(
                Code::DuplicateName,
                name.span,
                format!("the {what} `{text}` is predefined"),
            )
            .label("it cannot be declared again")
            .help("choose another name"),
        };
        self.error(error);
    }

    /// Warns of types, symbols and predicates that nothing mentions.
    pub(super) fn unused_declarations(&mut self, items: &'f [Item<'s>]) {
        let mut predicates = 0..;
        for item in items {
            let (what, name) = match item {
                Item::Type(declaration) => {
                    let ty = self.types[declaration.name.text].what;
                    if self.used_types.contains(&ty) {
                        continue;
                    }
                    ("type", declaration.name)
                }
                Item::Symbol(declaration) => {
                    let used = match self.globals[declaration.name.text].what {
                        Global::Symbol(id) => self.used_symbols.contains(&id),
                        Global::Constructor(..) => true,
                    };
                    if used {
                        continue;
                    }
                    let what = match declaration.keyword {
                        SymbolKeyword::Const => "constant",
                        SymbolKeyword::Var => "variable",
                        SymbolKeyword::Array => "array",
                    };
                    (what, declaration.name)
                }
                Item::Predicate(declaration) => {
                    let index = predicates.next().expect("the range is endless");
                    if self.predicate_list[index].used {
                        continue;
                    }
                    ("predicate", declaration.name)
                }
                _ => continue,
            };
            self.warning(
                Diagnostic::warning(
                    Code::Unused,
                    name.span,
                    format!("the {what} `{}` is never used", name.text),
                )
                .label("declared here")
                .help("remove it, or use it"),
            );
        }
    }
}
