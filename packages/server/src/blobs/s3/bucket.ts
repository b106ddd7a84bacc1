import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import { checkedId, checkedSha256, isId, isSha256 } from '../blob-names.ts'
import type { BucketSettings } from '../blob-settings.ts'
import type { UploadKey } from '../blob-store.ts'

type Sdk = typeof import('@aws-sdk/client-s3')

/** The SDK, and connections to a bucket that differ in how long they wait. */
export interface Bucket {
  name: string
  sdk: Sdk
  /** For everything that the server answers without delay. */
  client: S3Client
  /** For downloads: a slow reader may pause for as long as they like. */
  downloads: S3Client
  /** For what the server does with gigabytes before it answers. */
  copies: S3Client
  /** The key of an upload that is not content yet. */
  stagingKey(upload: UploadKey): string
  blobKey(workspace_id: string, sha256: string): string
  /** The key of a new object that nobody else knows. */
  checkKey(): string
  /** What all keys of uploads begin with. */
  uploadsPrefix: string
  prefix: string
  /** The upload of a staging key; null if the key is none. */
  uploadOf(key: string): UploadKey | null
  blobOf(key: string): { workspace_id: string; sha256: string } | null
  close(): void
}

const connectMilliseconds = 3_000
const idleMilliseconds = 10_000
const copyMilliseconds = 15 * 60_000
/** Every download in progress holds a connection. */
const mostConnections = 512

/** Opens a bucket. The SDK is loaded here, because a service without S3 must not wait for it. */
export async function openBucket(settings: BucketSettings): Promise<Bucket> {
  const sdk = await import('@aws-sdk/client-s3')
  const { bucket, prefix } = settings
  const uploadsPrefix = `${prefix}uploads/`
  const clientWith = (waits: Waits) => new sdk.S3Client(clientConfig(settings, waits))
  const client = clientWith({ socketTimeout: idleMilliseconds })
  const downloads = clientWith({
    socketTimeout: 0,
    requestTimeout: idleMilliseconds,
    throwOnRequestTimeout: true,
  })
  const copies = clientWith({ socketTimeout: copyMilliseconds })
  return {
    name: bucket,
    sdk,
    client,
    downloads,
    copies,
    prefix,
    uploadsPrefix,
    stagingKey: upload => `${uploadsPrefix}${checkedId(upload.workspace_id)}/${checkedId(upload.upload_id)}`,
    blobKey: (workspace_id, sha256) => `${prefix}${checkedId(workspace_id)}/${checkedSha256(sha256)}`,
    checkKey: () => `${prefix}check/${crypto.randomUUID()}`,
    uploadOf(key) {
      const names = pathIn(uploadsPrefix, key)
      const [workspace_id = '', upload_id = ''] = names
      return names.length === 2 && isId(workspace_id) && isId(upload_id) ? { workspace_id, upload_id } : null
    },
    blobOf(key) {
      const names = pathIn(prefix, key)
      const [workspace_id = '', sha256 = ''] = names
      return names.length === 2 && isId(workspace_id) && isSha256(sha256) ? { workspace_id, sha256 } : null
    },
    close() {
      for (const each of [client, downloads, copies]) each.destroy()
    },
  }
}

const pathIn = (prefix: string, key: string): string[] =>
  key.startsWith(prefix) ? key.slice(prefix.length).split('/') : []

interface Waits {
  socketTimeout: number
  requestTimeout?: number
  throwOnRequestTimeout?: boolean
}

function clientConfig(
  { endpoint, region, path_style, credentials }: BucketSettings,
  waits: Waits,
): S3ClientConfig {
  const agent = { keepAlive: true, maxSockets: mostConnections }
  return {
    region,
    forcePathStyle: path_style,
    ...(endpoint !== null && { endpoint }),
    ...(credentials && {
      credentials: {
        accessKeyId: credentials.access_key_id,
        secretAccessKey: credentials.secret_access_key,
      },
    }),
    requestHandler: { connectionTimeout: connectMilliseconds, ...waits, httpAgent: agent, httpsAgent: agent },
    // Otherwise a presigned URL would demand the checksum of an empty body; and not every server knows these checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  }
}
