import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProgram } from '../nodes/programs.ts'

/** HAProxy with haproxy.cfg, on this machine. */
export interface Proxy {
  base_url: string
  /** Waits until the proxy counts so many nodes as ready. */
  untilReady(nodes: number): Promise<void>
}

export async function startProxy(
  running: AsyncDisposableStack,
  port: number,
  nodes: readonly [one: number, two: number],
): Promise<Proxy> {
  const statistics = `127.0.0.1:${port + 9}`
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
        const up = await countReady(`http://${statistics}/;csv`)
        if (up === expected) return
        if (performance.now() > end)
          throw new Error(`The proxy counts ${up} nodes as ready, not ${expected}.`)
      }
    },
  }
}

const configuration = fileURLToPath(new URL('./haproxy.cfg', import.meta.url))

/** From the table that HAProxy shows: a line for each node, with its state in a column of its own. */
async function countReady(url: string): Promise<number> {
  const table = await fetch(url).then(
    response => response.text(),
    () => '',
  )
  return table.split('\n').filter(line => /^nodes,(one|two),.*,UP,/.test(line)).length
}
