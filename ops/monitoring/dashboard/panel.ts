/** The units of Grafana that are used. */
type Unit = 's' | 'bytes' | 'reqps' | 'cps' | 'short' | 'percentunit'

export interface Panel {
  title: string
  description: string
  unit: Unit
  /** Queries, each with the legend of its series. */
  queries: readonly (readonly [query: string, legend: string])[]
}

/** Panels that answer a question. */
export type Row = readonly [question: string, panels: readonly Panel[]]

/** Requests that last as long as their clients like, so that their duration says nothing. */
const untimed = 'stream_events|list_event_changes|download_file|open_link|put_part'
const probes = 'health|ready'
export const here = 'job="$job",instance=~"$instance"'
export const requests = `http_server_request_duration_seconds_count{${here},operation!~"${probes}"`
export const buckets = `http_server_request_duration_seconds_bucket{${here},operation!~"${probes}|${untimed}"}`

export const rate = (series: string, by: string) => `sum by (${by}) (rate(${series}[$__rate_interval]))`
export const metric = (name: string, labels = '') => `${name}{${here}${labels && `,${labels}`}}`
export const quantile = (part: number, series: string, by = 'le') =>
  `histogram_quantile(${part}, sum by (${by}) (rate(${series}[$__rate_interval])))`
