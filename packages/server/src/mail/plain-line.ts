const blanks = /[\s\p{Cc}\p{Zl}\p{Zp}]+/gu
// Characters that change the direction of text, or are invisible.
const invisible = /[\p{Cf}\p{Cn}\p{Co}\p{Cs}]/gu

/**
 * User-supplied text as one line without deception: no line breaks, no invisible characters, nothing that changes the
 * direction of text, at most `longest` characters. Joined emoji are split into their parts.
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
 * The same for the body of a message, in which mail programs turn addresses into links. A Workspace's name must not be
 * a way to mail links to strangers, so addresses are broken up by invisible spaces.
 */
export const unlinkedLine = (text: string, longest: number): string =>
  plainLine(text, longest).replaceAll(/(?<=[.:/@])(?=\S)/g, '\u200b')
