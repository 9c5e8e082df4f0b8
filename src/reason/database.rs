//! Reasons that only the database can give: sources that cannot be read, tables that cannot be
//! proven, statements that the database itself refuses, limits, and failed executions.

super::reasons!(
    /// Why a database refused or failed.
    DatabaseReason {
        // The source itself.

        /// The file of the source is not there.
        SourceMissing: Failed => "source_missing", "The database file of this source is not there. Only the person in DBeast can put it back or change the source.";
        /// The path of the source is a folder.
        SourceIsFolder: Failed => "source_is_folder", "This source points to a folder, not to a database file. Only the person in DBeast can change the source.";
        /// The path of the source is a pipe, a device or a socket.
        SourceNotAFile: Failed => "source_not_a_file", "This source points to something that is not a regular file. Only the person in DBeast can change the source.";
        /// The operating system does not let DBeast open the file.
        SourceNotPermitted: Failed => "source_not_permitted", "The operating system does not let DBeast open the database file of this source. Only the person in DBeast can change that.";
        /// The path cannot be used by the database library.
        SourcePathUnusable: Failed => "source_path_unusable", "The path of this source cannot be used. Only the person in DBeast can change the source.";
        /// The file is no database, or it is encrypted.
        SourceNotADatabase: Failed => "source_not_a_database", "The file of this source is not a database that DBeast can read; it may be encrypted. Only the person in DBeast can change the source.";
        /// The file is damaged.
        SourceDamaged: Failed => "source_damaged", "The database file of this source is damaged, so nothing read from it can be trusted. Tell the person; do not retry.";
        /// Another program held the database locked.
        SourceLocked: Failed => "source_locked", "Another program held the database locked for the whole time allowed. Try the same read again later.";
        /// A writer stopped half-way and its journal has to be rolled back by a program that may write.
        SourceNeedsRecovery: Failed => "source_needs_recovery", "The last writer of this database stopped half-way and the file needs recovery, which a read-only reader cannot do. Tell the person.";
        /// The write-ahead log of the database cannot be read without writing to its folder.
        SourceLogUnavailable: Failed => "source_log_unavailable", "This database uses a write-ahead log whose index can neither be opened nor created. Tell the person.";
        /// Reading the file failed in the operating system.
        SourceUnreadable: Failed => "source_unreadable", "The operating system could not read the database file of this source. Try once more; if it fails again, tell the person.";
        /// No connection to the server could be made.
        ServerUnreachable: Failed => "server_unreachable", "The server of this source cannot be reached. Try once more later; if it fails again, tell the person.";
        /// What answers there is no such server.
        ServerNotRecognised: Failed => "server_not_recognised", "What answers at the address of this source is not the expected kind of server. Only the person in DBeast can change the source.";
        /// The server is older than DBeast supports.
        ServerTooOld: Failed => "server_too_old", "The server of this source is older than DBeast supports. Tell the person.";
        /// The server did not accept the account.
        LoginRefused: Failed => "login_refused", "The server did not accept the account of this source. Only the person in DBeast can change that.";
        /// The server wants an encrypted connection.
        ServerNeedsTls: Failed => "server_needs_tls", "The server of this source accepts encrypted connections only. Only the person in DBeast can change that.";
        /// The server has no connection left.
        ServerFull: Failed => "server_full", "The server of this source takes no further connection at the moment. Try again later.";
        /// The server starts or stops.
        ServerNotReady: Failed => "server_not_ready", "The server of this source is starting, stopping or recovering. Try again later.";
        /// No such database on the server.
        DatabaseUnknown: Failed => "database_unknown", "The database of this source does not exist on its server. Only the person in DBeast can change the source.";
        /// The connection broke while it was used, before anything could take effect.
        ServerLost: Failed => "server_lost", "The connection to the server broke. Nothing took effect. Try once more; if it fails again, tell the person.";
        /// The server is a standby, which grants no full read lock.
        ServerIsStandby: Refused => "server_is_standby", "This server is a standby, which cannot hold a table still as a verified read needs it. The person can choose the weaker read lock for this source.";
        /// The catalog of the database is larger than DBeast is willing to read.
        CatalogTooLarge: Refused => "catalog_too_large", "The catalog of this database is larger than DBeast reads, so no table in it can be verified.";

        // The guards.

        /// A protective setting could not be switched on.
        GuardUnavailable: Refused => "guard_unavailable", "A protection of the verified read could not be switched on, so nothing was read. Tell the person; do not retry.";

        // The tables.

        /// No such schema in this database.
        SchemaUnknown: Refused => "schema_unknown", "Only tables of the schema main can be read in SQLite. Write main.table_name.";
        /// No such table.
        TableUnknown: Refused => "table_unknown", "A table does not exist in this database. Use list_tables to see the names.";
        /// A view, not a table.
        TableIsView: Refused => "table_is_view", "A name refers to a view. Verified reads cover plain physical tables only; read the tables behind the view instead.";
        /// A table of another database of the same server.
        TableElsewhere: Refused => "table_elsewhere", "A name refers to another database of the server. Verified reads cover tables of the database of this source only, written as list_tables shows them.";
        /// A virtual table.
        TableIsVirtual: Refused => "table_is_virtual", "A name refers to a virtual table, which runs extension code when it is read. Verified reads cover plain physical tables only.";
        /// A table that stores the data of a virtual table.
        TableIsShadow: Refused => "table_is_shadow", "A name refers to the storage of a virtual table. Verified reads cover plain physical tables only.";
        /// A table that belongs to the database itself.
        TableIsSystem: Refused => "table_is_system", "A name refers to a table that belongs to the database itself. Use list_tables and describe_table for metadata.";
        /// A column is computed.
        TableHasGeneratedColumn: Refused => "table_has_generated_column", "A table has a generated column, whose expression would run during the read. Verified reads do not cover this table.";
        /// More than 64 columns.
        TableTooWide: Refused => "table_too_wide", "A table has more than 64 columns. Verified reads do not cover this table.";
        /// A column compares with a collation that is not built in.
        TableHasCustomCollation: Refused => "table_has_custom_collation", "A column of a table uses a collation that is not built into the database. Verified reads do not cover this table.";
        /// A name in the table is not valid text.
        TableNameUnusable: Refused => "table_name_unusable", "A name in a table's definition is not valid text. Verified reads do not cover this table.";
        /// A column does not exist on its table.
        ColumnUnknown: Refused => "column_unknown", "A column does not exist on its table. Use describe_table to see the columns.";
        /// A table that the account may not read.
        TableNotPermitted: Failed => "table_not_permitted", "The account of this source may not read a table of the statement. Only the person can change that.";
        /// A table that the account may not lock.
        TableLockNotPermitted: Refused => "table_lock_not_permitted", "The account of this source may not take the lock that holds a table still during a verified read; it needs UPDATE, DELETE or TRUNCATE for that. The person can choose the weaker read lock for this source.";
        /// The account cannot see by what the storage engine tells tables apart.
        ProcessNotPermitted: Refused => "process_not_permitted", "The account of this source lacks the privilege PROCESS, without which it cannot be checked that a table is still the same one. Only the person can change that.";
        /// Somebody else held a table locked.
        TableLocked: Failed => "table_locked", "Somebody else is changing the definition of a table, so it could not be held still. Try the same read again later.";
        /// A kind of relation that is no table at all.
        TableKindUnsupported: Refused => "table_kind_unsupported", "A name refers to something that is no table, such as a sequence or a type. Verified reads cover plain tables and, on PostgreSQL, views and materialized views.";
        /// A foreign table.
        TableIsForeign: Refused => "table_is_foreign", "A name refers to a foreign table, which runs the code of an extension. Verified reads do not cover it.";
        /// A partitioned table or a partition.
        TableIsPartitioned: Refused => "table_is_partitioned", "A name refers to a partitioned table or to a partition. Verified reads do not cover it.";
        /// A table that inherits or is inherited from.
        TableHasInheritance: Refused => "table_has_inheritance", "A table inherits from another one or is inherited from. Verified reads do not cover it.";
        /// A temporary table.
        TableIsTemporary: Refused => "table_is_temporary", "A name refers to a temporary table. Verified reads cover permanent tables only.";
        /// An unlogged table.
        TableIsUnlogged: Refused => "table_is_unlogged", "A name refers to an unlogged table. Verified reads cover permanent tables only.";
        /// Storage that an extension provides.
        TableHasCustomStorage: Refused => "table_has_custom_storage", "A table is stored by an engine or access method other than the built-in one with transactions. Verified reads do not cover it.";
        /// Policies decide which rows are seen.
        TableHasRowSecurity: Refused => "table_has_row_security", "A table has row-level security, whose policies would run during the read. Verified reads do not cover it.";
        /// A domain.
        ColumnTypeIsDomain: Refused => "column_type_is_domain", "A column has a domain as its type. Verified reads cover built-in base types and their arrays only.";
        /// An enumeration.
        ColumnTypeIsEnum: Refused => "column_type_is_enum", "A column has an enum as its type. Verified reads cover built-in base types and their arrays only.";
        /// A row type.
        ColumnTypeIsComposite: Refused => "column_type_is_composite", "A column has a composite type. Verified reads cover built-in base types and their arrays only.";
        /// A range or multirange.
        ColumnTypeIsRange: Refused => "column_type_is_range", "A column has a range as its type. Verified reads cover built-in base types and their arrays only.";
        /// A type of an extension or of a user.
        ColumnTypeNotBuiltIn: Refused => "column_type_not_built_in", "A column has a type that is not built into the database. Verified reads cover built-in base types and their arrays only.";
        /// An index that uses an access method, a class or a collation of somebody else.
        IndexNotBuiltIn: Refused => "index_not_built_in", "An index of a table uses a function, operator, type, collation or access method that is not built into the database. The planner may run it, so verified reads do not cover this table.";
        /// A CHECK that uses somebody else's code.
        CheckNotBuiltIn: Refused => "check_not_built_in", "A CHECK constraint of a table uses a function, operator, type or collation that is not built into the database. The planner may run it, so verified reads do not cover this table.";
        /// Statistics over an expression with somebody else's code.
        StatisticsNotBuiltIn: Refused => "statistics_not_built_in", "Extended statistics of a table use a function, operator, type or collation that is not built into the database. The planner may run it, so verified reads do not cover this table.";
        /// The database casts between its own types by somebody else's function, or has a function or operator of somebody
        /// else under a built-in name.
        BuiltInsChanged: Refused => "built_ins_changed", "This database has a cast, function or operator of its own in the place of a built-in one, so that no statement has a certain meaning. Verified reads do not cover this database.";
        /// A view calls what is not built in.
        ViewNotBuiltIn: Refused => "view_not_built_in", "A view uses a function, operator, type or collation that is not built into the database. Verified reads do not cover it.";
        /// A view calls what may have effects or change from row to row.
        ViewIsVolatile: Refused => "view_is_volatile", "A view calls a volatile function. Verified reads cover views that call immutable and stable functions only.";
        /// Views on views on views.
        ViewTooDeep: Refused => "view_too_deep", "A view reads views that read views, more than eight levels deep or too many in all. Verified reads do not cover it.";
        /// A construct in a view that the proof does not know.
        ViewNotUnderstood: Refused => "view_not_understood", "A view has a part that the proof does not know, such as locking rows, sampling or XML tables. Verified reads do not cover it.";
        /// A view over a table that cannot be read under proof.
        ViewReadsUnverified: Refused => "view_reads_unverified", "A view reads something that verified reads do not cover, such as a system table, a foreign or partitioned table, or a table with code of its own.";
        /// A materialized view without data.
        MaterializedViewEmpty: Failed => "materialized_view_empty", "A materialized view was never filled, so there is nothing to read. The person can refresh it.";
        /// A table that is written by the structured write must be a plain table.
        TableNotWritable: Refused => "table_not_writable", "A single-table write needs a plain table; views and materialized views are not covered. Nothing was sent.";
        /// More tables than one statement may read.
        TooManyTables: Refused => "too_many_tables", "A statement can reference at most 16 physical tables.";
        /// The schema changed between the proof and the end of the read.
        SchemaChanged: Failed => "schema_changed", "The schema of the database changed while the statement ran, so its result was dropped. Send a new request.";

        // The statement, as the database itself sees it.

        /// The database does not accept the text.
        StatementNotAccepted: Failed => "statement_not_accepted", "The database did not accept the statement. Check names, argument counts and syntax with describe_table.";
        /// No statement in the text.
        StatementEmpty: Refused => "statement_empty", "The text holds no statement. Send exactly one SELECT.";
        /// More than one statement, or a character after which the database would stop reading.
        StatementNotSingle: Refused => "statement_not_single", "The text holds more than one statement. Send exactly one SELECT.";
        /// The statement would write, or is not a query.
        StatementNotRead: Refused => "statement_not_read", "The statement is not a plain read. Send one SELECT.";
        /// The statement has parameters.
        StatementHasParameters: Refused => "statement_has_parameters", "The statement has parameters, which are never bound. Write the values into the statement.";
        /// The statement is larger than the limits of the database handle.
        StatementTooComplex: Refused => "statement_too_complex", "The statement is too long, too deep or has too many parts for a verified read. Split it into smaller reads.";
        /// The statement reads a table that is not among the verified ones.
        TableNotVerified: Refused => "table_not_verified", "The statement reads a table that was not verified for it. Name every table as schema.table and read no system tables.";
        /// The statement reads a column that is not among the verified ones.
        ColumnNotVerified: Refused => "column_not_verified", "The statement reads a column that is no declared column of its table, for example a row id. Use the columns that describe_table shows.";
        /// The statement calls a function outside the list.
        FunctionNotVerified: Refused => "function_not_verified", "The statement calls a function outside the verified list. Use only the listed built-in functions.";
        /// The statement does something else than reading.
        OperationNotVerified: Refused => "operation_not_verified", "The statement asks the database for something else than reading tables, for example a setting, another file or a recursion. Send one plain SELECT.";

        // Limits.

        /// One value of the result is too large.
        CellTooLarge: Limit => "cell_too_large", "One value of the result is larger than 64 KiB; binary values count twice. Leave that column out or filter that row out.";
        /// The first row alone is larger than the budget for the result.
        RowTooLarge: Limit => "row_too_large", "A single row, or the list of columns, is larger than the 256 KiB allowed for a result. Select fewer columns.";
        /// A value inside the statement grew too large to be computed.
        ValueTooLarge: Limit => "value_too_large", "A value that the statement computes or reads is larger than 1 MiB. Leave that column or expression out.";
        /// The database ran out of memory or of temporary space.
        OutOfSpace: Limit => "out_of_space", "The database ran out of memory or temporary space. Read less data at once, without sorting or joining large tables.";

        // The end of the work.

        /// Stopped because the request was cancelled.
        Cancelled: Cancelled => "cancelled", "The work was stopped because the request was cancelled.";
        /// Stopped at the deadline.
        DeadlineExceeded: Limit => "deadline_exceeded", "The statement did not finish within its deadline and was stopped. Filter or join less data.";
        /// The statement failed while it ran.
        ExecutionFailed: Failed => "execution_failed", "The database could not run the statement. Check column names and types with describe_table.";
        /// The database's rules forbid the change.
        ConstraintViolated: Failed => "constraint_violated", "A rule of the database, such as a key, NOT NULL, CHECK or foreign key, forbids this change. Nothing took effect.";
        /// The account may not do this.
        StatementNotPermitted: Failed => "statement_not_permitted", "The account of this source may not run this statement. Nothing took effect. Only the person can change that.";
        /// A statement that would need a stream of data beside the answer.
        StatementNeedsStream: Failed => "statement_needs_stream", "COPY from or to the client is not supported here. Nothing took effect. Use INSERT or SELECT.";
        /// A statement that reaches other files or settings of the program.
        StatementBlocked: Failed => "statement_blocked", "This statement would reach other files, settings or extensions (ATTACH, DETACH, PRAGMA, VACUUM INTO, virtual tables, loading extensions). It is never run. Nothing took effect.";
        /// A statement that would begin or end a transaction which nothing could go on with.
        TransactionControl: Failed => "transaction_control", "Each statement is a transaction of its own here, so BEGIN, COMMIT, ROLLBACK, SAVEPOINT and RELEASE have nothing to begin or end. Nothing took effect. Send the statement itself.";
        /// Other transactions were in the way.
        ConflictWithOthers: Failed => "conflict_with_others", "The statement collided with what others do at the same time and was undone. Nothing took effect. A new request may succeed.";
        /// The source never accepts writes.
        SourceIsReadOnly: Failed => "source_is_read_only", "This source never accepts writes. Nothing was sent.";
        /// The statement was sent and its end was not seen.
        OutcomeUnknown: Unknown => "outcome_unknown", "The statement was sent and its end was not seen. It may have taken effect. Never retry it by yourself: tell the person.";
        /// The driver itself failed.
        DriverFailed: Failed => "driver_failed", "The driver stopped in a way that should never happen, so nothing was returned. Tell the person; do not retry.";
    }
);
