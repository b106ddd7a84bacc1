/** A noun with its article: `an event`, `a UUID`. */
export const withArticle = (noun: string) => (/^[aeio]/i.test(noun) ? `an ${noun}` : `a ${noun}`)
