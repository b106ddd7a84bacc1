import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { compareReads } from '../reads/compare-reads.ts'
import { writeResults } from '../results.ts'
import { startProcess } from '../service-process.ts'
import { floorStatements } from './floor-statements.ts'
import { readingsOf } from './room-files-readings.ts'
import { makeFilesWorld, type People } from './room-files-world.ts'

const tell = (line: string) => console.error(`# ${line}`)

/**
 * Reads Files in a Workspace of `--files N` (1,000,000) with `--room-files N` (10,000) in each Room, and in one of
 * `--open-rooms N` (5,000) Rooms that everybody sees. Measures the time of each of `--requests N` (100) over HTTP in turns
 * with a floor of statements written by hand, and the buffers of the statements of both.
 */
export async function run(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: {
      files: { type: 'string', default: '1000000' },
      'room-files': { type: 'string', default: '10000' },
      'open-rooms': { type: 'string', default: '5000' },
      requests: { type: 'string', default: '100' },
    },
  })
  const size = {
    files: Number(values.files),
    room_files: Number(values['room-files']),
    permissions: Number(values['room-files']) / 2,
    open_rooms: Number(values['open-rooms']),
  }
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
    tell(`filling a Workspace with ${size.files} Files`)
    const begun = performance.now()
    const readings = readingsOf(await makeFilesWorld(client, service.base_url, users, size))
    tell(`filled in ${Math.round((performance.now() - begun) / 1000)} s`)
    const measured = await compareReads(
      service.base_url,
      address,
      floorStatements,
      readings,
      Number(values.requests),
    )
    const figures = {
      ...size,
      requests: Number(values.requests),
      reads: measured,
      memory_mib: service.memory(),
    }
    console.log(JSON.stringify(figures, null, 2))
    tell(`written to ${writeResults('room-files', figures)}`)
  } finally {
    await client.end()
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
