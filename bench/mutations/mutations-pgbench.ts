import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Load } from '../load.ts'
import { floorWorkspace } from './mutations-floor-rooms.ts'
import { filled, floorStatements } from './mutations-floor-sql.ts'
import { quantile, rounded } from '../quantiles.ts'

/** The path of pgbench on this machine; undefined without one. */
export function findPgbench(): string | undefined {
  const beside = globSync('/usr/lib/postgresql/*/bin/pgbench').sort().toReversed()
  const onPath = (process.env.PATH ?? '').split(':').map(folder => join(folder, 'pgbench'))
  return [...beside, ...onPath].find(file => existsSync(file))
}

interface PgbenchRun {
  /** The path of pgbench. */
  program: string
  address: { host: string; port: number; user: string; database: string }
  user_id: string
  /** In how many Workspaces the Rooms are, of which each client changes one. */
  workspaces: number
  connections: number
  seconds: number
}

/** Runs the statements of the floor without Node: the same change by pgbench, prepared, in two pipelined round trips. */
export async function pgbenchLoad(run: PgbenchRun): Promise<Load> {
  const folder = await mkdtemp(join(tmpdir(), 'wbs-pgbench-'))
  try {
    await writeFile(join(folder, 'script'), scriptOf(run))
    const { host, port, user, database } = run.address
    const output = await promisify(execFile)(
      run.program,
      [
        '--no-vacuum',
        '--protocol=prepared',
        `--client=${run.connections}`,
        '--jobs=2',
        `--time=${Math.ceil(run.seconds)}`,
        `--file=${join(folder, 'script')}`,
        '--log',
        `--log-prefix=${join(folder, 'log')}`,
        '-h',
        host,
        '-p',
        String(port),
        '-U',
        user,
        database,
      ],
      { env: { ...process.env, LC_ALL: 'C' } },
    )
    const per_second = Number(/tps = ([\d.]+)/.exec(output.stdout)?.[1])
    if (/failed transactions: [1-9]|aborted/.test(output.stdout + output.stderr) || !per_second)
      throw new Error(`pgbench failed: ${output.stderr}`)
    const times = await timesIn(folder)
    return {
      per_second,
      p50_ms: rounded(quantile(times, 0.5), 1),
      p99_ms: rounded(quantile(times, 0.99), 1),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function scriptOf({ user_id, workspaces }: PgbenchRun): string {
  const text = (value: string) => `'${value.replaceAll("'", "''")}'`
  const values = {
    workspace: `lpad(:workspace::text, 32, '0')::uuid`,
    room: `('rom_' || lpad(:client_id::text, 26, '0'))`,
    user: `${text(user_id)}::uuid`,
    principal: text(`user:${user_id}`),
    key: 'lpad(:number::text, 36)',
    command: `lpad(:number::text, 32, '0')::uuid`,
    receipt: `lpad(:number::text, 32, '1')::uuid`,
    event: `lpad(:number::text, 30, 'e')`,
    title: `'Title ' || :number::text`,
    fingerprint: `'\\x${'5a'.repeat(32)}'::bytea`,
    now: 'clock_timestamp()',
    actor: `${text(JSON.stringify({ type: 'person', user_id, name: 'Olivia Bennett', via: 'x'.repeat(90) }))}::jsonb`,
    answer: text('x'.repeat(850)),
  }
  const { settle, ...opening } = floorStatements
  const send = (statement: string) =>
    `${filled(statement, values)
      .replaceAll(/\s*\n\s*/g, ' ')
      .trim()};`
  return [
    '\\set number random(1, 9000000000000000000)',
    `\\set workspace ${floorWorkspace('pgbench', workspaces, 0)} + :client_id % ${workspaces}`,
    '\\startpipeline',
    'begin;',
    ...Object.values(opening).map(send),
    '\\endpipeline',
    '\\startpipeline',
    send(settle),
    'commit;',
    '\\endpipeline',
    '',
  ].join('\n')
}

/** The duration of each change in milliseconds, from pgbench's log. */
async function timesIn(folder: string): Promise<number[]> {
  const logs = (await readdir(folder)).filter(name => name.startsWith('log'))
  const texts = await Promise.all(logs.map(name => readFile(join(folder, name), 'utf8')))
  return texts.flatMap(text =>
    text
      .split('\n')
      .filter(Boolean)
      .map(line => Number(line.split(' ')[2]) / 1000),
  )
}
