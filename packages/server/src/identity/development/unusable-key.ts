/** The file of the provider's signing key holds none; the message says which file, and what to do. */
export class UnusableKey extends Error {}
