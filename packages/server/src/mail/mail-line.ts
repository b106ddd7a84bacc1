import { formatUtc } from './format-utc.ts'

declare const composed: unique symbol

/**
 * A line of a message. Only this file makes one, of the service's own words and of what people wrote, without deception, so
 * a message cannot contain a text that was not looked at.
 */
export type MailLine = string & { readonly [composed]: true }

/** Joins the service's own words with lines, numbers and times: mailLine`Task: ${unlinkedLine(title, 150)}`. */
export const mailLine = (
  words: TemplateStringsArray,
  ...values: readonly (MailLine | number | Date)[]
): MailLine => String.raw({ raw: words }, ...values.map(inWords)) as MailLine

function inWords(value: MailLine | number | Date): string {
  if (typeof value === 'number') return value.toLocaleString('en-US')
  return value instanceof Date ? formatUtc(value) : value
}

const blanks = /[\s\p{Cc}\p{Zl}\p{Zp}\u2800]+/gu
// Characters that change the direction of text, or are invisible.
const invisible = /[\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu
// After these, mail programs go on with an address that they turn into a link; some of them are also typed in full width.
const joints = /(?<=[.:/@\u3002\uff0e\uff61\uff1a\uff0f\uff20])(?=\S)/g

/**
 * User-supplied text as one line without deception: no line breaks, no invisible characters, nothing that changes the
 * direction of text, at most `longest` characters. Joined emoji are split into their parts. Mail programs turn addresses into
 * links, in subjects as well, and a name must not be a way to mail links to strangers: so addresses are broken up by invisible
 * spaces.
 */
export const unlinkedLine = (text: string, longest: number): MailLine =>
  plainLine(text, longest).replaceAll(joints, '\u200b') as MailLine

function plainLine(text: string, longest: number): string {
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
 * The address that a message is for, for its body. It is not broken up: nobody but its owner reads it there, and they may copy
 * it.
 */
export const addressLine = (address: string): MailLine => plainLine(address, 320) as MailLine
