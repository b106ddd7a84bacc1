declare module 'pg/lib/utils.js' {
  const utils: {
    /** Converts a value to the form in which it is sent as a parameter: text, bytes, or null. */
    prepareValue(value: unknown): string | Buffer | null
  }
  export default utils
}
