// What the page remembers in its tab while the browser is at an issuer. Some browsers are set to store nothing.

const name = key => `wbs.invitation.${key}`

/**
 * Whether it was stored.
 *
 * @param {string} key
 * @param {object} value
 */
export function keep(key, value) {
  try {
    sessionStorage.setItem(name(key), JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

/**
 * What is stored; null for nothing.
 *
 * @param {string} key
 */
export function stored(key) {
  try {
    return JSON.parse(sessionStorage.getItem(name(key)) ?? 'null')
  } catch {
    return null
  }
}

/** @param {string} key */
export function forget(key) {
  try {
    sessionStorage.removeItem(name(key))
  } catch {
    // Nothing is stored then.
  }
}
