/** Text as one word of a POSIX shell or zsh. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Text as one word of fish, which knows backslashes in single quotes. */
export const fishQuoted = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`
