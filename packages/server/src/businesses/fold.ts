/** No folded text is longer: a city of it still fits, with its prefix, into one entry of the search index (2.7 kB). */
const longest = 800

/**
 * Folds a name or a city so that spellings which differ only in case, width, ligature or spacing meet.
 *
 * This is Unicode's NFKC_Casefold as near as the language gives it, white space collapsed to single blanks and
 * trimmed; punctuation, accents and `&` stay. It is idempotent. Stored and searched text must both come from here:
 * a second way of folding would hide rows.
 */
export function foldName(text: string): string {
  const folded = caseFold(withoutIgnorable(text).normalize('NFKC')).normalize('NFKC')
  return cut(folded.replace(blanks, ' ').trim())
}

/** Folds a city: case and surrounding white space do not matter, everything else does. */
export function foldCity(text: string): string {
  return cut(caseFold(text.trim()))
}

/** A LIKE pattern for "contains this", with whatever LIKE would read as a wildcard taken literally. */
export function likePattern(folded: string): string {
  return `%${folded.replace(/[\\%_]/g, '\\$&')}%`
}

const blanks = /[\s\p{Cc}]+/gu

// Soft hyphens, joiners and the like: nobody types them when searching.
function withoutIgnorable(text: string): string {
  return text.replace(/\p{Default_Ignorable_Code_Point}/gu, '')
}

// There is no case folding in JavaScript; up and down again folds what lower case alone leaves apart (ß and SS). Down
// first, since the capital ẞ has no longer upper form. Final sigma and the dots that tell Turkish i apart depend on
// place or language, which a part of a name does not know, so they go.
function caseFold(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').replaceAll('i\u0307', 'i')
}

function cut(text: string): string {
  if (text.length <= longest) return text
  return text
    .slice(0, longest)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()
}
