//! Reasons that only the database can give: tables that cannot be proven, and failed executions.

super::reasons!(
    /// Why a database refused or failed.
    DatabaseReason {
        /// The statement failed while it ran.
        ExecutionFailed => "execution_failed", "The database could not run the statement. Check column names and types with describe_table.";
    }
);
