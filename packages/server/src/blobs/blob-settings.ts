/** The bucket that content is kept in. */
export interface BucketSettings {
  bucket: string
  /** The beginning of all keys: '' or a path that ends with a slash. */
  prefix: string
  /** Null for the endpoint of AWS in the region. */
  endpoint: string | null
  region: string
  /** Whether the bucket is in the path of URLs rather than in the host name. */
  path_style: boolean
  /** Null for those that the AWS SDK finds by its default chain: AWS_ACCESS_KEY_ID, a profile, the role of the machine. */
  credentials: { access_key_id: string; secret_access_key: string } | null
}

export interface BlobSettings {
  /** Null if content is kept in the data folder. */
  s3: BucketSettings | null
}

const form =
  's3://bucket?region=eu-central-1 for AWS, or s3://bucket/prefix?endpoint=https://s3.example.com&path_style=true for others'

/** Reads BLOBS_URL and the keys of S3. Throws an Error of one sentence, which does not contain a key. */
export function blobSettings(
  url: string | null,
  keys: { access_key_id: string | null; secret_access_key: string | null },
): BlobSettings {
  const { access_key_id, secret_access_key } = keys
  if ((access_key_id === null) !== (secret_access_key === null))
    throw new Error('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together, or neither.')
  if (url === null) return { s3: null }
  const credentials =
    access_key_id === null || secret_access_key === null ? null : { access_key_id, secret_access_key }
  return { s3: { ...readBucketUrl(url), credentials } }
}

const known = ['endpoint', 'region', 'path_style']

function readBucketUrl(text: string): Omit<BucketSettings, 'credentials'> {
  const url = URL.parse(text)
  if (!url || url.protocol !== 's3:' || url.port !== '' || url.hash !== '')
    throw new Error(`BLOBS_URL must be of the form ${form}.`)
  if (url.username !== '' || url.password !== '')
    throw new Error('BLOBS_URL must not contain keys: set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.')
  const { searchParams } = url
  for (const name of searchParams.keys())
    if (!known.includes(name) || searchParams.getAll(name).length > 1)
      throw new Error(`BLOBS_URL takes the parameters ${known.join(', ')}, each once.`)
  const endpoint = readEndpoint(searchParams.get('endpoint'))
  return {
    bucket: readBucket(url.hostname),
    prefix: readPrefix(url.pathname),
    endpoint,
    region: readRegion(searchParams.get('region'), endpoint),
    path_style: readPathStyle(searchParams.get('path_style')),
  }
}

function readBucket(text: string): string {
  if (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text)) return text
  throw new Error(
    'BLOBS_URL must name a bucket of 3 to 63 lower-case letters, digits, hyphens and dots: s3://bucket.',
  )
}

function readPrefix(path: string): string {
  const prefix = path.replaceAll(/^\/+|\/+$/g, '')
  if (/^[A-Za-z0-9._/-]*$/.test(prefix) && !prefix.split('/').some(name => /^\.{1,2}$/.test(name)))
    return prefix === '' ? '' : `${prefix}/`
  throw new Error('BLOBS_URL must have a prefix of letters, digits, dots, hyphens, underscores and slashes.')
}

function readEndpoint(text: string | null): string | null {
  if (text === null) return null
  const url = URL.parse(text)
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.origin === text.replace(/\/$/, '')
  if (isOrigin) return url.origin
  throw new Error('BLOBS_URL must have an endpoint without a path, such as endpoint=https://s3.example.com.')
}

/** Other servers than AWS mostly ignore the region, but the signature contains one. */
function readRegion(text: string | null, endpoint: string | null): string {
  if (text === null && endpoint !== null) return 'us-east-1'
  if (text !== null && /^[a-z0-9-]+$/.test(text)) return text
  throw new Error('BLOBS_URL must have a region unless it has an endpoint: s3://bucket?region=eu-central-1.')
}

function readPathStyle(text: string | null): boolean {
  if (text === null || text === 'false') return false
  if (text === 'true') return true
  throw new Error('BLOBS_URL must have path_style=true or path_style=false.')
}
