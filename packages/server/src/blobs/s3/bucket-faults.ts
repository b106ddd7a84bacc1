import { StoreUnavailable } from '../blob-errors.ts'
import type { BucketSettings } from '../blob-settings.ts'

/** What the SDK says of an error: its name, and the status if the server answered. */
function factsOf(error: unknown): { name: string; status: number | undefined } {
  if (!(error instanceof Error)) return { name: 'unknown', status: undefined }
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } }
  const { code } = error as { code?: unknown }
  const name = error.name === 'Error' && typeof code === 'string' ? code : error.name
  return { name, status: $metadata?.httpStatusCode }
}

/** Whether the server says that there is no such object or upload. */
export const isAbsent = (error: unknown): boolean =>
  ['NoSuchKey', 'NotFound', 'NoSuchUpload'].includes(factsOf(error).name)

/** Whether the range begins after the end of the object. */
export const isBeyondEnd = (error: unknown): boolean => factsOf(error).name === 'InvalidRange'

/** Whether a part changed between the list of the parts and its use. */
export const isInvalidPart = (error: unknown): boolean => factsOf(error).name === 'InvalidPart'

const wrongKeys = [
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'AccessDenied',
  'Forbidden',
  'CredentialsProviderError',
]
const otherNames = ['TimeoutError', 'NoSuchBucket', 'NetworkingError']
const networkCode = /^(E[A-Z]+|ERR_TLS.*|CERT_.*|DEPTH_.*|UNABLE_.*|SELF_SIGNED_.*)$/

/** Turns a fault of the bucket into StoreUnavailable, and leaves errors that are not its own as they are. */
export function bucketFault(error: unknown, settings: BucketSettings): unknown {
  const { name, status } = factsOf(error)
  const isOfBucket =
    status !== undefined || wrongKeys.includes(name) || otherNames.includes(name) || networkCode.test(name)
  if (!isOfBucket || error instanceof StoreUnavailable) return error
  return new StoreUnavailable(name, sentenceFor(name, settings), error)
}

function sentenceFor(name: string, { bucket, endpoint, region }: BucketSettings): string {
  const at = endpoint ?? `AWS in ${region}`
  if (name === 'NoSuchBucket')
    return `There is no bucket ${bucket} at ${at}: BLOBS_URL must name one that exists.`
  if (name === 'CredentialsProviderError')
    return `There are no keys for the bucket ${bucket}: set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.`
  if (wrongKeys.includes(name))
    return `The bucket ${bucket} at ${at} refuses the keys (${name}): S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must belong to a user who may read, write, list and delete in it.`
  return `The bucket ${bucket} at ${at} cannot be used: it answers ${name}.`
}

/** Runs work on the bucket, and throws its faults as StoreUnavailable. */
export async function onBucket<T>(settings: BucketSettings, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw bucketFault(error, settings)
  }
}
