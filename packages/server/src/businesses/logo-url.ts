/**
 * The logo a Workspace saved for a Business: an http(s) URL without credentials, or null. It is a string to show, never
 * an address to fetch.
 */
export function savedLogoUrl(saved: string | null): string | null {
  const valid = saved !== null && saved.length <= 2048 && form.test(saved) && URL.canParse(saved)
  return valid ? saved : null
}

// The parser mends what it is given: it drops control characters, reads \ as / and does without the slashes. What is
// answered is the string as it was saved, which must be a URL to every other reader too. An @ ends credentials.
const form = /^https?:\/\/[^\s\p{Cc}\\/?#@]+(?:[/?#][^\s\p{Cc}\\]*)?$/iu
