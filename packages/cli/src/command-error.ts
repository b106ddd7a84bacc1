/** A command cannot run or go on, for a reason that the user can do something about. The message says which. */
export class CommandError extends Error {}
