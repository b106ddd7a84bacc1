/** The file of the provider's signing key has no usable key. The message says which file, and what to do. */
export class UnusableKey extends Error {}
