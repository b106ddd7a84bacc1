declare module 'pg/lib/utils.js' {
  const utils: {
    /** A value as a statement's parameter is sent: text, bytes, or null. */
    prepareValue(value: unknown): string | Buffer | null
  }
  export default utils
}
