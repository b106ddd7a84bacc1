import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { compareReads } from '../reads/compare-reads.ts'
import { writeResults } from '../results.ts'
import { startProcess } from '../service-process.ts'
import { floorStatements } from './floor-statements.ts'
import { readingsOf } from './goals-and-tasks-readings.ts'
import { makeGoalsAndTasksWorld, type People } from './goals-and-tasks-world.ts'

const tell = (line: string) => console.error(`# ${line}`)

/**
 * Lists Goals and Tasks in a Workspace with `--rows N` (100,000) of each in as many Rooms, and in one with as many in
 * `--open-rooms N` (5,000) Rooms that everybody sees. Measures the time of each of `--requests N` (100) over HTTP in turns with
 * a floor of statements written by hand, and the buffers of the statements of both.
 */
export async function run(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: {
      rows: { type: 'string', default: '100000' },
      'member-rooms': { type: 'string', default: '500' },
      'associate-rooms': { type: 'string', default: '5000' },
      'open-rooms': { type: 'string', default: '5000' },
      requests: { type: 'string', default: '100' },
    },
  })
  const size = {
    rows: Number(values.rows),
    member_rooms: Number(values['member-rooms']),
    associate_rooms: Number(values['associate-rooms']),
    open_rooms: Number(values['open-rooms']),
  }
  const requests = Number(values.requests)
  const folder = await mkdtemp(join(tmpdir(), 'wbs-bench-'))
  const service = await startProcess(new URL('../../packages/server/src/main.ts', import.meta.url), {
    SVC_DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'fatal',
    RATE_LIMIT_SCALE: '0',
    SVC_SAMPLE_DATA: 'off',
  })
  const address = { host: join(folder, 'postgres'), port: 5432, user: 'svc', database: 'postgres' }
  const client = new pg.Client({ ...address, options: '-c search_path=svc,public' })
  try {
    await client.connect()
    const { users } = JSON.parse(await readFile(join(folder, 'quickstart.json'), 'utf8')) as { users: People }
    tell(`filling two Workspaces with ${size.rows} Goals and as many Tasks`)
    const world = await makeGoalsAndTasksWorld(client, service.base_url, users, size)
    const reads = await compareReads(
      service.base_url,
      address,
      floorStatements,
      readingsOf(world, size.rows),
      requests,
    )
    const figures = { ...size, requests, reads, memory_mib: service.memory() }
    console.log(JSON.stringify(figures, null, 2))
    tell(`written to ${writeResults('goals-and-tasks', figures)}`)
  } finally {
    await client.end()
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
