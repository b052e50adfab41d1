//! Types, symbols and predicates: the tables of names.

use crate::diagnostic::{Code, Diagnostic};
use crate::span::{Origin, Span};
use crate::syntax::{Item, ItemKind, Name, NumberProcs, SymbolDeclaration, TypeDeclaration};
use crate::system::{
    AbstractType, AbstractTypeId, Enumeration, EnumerationId, Processes, Symbol, SymbolId, SymbolKind, Type,
};

use crate::uses::{DefinitionKind, Role};

use super::{Checker, Declared, Global, without_case};

impl<'s, 'f> Checker<'s, 'f> {
    pub(super) fn declarations(&mut self, items: &'f [Item<'s>]) {
        for item in items {
            match &item.kind {
                ItemKind::NumberProcs(declaration) => self.number_procs(declaration, item.span),
                ItemKind::Type(declaration) => self.type_declaration(declaration, item.span),
                _ => {}
            }
        }
        for item in items {
            match &item.kind {
                ItemKind::Symbol(declaration) => self.symbol_declaration(declaration, item.span),
                ItemKind::Predicate(declaration) => self.predicate_declaration(declaration, item.span),
                _ => {}
            }
        }
    }

    fn number_procs(&mut self, declaration: &NumberProcs<'s>, span: Span) {
        if let Some(first) = self.number_procs {
            let error = Diagnostic::error(Code::DuplicateName, span, "`number_procs` is given twice");
            self.error(error.label("again here").also(first, "first here").help("keep one of them"));
            return;
        }
        self.number_procs = Some(span);
        match declaration.count.text.parse::<u32>() {
            Ok(0) => self.warning(
                Diagnostic::warning(Code::Unused, span, "`number_procs 0` says nothing")
                    .label("the number of processes stays open")
                    .help("remove it"),
            ),
            Ok(count) if !declaration.negative => self.system.processes = Processes::Exactly(count),
            _ => self.error(
                Diagnostic::error(Code::ProcessConstant, span, "this is no number of processes")
                    .label("expected a number from 1 to 4294967295")
                    .help("leave `number_procs` out to verify the model for every number of processes"),
            ),
        }
    }

    fn type_declaration(&mut self, declaration: &TypeDeclaration<'s>, span: Span) {
        let name = declaration.name.text.to_owned();
        self.define_global(declaration.name, DefinitionKind::Type, span);
        for &constructor in declaration.constructors.iter().flatten() {
            self.define_global(constructor, DefinitionKind::Constructor, span);
        }
        if let Some(&Declared { span: first, .. }) = self.types.get(declaration.name.text) {
            self.duplicate("type", declaration.name, first);
            self.unread.extend(declaration.constructors.iter().flatten().map(|name| without_case(name.text)));
            return;
        }
        let origin = Origin(span);
        let ty = match &declaration.constructors {
            None => {
                let id = AbstractTypeId(self.system.abstract_types.len() as u32);
                self.system.abstract_types.push(AbstractType { name, origin });
                Type::Abstract(id)
            }
            Some(constructors) => {
                let id = EnumerationId(self.system.enumerations.len() as u32);
                let mut enumeration = Enumeration { name, constructors: Vec::new(), origin };
                for &constructor in constructors {
                    let index = enumeration.constructors.len() as u32;
                    if self.declare_global(constructor, Global::Constructor(id, index)) {
                        enumeration.constructors.push(constructor.text.to_owned());
                    }
                }
                self.system.enumerations.push(enumeration);
                Type::Enumeration(id)
            }
        };
        self.types.insert(declaration.name.text, Declared { what: ty, span: Some(declaration.name.span) });
    }

    fn symbol_declaration(&mut self, declaration: &SymbolDeclaration<'s>, span: Span) {
        self.define_global(declaration.name, DefinitionKind::Symbol(declaration.kind), span);
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
        let id = SymbolId(self.system.symbols.len() as u32);
        if self.declare_global(declaration.name, Global::Symbol(id)) {
            let (name, origin) = (declaration.name.text.to_owned(), Origin(declaration.name.span));
            self.system.symbols.push(Symbol { name, kind: declaration.kind, ty, origin });
        }
    }

    fn find_type(&mut self, name: Name<'s>) -> Option<Type> {
        if let Some(&Declared { what, span }) = self.types.get(name.text) {
            self.used_types.insert(what);
            self.note(name.span, span, Role::Reads);
            return Some(what);
        }
        let mut known = self.suggestions(&self.types);
        known.retain(|&name| name != "mbool");
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
        if let Some(&Declared { span: first, .. }) = self.globals.get(name.text) {
            self.duplicate("name", name, first);
            return false;
        }
        self.globals.insert(name.text, Declared { what, span: Some(name.span) });
        true
    }

    pub(super) fn duplicate(&mut self, what: &str, name: Name<'s>, first: Option<Span>) {
        let error = |said: &str| {
            let message = format!("the {what} `{}` is {said}", name.text);
            Diagnostic::error(Code::DuplicateName, name.span, message)
        };
        self.error(match first {
            Some(first) => error("declared twice")
                .label("again here")
                .also(first, "first declared here")
                .help("rename one of them"),
            None => error("predefined").label("it cannot be declared again").help("choose another name"),
        });
    }

    pub(super) fn unused_declarations(&mut self, items: &'f [Item<'s>]) {
        let mut predicates = self.predicate_list.iter();
        let mut unused = Vec::new();
        for item in items {
            let (what, name, used) = match &item.kind {
                ItemKind::Type(declaration) => {
                    let ty = self.types[declaration.name.text].what;
                    ("type", declaration.name, self.used_types.contains(&ty))
                }
                ItemKind::Symbol(declaration) => {
                    let used = match self.globals[declaration.name.text].what {
                        Global::Symbol(id) => self.used_symbols.contains(&id),
                        Global::Constructor(..) => true,
                    };
                    let what = match declaration.kind {
                        SymbolKind::Constant => "constant",
                        SymbolKind::Variable => "variable",
                        SymbolKind::Array { .. } => "array",
                    };
                    (what, declaration.name, used)
                }
                ItemKind::Predicate(declaration) => {
                    let entry = predicates.next().expect("every predicate has an entry");
                    ("predicate", declaration.name, entry.used)
                }
                _ => continue,
            };
            if !used {
                let message = format!("the {what} `{}` is never used", name.text);
                unused.push(Diagnostic::warning(Code::Unused, name.span, message));
            }
        }
        for warning in unused {
            self.warning(warning.label("declared here").help("remove it, or use it"));
        }
    }
}
