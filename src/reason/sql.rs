//! Reasons for which a text is refused before any database sees it.
//!
//! Grouped as the proof works: the text, the kind of statement, clauses, tables, names,
//! expressions, limits. What never lives here: words taken from the refused text.

super::reasons!(
    /// Why a text has no verified statement.
    SqlReason {
        /// More than one statement in the text.
        SecondStatement => "second_statement", "Send exactly one statement; a second one never runs.";
        /// Nothing but spaces and comments.
        EmptyText => "empty_text", "The text holds no statement. Send one SELECT.";
        /// A NUL character anywhere.
        NulCharacter => "nul_character", "The text holds a NUL character. Remove it.";
        /// A character that is no SQL, or that cannot be seen, outside a string.
        UnusualCharacter => "unusual_character", "A character outside strings and quoted names is no SQL or cannot be seen. Use plain spaces and ASCII punctuation.";
        /// A control or direction character in a string.
        ControlCharacter => "control_character", "A string holds a control or text-direction character that a person could not see. Remove it.";
        /// `/*! … */` and `/*M! … */`.
        ExecutableComment => "executable_comment", "Comments that some servers execute (/*! */ and /*M! */) are refused. Write the statement plainly.";
        /// `/*+ … */` and keyword hints.
        Hint => "hint", "Optimizer hints and SELECT modifiers are refused. Leave them out.";
        /// `--` that MySQL does not read as a comment.
        DashComment => "dash_comment", "A space must follow -- in a comment here. Add it, or leave the comment out.";
        /// `#` comments and operators.
        HashComment => "hash_comment", "The character # is refused outside strings. Use -- for a comment.";
        /// A block comment in a block comment.
        NestedComment => "nested_comment", "Comments inside comments are refused: servers end them at different places.";
        /// A carriage return that ends a line comment only on some servers.
        CommentCarriageReturn => "comment_carriage_return", "A -- comment holds a lone carriage return. End the line with a newline.";
        /// A string, name or comment without its end.
        Unterminated => "unterminated", "A string, quoted name or comment has no end. Close it.";
        /// A string form whose meaning depends on settings.
        StringForm => "string_form", "Only plain 'strings' are supported: no E'', U&'', N'', B'', X'' or other prefix, and no $$ strings.";
        /// Two strings side by side.
        AdjacentStrings => "adjacent_strings", "Two strings stand side by side. Write them as one string.";
        /// A backslash in a string of MySQL or MariaDB.
        Backslash => "backslash", "A backslash in a string means different things by server setting. Leave it out, or compare in another way.";
        /// A number that is not `digits[.digits][e digits]`.
        NumberForm => "number_form", "Write numbers as 12, 12.5 or 1.5e3: no hexadecimal, underscore, leading or trailing point, or letters.";
        /// A quoted name in brackets, or an array.
        Bracket => "bracket", "Square brackets are refused. Quote names with the quote character of the engine; arrays are not supported.";
        /// `{fn …}` escapes.
        Brace => "brace", "Braces are refused: some servers call functions through them.";
        /// `?`, `$1`, `:name`.
        Placeholder => "placeholder", "Placeholders are not supported. Write the value as a literal.";
        /// `@name` and `@@name`.
        Variable => "variable", "Variables are refused. Write the value as a literal.";
        /// Not SQL that can be read.
        Syntax => "syntax", "The statement could not be read. Send one plain SELECT in the dialect of the source.";

        /// INSERT, UPDATE, DELETE, MERGE, REPLACE, TRUNCATE.
        WriteStatement => "write_statement", "This path only reads; it never changes data. Send one SELECT.";
        /// CREATE, ALTER, DROP and their like.
        DefinitionStatement => "definition_statement", "This path only reads; it never defines or drops objects. Send one SELECT.";
        /// Transaction control and locks.
        TransactionStatement => "transaction_statement", "Transactions and locks are handled by DBeast. Send only the SELECT.";
        /// SET, RESET, USE, PRAGMA.
        SettingStatement => "setting_statement", "Settings cannot be changed or read on the read path.";
        /// GRANT, REVOKE.
        PrivilegeStatement => "privilege_statement", "Privileges cannot be changed on the read path.";
        /// CALL, DO, PREPARE, EXECUTE.
        CodeStatement => "code_statement", "Calling procedures, prepared statements or code blocks is refused. Send one plain SELECT.";
        /// COPY, LOAD.
        FileStatement => "file_statement", "Statements that move data through files or programs are refused.";
        /// ATTACH, DETACH, VACUUM, ANALYZE and other upkeep.
        MaintenanceStatement => "maintenance_statement", "Maintenance statements are refused on the read path.";
        /// EXPLAIN, DESCRIBE.
        ExplainStatement => "explain_statement", "EXPLAIN and DESCRIBE are not supported. Use describe_table for columns.";
        /// SHOW.
        ShowStatement => "show_statement", "SHOW is not supported. Use list_tables and describe_table.";
        /// VALUES, TABLE.
        ValuesStatement => "values_statement", "VALUES and TABLE are not supported yet. Write SELECT … FROM schema.table.";
        /// No write of one table.
        NotATableWrite => "not_a_table_write", "A table write is one INSERT, UPDATE or DELETE of one schema.table.";
        /// A clause that a write of one table does not have.
        TableWriteClause => "table_write_clause", "A table write takes no alias, FROM, USING, join, upsert, modifier, RETURNING, ORDER BY or LIMIT. Leave it out, or ask with request_sql.";
        /// INSERT in another form.
        InsertColumns => "insert_columns", "INSERT names its columns and gives each row as many plain values: INSERT INTO schema.table (a, b) VALUES (1, 2).";
        /// Any other first word.
        NotASelect => "not_a_select", "The statement must start with SELECT or WITH.";

        /// WITH where none can stand.
        CommonTable => "common_table", "WITH is only supported at the start of a SELECT, with one plain SELECT for each name. On MariaDB an inner WITH cannot use the names of an outer one.";
        /// WITH RECURSIVE.
        RecursiveCommonTable => "recursive_common_table", "WITH RECURSIVE is not supported. Write WITH name AS (SELECT …), using only the names before it.";
        /// UNION, EXCEPT, INTERSECT in a form that some engine does not have.
        SetOperation => "set_operation", "Combine plain SELECTs from left to right with UNION [ALL], EXCEPT or INTERSECT (ALL only for UNION on SQLite). Put what has its own LIMIT or grouping into FROM (…) AS alias.";
        /// ORDER BY that combined rows do not have.
        CombinedOrder => "combined_order", "After UNION, EXCEPT or INTERSECT, ORDER BY takes output names or positions only.";
        /// A SELECT where none can stand.
        Subquery => "subquery", "A SELECT cannot stand here. Reads take subqueries in FROM, after IN and EXISTS and as a value; table writes take none.";
        /// A SELECT of several columns where one is needed.
        SubqueryColumns => "subquery_columns", "A subquery that stands for a value, or after IN, has exactly one output column, and no wildcard.";
        /// A SELECT in FROM without a name.
        DerivedAlias => "derived_alias", "A subquery in FROM needs an alias: (SELECT …) AS name.";
        /// INTO in any form.
        Into => "into", "SELECT INTO stores its result somewhere and is refused. Leave INTO out.";
        /// FOR UPDATE, FOR SHARE, LOCK IN SHARE MODE.
        RowLock => "row_lock", "Row locks are refused on the read path. Leave FOR UPDATE, FOR SHARE or LOCK out.";
        /// FETCH FIRST, TOP, LIMIT BY.
        FetchClause => "fetch_clause", "Write LIMIT and OFFSET; FETCH, TOP and LIMIT BY are not supported.";
        /// LIMIT or OFFSET that is no plain number.
        LimitNumber => "limit_number", "LIMIT and OFFSET take plain whole numbers of at most 18 digits.";
        /// OFFSET alone where the engine has none.
        OffsetWithoutLimit => "offset_without_limit", "OFFSET needs a LIMIT here. Add one.";
        /// The structured read is out of its bounds.
        ReadBounds => "read_bounds", "read_table takes 1 to 64 columns, a limit of 1 to 500 and an offset of 0 to 1000000.";
        /// DISTINCT ON.
        DistinctOn => "distinct_on", "DISTINCT ON is not supported. Use DISTINCT or GROUP BY.";
        /// ROLLUP, CUBE, GROUPING SETS, GROUP BY ALL.
        GroupingSets => "grouping_sets", "ROLLUP, CUBE, GROUPING SETS and GROUP BY ALL are not supported. Group by plain expressions.";
        /// OVER, WINDOW, QUALIFY.
        Window => "window", "Window functions are not supported. Use GROUP BY.";
        /// A constant that a clause cannot sort or group by.
        ConstantKey => "constant_key", "ORDER BY and GROUP BY take columns, expressions or the position of an output column, no other constant.";
        /// NULLS FIRST where the engine has none.
        NullsOrder => "nulls_order", "NULLS FIRST and NULLS LAST do not exist on this engine. Sort by (column IS NULL) first.";
        /// A clause of another system.
        Clause => "clause", "A clause of this SELECT is not supported. Use WHERE, GROUP BY, HAVING, ORDER BY and LIMIT only.";
        /// A wildcard that cannot be used here.
        Wildcard => "wildcard", "A wildcard stands where none is possible, or twice. Use * or alias.* once, in a SELECT with FROM, or count(*).";
        /// No output column.
        EmptyProjection => "empty_projection", "The SELECT has no output column. Name at least one.";

        /// A table without schema.
        UnqualifiedTable => "unqualified_table", "Name each table as schema.table: for example public.orders, shop.orders (database.table) or main.orders on SQLite.";
        /// A table name of three parts or more.
        TableNameParts => "table_name_parts", "A table has exactly two names: schema.table.";
        /// A table of the system.
        SystemTable => "system_table", "System schemas and tables are not readable. Use list_tables and describe_table.";
        /// SQLite outside main.
        SchemaNotMain => "schema_not_main", "On SQLite only tables of main can be read: write main.table.";
        /// A function or a generated set of rows in FROM.
        TableFunction => "table_function", "Functions, VALUES and UNNEST in FROM are not supported. Read from schema.table only.";
        /// TABLESAMPLE, ONLY, PARTITION, AS OF, index hints.
        TableModifier => "table_modifier", "TABLESAMPLE, ONLY, PARTITION, index hints and versions of tables are not supported. Write schema.table AS alias.";
        /// LATERAL, APPLY.
        Lateral => "lateral", "LATERAL and APPLY are not supported. Use a plain join.";
        /// `t AS t(a, b)`.
        AliasColumns => "alias_columns", "An alias cannot rename the columns of a table. Write AS alias only, and rename in the SELECT list.";
        /// `(a JOIN b …)`.
        NestedJoin => "nested_join", "Joins in parentheses are not supported. Write one join after another, each with its own ON.";
        /// NATURAL JOIN.
        NaturalJoin => "natural_join", "NATURAL JOIN is not supported. Name the columns with ON or USING.";
        /// A join without condition, or CROSS JOIN with one.
        JoinCondition => "join_condition", "A join needs ON or USING, and CROSS JOIN takes neither.";
        /// A kind of join that the engine or DBeast does not have.
        JoinKind => "join_kind", "This kind of join is not supported here. Use INNER, LEFT, RIGHT or CROSS JOIN; FULL JOIN on PostgreSQL and SQLite.";
        /// An alias of a join.
        JoinAlias => "join_alias", "A join cannot have an alias of its own. Leave it out.";
        /// Two aliases that some server takes for one.
        DuplicateAlias => "duplicate_alias", "Two tables have the same alias. Give each its own, differing in more than letter case.";

        /// A name that is empty, too long or cannot exist.
        NameForm => "name_form", "A name is empty, too long for the engine, or holds characters that cannot be seen.";
        /// An output name in string quotes.
        StringAlias => "string_alias", "A name stands in string quotes. Write it plainly, or in the name quotes of the engine.";
        /// An unquoted name whose letter case is unclear.
        NameCase => "name_case", "An unquoted name holds non-ASCII capital letters. Quote it exactly as the database spells it.";
        /// An alias that FROM does not have.
        UnknownAlias => "unknown_alias", "A column names a table or alias that is not in FROM. Use the alias given there.";
        /// A column that a subquery does not give by name.
        UnknownColumn => "unknown_column", "The subquery or WITH name has no output of this name that is certain. Name the column in its SELECT list, with AS if it is an expression.";
        /// A bare name that is also an alias.
        WholeRow => "whole_row", "A name stands alone that is an alias of FROM; it could mean the whole row. Write alias.column.";
        /// A column with three names or more.
        ColumnNameParts => "column_name_parts", "Write columns as column or alias.column; give the table an alias instead of repeating its schema.";
        /// A column of the system.
        SystemColumn => "system_column", "System columns (ctid, xmin, rowid and their like) are not readable. Name the columns that describe_table lists.";
        /// A value function without parentheses.
        ValueFunction => "value_function", "Names like current_user or current_timestamp call functions. If you mean a column, write alias.column.";

        /// A function that is not listed.
        Function => "function", "This function is not supported on this engine. Supported: count, sum, avg, min, max, abs, lower, upper, length, char_length, octet_length, round, coalesce, nullif (char_length not on SQLite).";
        /// A function name that is quoted or qualified.
        FunctionName => "function_name", "Write function names plainly: unquoted, without a schema, in ASCII letters.";
        /// A wrong number or form of arguments.
        FunctionArguments => "function_arguments", "The function is called with arguments it does not take here. Use plain arguments in the usual number.";
        /// FILTER, WITHIN GROUP, ORDER BY in a call.
        FunctionClause => "function_clause", "FILTER, WITHIN GROUP, ORDER BY and NULLS clauses in a function call are not supported.";
        /// CAST, ::, CONVERT, typed literals.
        Cast => "cast", "Casts and typed literals are not supported. Compare with a plain literal of the right form.";
        /// COLLATE.
        Collation => "collation", "COLLATE is not supported. Leave it out.";
        /// An operator that is not listed.
        Operator => "operator", "This operator is not supported. Use + - * / %, = <> < <= > >=, AND OR NOT, IS NULL, LIKE, BETWEEN and IN.";
        /// `||` where it can mean OR.
        ConcatenationMeaning => "concatenation_meaning", "On MySQL and MariaDB || means OR or concatenation by server setting. Use OR, or join the texts yourself.";
        /// Operators of one level that engines group differently.
        AmbiguousGrouping => "ambiguous_grouping", "Databases group these operators differently. Add parentheses to say what belongs together.";
        /// ESCAPE that is not one plain character.
        EscapeCharacter => "escape_character", "ESCAPE takes one plain character, for example LIKE '50!%' ESCAPE '!'.";
        /// An expression of a kind that is not listed.
        Expression => "expression", "This kind of expression is not supported. Use columns, literals, simple operators, CASE and the listed functions.";

        /// The text is longer than the contract allows.
        TooLong => "too_long", "The statement is too long. At most 65536 bytes are read, also after normalisation.";
        /// Too many words and symbols.
        TooManyTokens => "too_many_tokens", "The statement has too many words or symbols. Send smaller parts.";
        /// Too deep nesting.
        TooDeep => "too_deep", "The statement is nested too deeply. Simplify it.";
        /// Too many expression nodes or list items.
        TooManyParts => "too_many_parts", "A list in the statement, or all its expressions together, are too long. Send smaller parts.";
        /// A literal that is too long.
        LiteralTooLong => "literal_too_long", "A literal is too long. Strings may have 8192 bytes, patterns 1024, numbers 64 digits with exponents up to 99.";
        /// More than 16 tables.
        TooManyTables => "too_many_tables", "A statement can name at most 16 tables.";
        /// More than 32 aliases.
        TooManyAliases => "too_many_aliases", "A statement can have at most 32 aliases.";
        /// The rendered text did not give the same statement.
        NotReproducible => "not_reproducible", "DBeast could not prove that its normalised text means the same. Write the statement in a simpler form.";
    }
);
