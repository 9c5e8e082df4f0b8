//! Every bound of the SQL proof, each with its reason. What never lives here: checks.

/// Longest text that is read, and longest text that is rendered: the contract's 64 KiB.
pub const SQL_BYTES_MAX: usize = 65_536;

/// Physical tables in one statement, from the contract. Each one is proven and pinned.
pub(super) const TABLES_MAX: usize = 16;

/// Aliases in one statement, from the contract. A table without alias counts as one.
pub(super) const ALIASES_MAX: usize = 32;

/// Lexemes of one statement: bounds the parser's memory, far above what a text for people has.
pub(super) const LEXEMES_MAX: usize = 12_000;

/// Unquoted words and operators of one statement. Each can make the parser's tree one level
/// deeper (`1+1+1…`, `a IS NULL IS NULL…`), and a tree is dropped recursively, so this bounds
/// the stack. Literals, commas and quoted names cannot deepen a tree and are not counted.
pub(super) const CHAIN_LEXEMES_MAX: usize = 2_000;

/// Parentheses inside parentheses in a text. The writer needs at most one per level of
/// [`EXPRESSION_DEPTH_MAX`], one per level of [`QUERY_DEPTH_MAX`], and one more for a list.
pub(super) const PARENTHESES_MAX: usize = 48;

/// Levels of recursion that the parser may use for one text.
pub(super) const PARSER_RECURSION_MAX: usize = 160;

/// Stack that must be left wherever the parser goes one level deeper, or it goes on with a new piece. One level
/// of FROM takes 190 KiB in a build that is not optimised (42 KiB in one that is); the parser itself would
/// see to 128.
pub(super) const PARSER_STACK_BYTES: usize = 512 * 1024;

/// Levels of a typed expression. Operands of one AND, OR or || chain count as one level.
pub(super) const EXPRESSION_DEPTH_MAX: usize = 32;

/// Nodes of all typed expressions together: bounds planning time in the engine.
pub(super) const EXPRESSION_NODES_MAX: usize = 2_000;

/// Queries inside queries: in WITH, in FROM and in expressions.
pub(super) const QUERY_DEPTH_MAX: usize = 8;

/// SELECTs combined by UNION and its like.
pub(super) const ARMS_MAX: usize = 32;

/// Rows of one INSERT.
pub(super) const INSERT_ROWS_MAX: usize = 500;

/// Items of one IN list.
pub(super) const IN_ITEMS_MAX: usize = 1_000;

/// Output items of one SELECT, and columns of one USING.
pub(super) const OUTPUTS_MAX: usize = 256;

/// Items of GROUP BY or of ORDER BY: engines copy every key for every row.
pub(super) const KEYS_MAX: usize = 64;

/// WHEN branches of one CASE.
pub(super) const BRANCHES_MAX: usize = 64;

/// Arguments of one coalesce.
pub(super) const ARGUMENTS_MAX: usize = 32;

/// Bytes of one string literal.
pub(super) const STRING_BYTES_MAX: usize = 8_192;

/// Bytes of one LIKE pattern: matching cost grows with pattern times text. SQLite takes no
/// longer ones.
pub(super) const PATTERN_BYTES_MAX: usize = 1_000;

/// Bytes of all LIKE patterns of one statement; a computed pattern counts as the longest. One
/// match of a pattern of 1,000 bytes against a value of 1 MiB was measured to take five seconds,
/// and SQLite looks at nothing, not even its deadline, between the matches of one row.
pub(super) const PATTERNS_BYTES_MAX: usize = 4_096;

/// Characters of one number, without its exponent: every engine keeps 64 digits exactly or
/// says so.
pub(super) const NUMBER_DIGITS_MAX: usize = 64;

/// Largest exponent of a number. Exact engines write the exponent out as digits.
pub(super) const EXPONENT_MAX: u32 = 99;

/// Digits of LIMIT and OFFSET: they fit 64 bits.
pub(super) const LIMIT_DIGITS_MAX: usize = 18;

/// Columns, rows and offset of the broker's own structured read, from the contract.
pub(super) const READ_COLUMNS_MAX: usize = 64;
/// See [`READ_COLUMNS_MAX`].
pub(super) const READ_ROWS_MAX: u32 = 500;
/// See [`READ_COLUMNS_MAX`].
pub(super) const READ_OFFSET_MAX: u32 = 1_000_000;
