/** One line of a scrape. */
interface Sample {
  name: string
  labels: Readonly<Record<string, string>>
  value: number
}

/** What a scrape says. */
export interface Scrape {
  text: string
  samples: readonly Sample[]
  /** The sum of a metric over all series with the given labels; undefined if there is none. */
  sum(name: string, labels?: Record<string, string>): number | undefined
}

/** Reads the text format of Prometheus. Throws if a line is not in it. */
export function readScrape(text: string): Scrape {
  const samples = text
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(sampleOf)
  return {
    text,
    samples,
    sum(name, labels = {}) {
      const found = samples.filter(
        one => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value),
      )
      return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0)
    },
  }
}

function sampleOf(line: string): Sample {
  const [, name = '', labels = '', value = ''] =
    /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? fail(line)
  const pairs = [...labels.matchAll(/([a-z_][a-z0-9_]*)="((?:[^"\\]|\\.)*)"(?:,|$)/gi)]
  if (pairs.map(([pair]) => pair).join('') !== labels) fail(line)
  return {
    name,
    labels: Object.fromEntries(pairs.map(([, key, text]) => [key, text])),
    value: value === '+Inf' ? Infinity : Number(value),
  }
}

function fail(line: string): never {
  throw new Error(`This is no line of the text format: ${line}`)
}
