import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { ChildProcess } from 'node:child_process'
import { createServer, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { CsvReader } from '../../../server/src/businesses/import/rows/csv.ts'
import { makeListWorld, type ListWorld } from '../../../server/test/lists/list-fixture.ts'
import type { Person } from '../../../server/test/harness/service.ts'
import { runWbs, runWbsQuickly, type Ended } from '../run-wbs.ts'

/** A Workspace with Lists, and the commands that a member runs on them. */
export interface Commands {
  world: ListWorld
  /** The path of a file in a folder of the test's own. */
  path(name?: string): string
  write(text: string): Promise<string>
  read(path: string): Promise<string>
  /** Runs `wbs lists` as the member: in a process of its own if `onStart` is to have it. */
  run(
    args: readonly string[],
    options?: { as?: Person; env?: Record<string, string>; onStart?: (child: ChildProcess) => void },
  ): Promise<Ended>
  close(): Promise<void>
}

export async function listCommands(): Promise<Commands> {
  const world = await makeListWorld()
  const folder = await mkdtemp(join(tmpdir(), 'wbs-lists-'))
  const path = (name = `${randomUUID()}.csv`) => join(folder, name)
  return {
    world,
    path,
    async write(text) {
      const file = path()
      await writeFile(file, text)
      return file
    },
    read: file => readFile(file, 'utf8'),
    run(args, { as = world.people.member, env = {}, onStart } = {}) {
      const where = {
        WBS_URL: world.service.base_url,
        WBS_TOKEN: as.token,
        WBS_WORKSPACE: world.workspace_id,
        ...env,
      }
      const words = ['lists', ...args]
      return onStart ? runWbs(where, words, onStart) : runWbsQuickly(where, words)
    },
    async close() {
      await world.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The records of a CSV file. */
export function recordsOf(text: string): string[][] {
  const reader = new CsvReader({ longest: 10_000_000 })
  return [...reader.read(text), ...reader.end()].map(({ fields }) => fields)
}

/** The numbers of a summary. */
export const numbersOf = ({ stdout }: Ended): Record<string, number> =>
  Object.fromEntries(
    [...stdout.matchAll(/^ {2}(\w+) +([\d,]+)/gm)].map(([, what = '', count = '']) => [
      what,
      Number(count.replaceAll(',', '')),
    ]),
  )

/** Passes requests on to a service, and does something before each of some. */
export async function proxyTo(
  base_url: string,
  before: (request: IncomingMessage) => Promise<void>,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      await before(request)
      const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
      const answer = await fetch(base_url + request.url, {
        method: request.method ?? 'GET',
        headers: headers as Record<string, string>,
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      })
      const body = Buffer.from(await answer.arrayBuffer())
      const {
        'content-encoding': ____,
        'transfer-encoding': _____,
        ...kept
      } = Object.fromEntries(answer.headers) as Record<string, string>
      response.writeHead(answer.status, { ...kept, 'content-length': body.length }).end(body)
    })().catch(() => response.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

export const isBulk = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'POST' && url.endsWith('/values')
