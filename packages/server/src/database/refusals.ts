/** Errors of a database that cannot be used: their messages say why in one sentence. They import nothing. */

/** The database of DATABASE_URL cannot be reached. */
export class DatabaseUnreachable extends Error {}

/** Another service runs on the same data folder. */
export class DataFolderInUse extends Error {}
