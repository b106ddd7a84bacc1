const blanks = /[\s\p{Cc}\p{Zl}\p{Zp}]+/gu
// They turn text around, or cannot be seen at all.
const invisible = /[\p{Cf}\p{Cn}\p{Co}\p{Cs}]/gu

/**
 * Text that somebody chose, as one line that is what it seems: no line breaks, nothing invisible, nothing that turns the
 * text around it, and no longer than `longest`. Joined emoji fall into their parts.
 */
export function plainLine(text: string, longest: number): string {
  const line = text.replaceAll(invisible, '').replaceAll(blanks, ' ').trim()
  const characters = Array.from(line)
  return characters.length <= longest
    ? line
    : `${characters
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`
}

/**
 * The same for the body of a message, where mail programs make links of what looks like an address. Whoever names a
 * Workspace must not be able to mail links to strangers, so what holds an address together is parted, invisibly.
 */
export const unlinkedLine = (text: string, longest: number): string =>
  plainLine(text, longest).replaceAll(/(?<=[.:/@])(?=\S)/g, '\u200b')
