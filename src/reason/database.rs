//! Reasons that only the database can give: sources that cannot be read, tables that cannot be
//! proven, statements that the database itself refuses, limits, and failed executions.

super::reasons!(
    /// Why a database refused or failed.
    DatabaseReason {
        // The source itself.

        /// The file of the source is not there.
        SourceMissing => "source_missing", "The database file of this source is not there. Only the person in DBeast can put it back or change the source.";
        /// The path of the source is a folder.
        SourceIsFolder => "source_is_folder", "This source points to a folder, not to a database file. Only the person in DBeast can change the source.";
        /// The path of the source is a pipe, a device or a socket.
        SourceNotAFile => "source_not_a_file", "This source points to something that is not a regular file. Only the person in DBeast can change the source.";
        /// The operating system does not let DBeast open the file.
        SourceNotPermitted => "source_not_permitted", "The operating system does not let DBeast open the database file of this source. Only the person in DBeast can change that.";
        /// The path cannot be used by the database library.
        SourcePathUnusable => "source_path_unusable", "The path of this source cannot be used. Only the person in DBeast can change the source.";
        /// The file is no database, or it is encrypted.
        SourceNotADatabase => "source_not_a_database", "The file of this source is not a database that DBeast can read; it may be encrypted. Only the person in DBeast can change the source.";
        /// The file is damaged.
        SourceDamaged => "source_damaged", "The database file of this source is damaged, so nothing read from it can be trusted. Tell the person; do not retry.";
        /// Another program held the database locked.
        SourceLocked => "source_locked", "Another program held the database locked for the whole time allowed. Try the same read again later.";
        /// A writer stopped half-way and its journal has to be rolled back by a program that may write.
        SourceNeedsRecovery => "source_needs_recovery", "The last writer of this database stopped half-way and the file needs recovery, which a read-only reader cannot do. Tell the person.";
        /// The write-ahead log of the database cannot be read without writing to its folder.
        SourceLogUnavailable => "source_log_unavailable", "This database uses a write-ahead log whose index can neither be opened nor created. Tell the person.";
        /// Reading the file failed in the operating system.
        SourceUnreadable => "source_unreadable", "The operating system could not read the database file of this source. Try once more; if it fails again, tell the person.";
        /// The catalog of the database is larger than DBeast is willing to read.
        CatalogTooLarge => "catalog_too_large", "The catalog of this database is larger than DBeast reads, so no table in it can be verified.";

        // The guards.

        /// A protective setting could not be switched on.
        GuardUnavailable => "guard_unavailable", "A protection of the verified read could not be switched on, so nothing was read. Tell the person; do not retry.";

        // The tables.

        /// No such schema in this database.
        SchemaUnknown => "schema_unknown", "Only tables of the schema main can be read in SQLite. Write main.table_name.";
        /// No such table.
        TableUnknown => "table_unknown", "A table does not exist in this database. Use list_tables to see the names.";
        /// A view, not a table.
        TableIsView => "table_is_view", "A name refers to a view. Verified reads cover plain physical tables only; read the tables behind the view instead.";
        /// A virtual table.
        TableIsVirtual => "table_is_virtual", "A name refers to a virtual table, which runs extension code when it is read. Verified reads cover plain physical tables only.";
        /// A table that stores the data of a virtual table.
        TableIsShadow => "table_is_shadow", "A name refers to the storage of a virtual table. Verified reads cover plain physical tables only.";
        /// A table that belongs to the database itself.
        TableIsSystem => "table_is_system", "A name refers to a table that belongs to the database itself. Use list_tables and describe_table for metadata.";
        /// A column is computed.
        TableHasGeneratedColumn => "table_has_generated_column", "A table has a generated column, whose expression would run during the read. Verified reads do not cover this table.";
        /// More than 64 columns.
        TableTooWide => "table_too_wide", "A table has more than 64 columns. Verified reads do not cover this table.";
        /// A column compares with a collation that is not built in.
        TableHasCustomCollation => "table_has_custom_collation", "A column of a table uses a collation that is not built into the database. Verified reads do not cover this table.";
        /// A name in the table is not valid text.
        TableNameUnusable => "table_name_unusable", "A name in a table's definition is not valid text. Verified reads do not cover this table.";
        /// A column does not exist on its table.
        ColumnUnknown => "column_unknown", "A column does not exist on its table. Use describe_table to see the columns.";
        /// More tables than one statement may read.
        TooManyTables => "too_many_tables", "A statement can reference at most 16 physical tables.";
        /// The schema changed between the proof and the end of the read.
        SchemaChanged => "schema_changed", "The schema of the database changed while the statement ran, so its result was dropped. Send a new request.";

        // The statement, as the database itself sees it.

        /// The database does not accept the text.
        StatementNotAccepted => "statement_not_accepted", "The database did not accept the statement. Check names, argument counts and syntax with describe_table.";
        /// No statement in the text.
        StatementEmpty => "statement_empty", "The text holds no statement. Send exactly one SELECT.";
        /// More than one statement, or a character after which the database would stop reading.
        StatementNotSingle => "statement_not_single", "The text holds more than one statement. Send exactly one SELECT.";
        /// The statement would write, or is not a query.
        StatementNotRead => "statement_not_read", "The statement is not a plain read. Send one SELECT.";
        /// The statement has parameters.
        StatementHasParameters => "statement_has_parameters", "The statement has parameters, which are never bound. Write the values into the statement.";
        /// The statement is larger than the limits of the database handle.
        StatementTooComplex => "statement_too_complex", "The statement is too long, too deep or has too many parts for a verified read. Split it into smaller reads.";
        /// The statement reads a table that is not among the verified ones.
        TableNotVerified => "table_not_verified", "The statement reads a table that was not verified for it. Name every table as schema.table and read no system tables.";
        /// The statement reads a column that is not among the verified ones.
        ColumnNotVerified => "column_not_verified", "The statement reads a column that is no declared column of its table, for example a row id. Use the columns that describe_table shows.";
        /// The statement calls a function outside the list.
        FunctionNotVerified => "function_not_verified", "The statement calls a function outside the verified list. Use only the listed built-in functions.";
        /// The statement does something else than reading.
        OperationNotVerified => "operation_not_verified", "The statement asks the database for something else than reading tables, for example a setting, another file or a recursion. Send one plain SELECT.";

        // Limits.

        /// One value of the result is too large.
        CellTooLarge => "cell_too_large", "One value of the result is larger than 64 KiB; binary values count twice. Leave that column out or filter that row out.";
        /// The first row alone is larger than the budget for the result.
        RowTooLarge => "row_too_large", "A single row, or the list of columns, is larger than the 256 KiB allowed for a result. Select fewer columns.";
        /// A value inside the statement grew too large to be computed.
        ValueTooLarge => "value_too_large", "A value that the statement computes or reads is larger than 1 MiB. Leave that column or expression out.";
        /// The database ran out of memory or of temporary space.
        OutOfSpace => "out_of_space", "The database ran out of memory or temporary space. Read less data at once, without sorting or joining large tables.";

        // The end of the work.

        /// Stopped because the request was cancelled.
        Cancelled => "cancelled", "The work was stopped because the request was cancelled.";
        /// Stopped at the deadline.
        DeadlineExceeded => "deadline_exceeded", "The statement did not finish within its deadline and was stopped. Filter or join less data.";
        /// The statement failed while it ran.
        ExecutionFailed => "execution_failed", "The database could not run the statement. Check column names and types with describe_table.";
        /// The driver of this engine only reads.
        WritesUnavailable => "writes_unavailable", "DBeast only reads from this kind of source. Nothing was sent.";
        /// The driver itself failed.
        DriverFailed => "driver_failed", "The driver stopped in a way that should never happen, so nothing was returned. Tell the person; do not retry.";
    }
);
