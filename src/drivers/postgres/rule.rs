//! The rule of a view, and the expressions of indexes, CHECKs and statistics: what their stored trees call and read.
//!
//! The planner puts this tree in the place of the view, so everything in it may run. The tree is stored as text
//! (`pg_rewrite.ev_action`); it is read here node by node. A node or a field that is not listed ends the proof, so that a
//! newer server's constructs are refused until somebody has looked at them.
//!
//! Source: the PostgreSQL source, `nodes/primnodes.h` and `nodes/parsenodes.h` of versions 12 to 18.

use super::catalog::FIRST_USER_OID;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Nodes that compute, select, join and group.
const NODES: &str = "\
    AGGREF ALIAS ARRAY ARRAYCOERCEEXPR ARRAYEXPR BOOLEANTEST BOOLEXPR CASE CASEEXPR \
    CASETESTEXPR CASEWHEN COALESCE COALESCEEXPR COERCETODOMAIN COERCEVIAIO COLLATE COLLATEEXPR \
    COMMONTABLEEXPR CONST CTECYCLECLAUSE CTESEARCHCLAUSE DISTINCTEXPR FIELDSELECT FROMEXPR \
    FUNCEXPR GROUPINGFUNC GROUPINGSET JOINEXPR MINMAX MINMAXEXPR NULLIFEXPR NULLTEST OPEXPR \
    PARAM QUERY RANGETBLENTRY RANGETBLFUNCTION RANGETBLREF RELABELTYPE ROW ROWCOMPARE \
    ROWCOMPAREEXPR ROWEXPR RTE RTEPERMISSIONINFO SCALARARRAYOPEXPR SETOPERATIONSTMT \
    SORTGROUPCLAUSE SQLVALUEFUNCTION SUBLINK SUBSCRIPTINGREF TARGETENTRY VAR WHEN WINDOWCLAUSE \
    WINDOWFUNC XMLEXPR";

/// Fields with functions.
const FUNCTIONS: &str = "\
    aggfnoid endInRangeFunc funcid hashfuncid negfuncid opfuncid startInRangeFunc winfnoid";
/// Fields with operators.
const OPERATORS: &str = "\
    cycle_mark_neop eqop opno opnos sortop";
/// Fields with types.
const TYPES: &str = "\
    aggargtypes aggtranstype aggtype array_typeid casetype coalescetype colTypes coltypes \
    consttype ctecoltypes cycle_mark_type element_typeid funccoltypes funcresulttype minmaxtype \
    opresulttype paramtype refcontainertype refelemtype refrestype resulttype row_typeid type \
    typeId vartype wintype";
/// Fields with collations.
const COLLATIONS: &str = "\
    aggcollid array_collid casecollid coalescecollid colCollations colcollations collation \
    collOid constcollid ctecolcollations cycle_mark_collation endInRangeColl funccolcollations \
    funccollid inputcollid inputcollids inRangeColl minmaxcollid opcollid paramcollid refcollid \
    resultcollid startInRangeColl varcollid wincollid";
/// Fields with operator families.
const FAMILIES: &str = "opfamilies";
/// Fields with relations.
const RELATIONS: &str = "relid";

/// Fields that name nothing outside the tree, or whose value is a part of the tree.
const PLAIN: &str = "\
    agg_partial aggdirectargs aggdistinct aggfilter aggkind agglevelsup aggno aggorder \
    aggpresorted aggsplit aggstar aggtransno aggvariadic alias aliascolnames aliasname all arg \
    arg_names argisrow args arraycoerceformat arrayformat boolop booltesttype byval canSetTag \
    casetypmod checkAsUser coerceformat coercionformat coldeflist colexprs colname colnames \
    cols colTypmods coltypmods commandType constbyval constisnull constlen constraintDeps \
    consttypmod constvalue content copiedOrder correlation ctecolnames ctecoltypmods \
    ctelevelsup cteList ctematerialized ctename ctequery cterecursive cterefcount cycle_clause \
    cycle_col_list cycle_mark_column cycle_mark_default cycle_mark_typmod cycle_mark_value \
    cycle_path_column defaultResult defname defresult distinctClause elements elemexpr \
    endOffset enrname enrtuples eref exclRelIndex exclRelTlist expr extraUpdatedCols fieldnum \
    frameOptions fromlist funccolcount funccolnames funccoltypmods funcexpr funcformat \
    funcordinality funcparams funcretset functions funcvariadic groupClause groupClauses \
    groupDistinct groupexprs groupingSets hasAggs hasDistinctOn hasForUpdate hasGroupRTE \
    hashable hasModifyingCTE hasRecursive hasRowSecurity hasSubLinks hasTargetSRFs \
    hasWindowFuncs havingQual indent inFromCl inh inRangeAsc inRangeNullsFirst insertedCols \
    is_ivm isall isDone isNatural isReturn join_using_alias joinaliasvars joinleftcols \
    joinmergedcols joinrightcols jointree jointype jpexpr kind larg larglist largs lateral \
    limitCount limitOffset limitOption list_args list_end list_start location locktype \
    mergeActionList mergeJoinCondition mergeTargetRelation mergeUseOuterJoin multidims name \
    named_args newvals nodistinct nullingrels nulls_first nulltesttype numaggs off onConflict \
    onconflict op operName opretset orderClause override paramid paramkind paramtypmod \
    partitionClause perminfoindex plan_id quals querySource querysource rangetblfunctions rarg \
    rargs rctype refaltmod refassgnexpr refexpr reflowerindexpr refname refnestlevel refs \
    reftypmod refupperindexpr relabelformat relkind rellockmode relname requiredPerms resjunk \
    resname resno resorigcol resorigtbl ressortgroupref result resultRelation resulttypmod \
    returningList returningNewAlias returningOldAlias reverse_sort row_format rowMarks rtable \
    rtekind rteperminfos rtindex runCondition runcondition schemaname search_breadth_first \
    search_clause search_col_list search_seq_column security_barrier securityQuals selectedCols \
    self_reference setOperations skip_locked sortClause startOffset stmt_len stmt_location \
    subLinkId subLinkType subquery subselect tableOid tableref tablesample targetList testexpr \
    tleSortGroupRef typeMod typmod updatedCols useOr useOrderby using usingClause utilityStmt \
    val values_lists varattno varattnosyn varlevelsup varno varnoold varnosyn varnullingrels \
    varoattno varreturningtype vartypmod wargs wcoldeflist winagg winclause windowClause \
    winfilter winpcxt winref winstar withCheckOptions xexpr xmloption";

/// What the values of a field name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Function,
    Operator,
    Relation,
    /// A type, a collation or a family.
    Other,
    Nothing,
}

/// Each known field. Made once: every read of a table with an expression looks many up.
static FIELDS: LazyLock<BTreeMap<&str, Meaning>> = LazyLock::new(|| {
    let of = |words: &'static str, meaning| {
        words.split_ascii_whitespace().map(move |word| (word, meaning))
    };
    of(PLAIN, Meaning::Nothing)
        .chain(of(FUNCTIONS, Meaning::Function))
        .chain(of(OPERATORS, Meaning::Operator))
        .chain(of(RELATIONS, Meaning::Relation))
        .chain(
            [TYPES, COLLATIONS, FAMILIES].into_iter().flat_map(|words| of(words, Meaning::Other)),
        )
        .collect()
});

/// What a rule names outside itself.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) functions: BTreeSet<u32>,
    pub(super) operators: BTreeSet<u32>,
    /// Types, collations and operator families: they only have to be built in.
    pub(super) others: BTreeSet<u32>,
    pub(super) relations: BTreeSet<u32>,
}

/// Why a rule cannot be proven.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unknown(pub(super) String);

/// Reads the stored tree.
pub(super) fn read(tree: &str) -> Result<Named, Unknown> {
    let mut named = Named::default();
    let mut tokens = Tokens { rest: tree };
    let mut depth = 0_usize;
    // The field whose values come, by the depth of its node.
    let mut fields: Vec<Option<(&str, Meaning)>> = Vec::new();
    while let Some(token) = tokens.next() {
        match token {
            Token::Open => {
                depth += 1;
                let Some(Token::Word(node)) = tokens.next() else {
                    return Err(Unknown("a node without a name".to_owned()));
                };
                if !NODES.split_ascii_whitespace().any(|known| known == node) {
                    return Err(Unknown(format!("the node {node}")));
                }
                fields.push(None);
            }
            Token::Close => {
                depth = depth.checked_sub(1).ok_or_else(|| Unknown("its end".to_owned()))?;
                fields.pop();
            }
            Token::Field(field) => {
                let Some(meaning) = FIELDS.get(field) else {
                    return Err(Unknown(format!("the field {field}")));
                };
                if let Some(last) = fields.last_mut() {
                    *last = Some((field, *meaning));
                }
            }
            Token::Word(word) => {
                if let Some(Some((field, meaning))) = fields.last() {
                    named.note(field, *meaning, word)?;
                }
            }
        }
    }
    if depth == 0 { Ok(named) } else { Err(Unknown("its end".to_owned())) }
}

impl Named {
    /// Whether everything that is called, and every type, is built in.
    pub(super) fn is_built_in(&self) -> bool {
        let mut all = self.functions.iter().chain(&self.operators).chain(&self.others);
        all.all(|oid| *oid < FIRST_USER_OID)
    }

    /// Whether something of it runs what a number or a text says.
    pub(super) fn is_indirect(&self, indirect: &BTreeSet<u32>) -> bool {
        !self.functions.is_disjoint(indirect)
    }

    fn note(&mut self, field: &str, meaning: Meaning, word: &str) -> Result<(), Unknown> {
        let forbidden = match field {
            // 1 is SELECT.
            "commandType" => word != "1",
            "hasModifyingCTE" | "hasForUpdate" => word != "false",
            "resultRelation" => word != "0",
            "utilityStmt" | "tablesample" | "rowMarks" | "onConflict" | "withCheckOptions"
            | "mergeActionList" | "returningList" => word != "<>",
            // Tables of XML and JSON, and what a trigger sees.
            "rtekind" => matches!(word, "4" | "7"),
            _ => false,
        };
        if forbidden {
            return Err(Unknown(format!("{field} {word}")));
        }
        let set = match meaning {
            Meaning::Function => &mut self.functions,
            Meaning::Operator => &mut self.operators,
            Meaning::Relation => &mut self.relations,
            Meaning::Other => &mut self.others,
            Meaning::Nothing => return Ok(()),
        };
        // A list of OIDs begins with the letter o.
        if matches!(word, "o" | "<>") {
            return Ok(());
        }
        let oid: u32 = word.parse().map_err(|_| Unknown(format!("{field} {word}")))?;
        if oid != 0 {
            set.insert(oid);
        }
        Ok(())
    }
}

/// A part of the text.
enum Token<'a> {
    Open,
    Close,
    Field(&'a str),
    Word(&'a str),
}

/// Splits the text (PostgreSQL source, `nodes/read.c`): braces around nodes, parentheses around lists, a colon before a
/// field, a backslash before a character that stands for itself.
struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        self.rest = self.rest.trim_start_matches([' ', '\n', '\t', '(', ')', '[', ']']);
        let first = self.rest.chars().next()?;
        if matches!(first, '{' | '}') {
            self.rest = self.rest.get(1..)?;
            return Some(if first == '{' { Token::Open } else { Token::Close });
        }
        let (word, rest) = self.rest.split_at_checked(self.end_of_word())?;
        self.rest = rest;
        Some(word.strip_prefix(':').map_or(Token::Word(word), Token::Field))
    }
}

impl Tokens<'_> {
    fn end_of_word(&self) -> usize {
        let mut is_escaped = false;
        for (at, letter) in self.rest.char_indices() {
            if is_escaped {
                is_escaped = false;
            } else if letter == '\\' {
                is_escaped = true;
            } else if at > 0 && matches!(letter, ' ' | '\n' | '\t' | '(' | ')' | '{' | '}') {
                return at;
            }
        }
        self.rest.len()
    }
}
