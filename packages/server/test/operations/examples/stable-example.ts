import { fixedHex, fixedSecret, fixedUlid, fixedUuid, recordedAt } from './fixed-values.ts'

/** The length of the secret part of an API key. */
const keySecret = 38

/** Where the examples say that the service is. */
const exampleUrl = 'https://business.example.com'

/**
 * An example with fixed values of the same form in place of those that differ in each run: ids, times, tokens, hashes,
 * addresses. The same value becomes the same everywhere in it. `known` names the ids that all examples share; the
 * others are counted, so that the first Room of each example has the same id.
 */
export function stableExample<Example>(
  example: Example,
  { known, ranAt }: { known: ReadonlyMap<string, string>; ranAt: number },
): Example {
  const seen = new Map<string, string>()
  const counts = new Map<string, number>()
  /** What a value is called: its name if it is known, otherwise its kind and its number. */
  const nameOf = (kind: string, value: string): string => {
    const name = known.get(value) ?? seen.get(value)
    if (name !== undefined) return name
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    seen.set(value, `${kind} ${count}`)
    return `${kind} ${count}`
  }
  const momentOf = momentsOf(ranAt)
  const replace = (text: string): string =>
    replacements(nameOf, momentOf).reduce((so, [form, by]) => so.replaceAll(form, by), text)
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return replace(value)
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      // What is shown of an API key is the end of its secret.
      Object.entries(value).map(([key, inner]) => [
        replace(key),
        key === 'last4' ? fixedSecret(keySecret).slice(-4) : walk(inner),
      ]),
    )
  }
  return walk(example) as Example
}

type Replacement = [form: RegExp, by: (text: string, ...groups: string[]) => string]

/** Each form of a value that differs in each run, and what takes its place. */
const replacements = (
  nameOf: (kind: string, value: string) => string,
  momentOf: (time: string) => string,
): Replacement[] => [
  [/http:\/\/127\.0\.0\.1:\d+/g, () => exampleUrl],
  [/(\/v1\/downloads\/)[\w.-]+/g, (_, path = '') => path + fixedSecret(64)],
  [/\bexpires=\d+/g, () => `expires=${recordedAt + 3_600_000}`],
  [/\bsignature=[\w-]+/g, () => `signature=${fixedSecret(43)}`],
  [/\b(svc_(?:test|live)_)\w{8}_\w+/g, (_, kind = '') => `${kind}Example1_${fixedSecret(keySecret)}`],
  [/\b(svc_(?:test|live)_)\w{8}\b/g, (_, kind = '') => `${kind}Example1`],
  [/\b(svi|clm)_[\w-]{43}/g, (_, kind = '') => `${kind}_${fixedSecret(43)}`],
  [
    /\b([a-z]+)_[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g,
    (id, prefix = '') => `${prefix}_${fixedUlid(nameOf(prefix, id))}`,
  ],
  [
    /\b([a-z]+)_[0-9a-f]{32}\b/g,
    (id, prefix = '') =>
      `${prefix}_${fixedUuid(nameOf(prefix, id), `${'-'.repeat(14)}7`).replaceAll('-', '')}`,
  ],
  [
    /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
    id => fixedUuid(nameOf('uuid', id), id),
  ],
  [/\b(?!(\w\w)\1{31})[0-9a-f]{64}\b/g, hash => fixedHex(nameOf('hash', hash), 64)],
  [/\b([a-z]+)-[0-9a-f]{8}(?=@|$)/g, (_, person = '') => person],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, momentOf],
  [/^\d{15,19}$/g, cursor => String(BigInt(`0x${fixedHex(nameOf('cursor', cursor), 14)}`))],
]

/**
 * How the times of a run are told: those within ten minutes of it are `recordedAt`, and later ones have their distance to
 * it in whole minutes. All others are those of the sample: earlier ones, and later ones of a whole minute.
 */
const momentsOf = (ranAt: number) => (text: string) => {
  const time = Date.parse(text)
  const later = Math.round((time - ranAt) / 60_000)
  if (later < -10 || (later > 10 && time % 60_000 === 0)) return text
  return new Date(recordedAt + (later > 10 ? later * 60_000 : 0)).toISOString()
}
