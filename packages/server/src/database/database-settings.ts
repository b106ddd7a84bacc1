/** The read replicas of the database, and how far behind one may be. */
export interface ReplicaSettings {
  urls: readonly string[]
  /** In seconds. */
  most_lag: number
}

const form = 'postgresql://user:password@host:5432/database'

/** Reads DATABASE_URL; null for the embedded server. Throws an Error of one sentence, which contains no part of the URL. */
export function databaseUrl(text: string | undefined): string | null {
  return readUrl('DATABASE_URL', text)
}

/** Reads DATABASE_POOLER_URL; null for none. Throws an Error of one sentence, which contains no part of the URL. */
export function poolerUrl(primary: string | null, text: string | undefined): string | null {
  const url = readUrl('DATABASE_POOLER_URL', text)
  if (url !== null && primary === null)
    throw new Error(
      'DATABASE_POOLER_URL needs DATABASE_URL: the pooler is for requests, and a node starts on PostgreSQL itself.',
    )
  return url
}

function readUrl(name: string, text: string | undefined): string | null {
  if (!text) return null
  if (isDatabaseUrl(text)) return text
  throw new Error(`${name} must be the URL of a PostgreSQL, with user and password percent-encoded: ${form}.`)
}

/**
 * Reads DATABASE_REPLICA_URL and DATABASE_REPLICA_LAG_SECONDS. Throws an Error of one sentence, which contains no part of a
 * URL.
 */
export function replicaSettings(
  primary: string | null,
  text: string | undefined,
  lag: string | undefined,
): ReplicaSettings {
  const urls = (text ?? '').split(/[\s,]+/).filter(url => url !== '')
  const wrong = urls.findIndex(url => !isDatabaseUrl(url)) + 1
  if (wrong > 0)
    throw new Error(
      `DATABASE_REPLICA_URL must have the URLs of PostgreSQL servers, separated by commas or spaces, with user and password percent-encoded: ${form}; number ${wrong} is none.`,
    )
  if (urls.length > 0 && primary === null)
    throw new Error('DATABASE_REPLICA_URL needs DATABASE_URL: the embedded PostgreSQL has no replicas.')
  if (new Set([...urls, primary]).size <= urls.length)
    throw new Error('DATABASE_REPLICA_URL must name each replica once, and not the server of DATABASE_URL.')
  return { urls, most_lag: readLag(lag) }
}

function readLag(text: string | undefined): number {
  if (!text) return 5
  if (/^\d*\.?\d+$/.test(text) && Number(text) >= 3 && Number(text) <= 60) return Number(text)
  throw new Error('DATABASE_REPLICA_LAG_SECONDS must be a number from 3 to 60.')
}

/** Only the form is checked; the rest shows when it is connected to. */
function isDatabaseUrl(text: string): boolean {
  // A URL without a host is for a socket, whose folder is the parameter `host`.
  const isUrl = URL.canParse(text) || URL.canParse(text.replace('@/', '@socket/'))
  return /^postgres(ql)?:\/\//i.test(text) && isUrl
}
