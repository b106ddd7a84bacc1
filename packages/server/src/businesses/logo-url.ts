/**
 * The logo address that a Workspace saved, if it is an http(s) URL without credentials; else null. The service never fetches
 * it.
 */
export function savedLogoUrl(saved: string | null): string | null {
  const valid = saved !== null && saved.length <= 2048 && form.test(saved) && URL.canParse(saved)
  return valid ? saved : null
}

// URL.canParse accepts strings that it first repairs: it drops control characters, reads \ as / and adds slashes. The answer
// contains the saved string, which must be a URL for every other parser, too. An @ would end credentials.
const form = /^https?:\/\/[^\s\p{Cc}\\/?#@]+(?:[/?#][^\s\p{Cc}\\]*)?$/iu
