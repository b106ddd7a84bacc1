/** The maximum length of a folded text, so that a city with its prefix fits into one entry of the search index (2.7 kB). */
const mostCharacters = 800

/**
 * Folds a text so that spellings which differ only in case, width, ligatures or spacing become equal.
 * This is Unicode NFKC_Casefold as closely as JavaScript can, with white space collapsed and trimmed; punctuation, accents and
 * `&` stay. It is idempotent. Stored and searched text must both be folded here: another way of folding would hide rows.
 */
export function foldText(text: string): string {
  const folded = caseFold(withoutIgnorable(text).normalize('NFKC')).normalize('NFKC')
  return folded.replace(blanks, ' ').trim()
}

/** Folds a name as foldText does, and truncates it. */
export function foldName(text: string): string {
  return truncate(foldText(text))
}

/** The fold to store beside a text: null for pure ASCII, which folded_text folds in SQL. */
export function storedFold(text: string | null): string | null {
  return text !== null && notAscii.test(text) ? foldText(text) : null
}

/** Folds a city: case and surrounding white space are ignored, everything else counts. */
export function foldCity(text: string): string {
  return truncate(caseFold(text.trim()))
}

/** A LIKE pattern for "contains this text", with the wildcards of LIKE escaped. */
export function likePattern(folded: string): string {
  return `%${folded.replace(/[\\%_]/g, '\\$&')}%`
}

const notAscii = /[\u0080-\uffff]/
const blanks = /[\s\p{Cc}]+/gu

// Soft hyphens, joiners and similar characters, which nobody types in a search.
function withoutIgnorable(text: string): string {
  return text.replace(/\p{Default_Ignorable_Code_Point}/gu, '')
}

// JavaScript has no case folding. Lower, upper and lower case again joins what lower case alone keeps apart (ß and SS); lower
// case comes first, because the capital ẞ has no other upper case. Final sigma and the dot of the Turkish i depend on position
// or language, which part of a name does not have, so they are removed.
function caseFold(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').replaceAll('i\u0307', 'i')
}

function truncate(text: string): string {
  if (text.length <= mostCharacters) return text
  return text
    .slice(0, mostCharacters)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()
}
