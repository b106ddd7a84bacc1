/** There is no such content. */
export class BlobMissing extends Error {
  constructor(sha256: string) {
    super(`There is no content with the SHA-256 ${sha256}.`)
  }
}

/** Nothing of this upload is stored: it was never begun, or was discarded. */
export class UploadMissing extends Error {
  constructor(upload_id: string) {
    super(`Nothing of the upload ${upload_id} is stored.`)
  }
}

/** Parts of an upload are absent or damaged. They must be sent again. */
export class PartsMissing extends Error {
  /** In ascending order. */
  readonly part_numbers: readonly number[]

  constructor(part_numbers: readonly number[]) {
    super(`Parts are missing: ${part_numbers.join(', ')}.`)
    this.part_numbers = part_numbers
  }
}

/** A part does not have its declared size. */
export class PartSizeMismatch extends Error {
  constructor(part_number: number, size_bytes: number) {
    super(`Part ${part_number} must have ${size_bytes} bytes.`)
  }
}

/** The store cannot be used now. Nothing that was stored is lost; the call may be repeated. */
export class StoreUnavailable extends Error {
  /** The code of the operating system or of S3. */
  readonly code: string

  constructor(code: string, message: string, cause: unknown) {
    super(message, { cause })
    this.code = code
  }
}
