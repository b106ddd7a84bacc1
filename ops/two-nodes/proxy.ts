import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProgram } from '../nodes/programs.ts'

/** HAProxy with haproxy.cfg, on this machine. */
export interface Proxy {
  base_url: string
  /** Waits until the proxy counts so many nodes as ready. */
  untilReady(nodes: number): Promise<void>
  /** What the proxy counted of all nodes since it started. */
  totals(): Promise<ProxyTotals>
}

export interface ProxyTotals {
  requests: number
  responses_5xx: number
  connection_errors: number
  /** Requests that were sent again, and those of them that went to the other node. */
  retries: number
  redispatches: number
}

export async function startProxy(
  running: AsyncDisposableStack,
  port: number,
  nodes: readonly [one: number, two: number],
): Promise<Proxy> {
  const statistics = `127.0.0.1:${port + 9}`
  const table = `http://${statistics}/;csv`
  startProgram(running, { name: 'haproxy', debian: 'haproxy' }, ['-f', configuration], {
    PROXY_ADDRESS: `127.0.0.1:${port}`,
    NODE_ONE: `127.0.0.1:${nodes[0]}`,
    NODE_TWO: `127.0.0.1:${nodes[1]}`,
    STATISTICS_ADDRESS: statistics,
  })
  return {
    base_url: `http://127.0.0.1:${port}`,
    async untilReady(expected) {
      for (const end = performance.now() + 30_000; ; await sleep(50)) {
        const up = (await linesOf(table)).filter(
          ({ svname, status }) => isNode(svname) && status === 'UP',
        ).length
        if (up === expected) return
        if (performance.now() > end)
          throw new Error(`The proxy counts ${up} nodes as ready, not ${expected}.`)
      }
    },
    async totals() {
      const all = (await linesOf(table)).find(({ svname }) => svname === 'BACKEND') ?? {}
      const count = (column: string) => Number(all[column])
      return {
        requests: count('req_tot') || count('stot'),
        responses_5xx: count('hrsp_5xx'),
        connection_errors: count('econ'),
        retries: count('wretr'),
        redispatches: count('wredis'),
      }
    },
  }
}

const configuration = fileURLToPath(new URL('./haproxy.cfg', import.meta.url))

const isNode = (name: string | undefined) => name === 'one' || name === 'two'

/** The table that HAProxy shows: a line for each node and one for all, with named columns. */
async function linesOf(url: string): Promise<Record<string, string>[]> {
  const text = await fetch(url).then(
    response => response.text(),
    () => '',
  )
  const [names = [], ...lines] = text.split('\n').map(line => line.replace(/^# /, '').split(','))
  return lines
    .map(values => Object.fromEntries(names.map((name, at) => [name, values[at] ?? ''])))
    .filter(({ pxname }) => pxname === 'nodes')
}
