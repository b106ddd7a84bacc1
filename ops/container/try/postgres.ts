import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './command.ts'

/** A PostgreSQL outside of the container, on a port of this machine. */
export interface Postgres {
  version: string
  /** The URL of a database, as the restricted login of docs/guides/operating.md. */
  url(database: string): string
  /** Makes a database as that guide says. */
  prepare(database: string): Promise<void>
  stop(): Promise<void>
}

const programs = '/usr/lib/postgresql/15/bin'
const login = 'wbs_service'

export const postgresIsInstalled = (): boolean => existsSync(join(programs, 'postgres'))

export async function startPostgres(folder: string, port: number, root: string): Promise<Postgres> {
  const data = join(folder, 'postgres')
  const as = postgresUser()
  mkdirSync(data, { mode: 0o700 })
  chownSync(data, as.uid, as.gid)
  const cwd = '/'
  await run(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    {
      as,
      cwd,
    },
  )
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${data} -c fsync=off`
  await run(join(programs, 'pg_ctl'), ['-D', data, '-w', '-l', join(data, 'log'), '-o', settings, 'start'], {
    as,
    cwd,
  })
  const sql = (text: string, database = 'postgres') =>
    run(join(programs, 'psql'), [
      '-h',
      data,
      '-p',
      `${port}`,
      '-U',
      'postgres',
      '-v',
      'ON_ERROR_STOP=1',
      '-Atqc',
      text,
      database,
    ])
  await sql(`create role ${login} login nosuperuser nocreatedb nocreaterole`)
  const { stdout } = await sql('show server_version')
  let prepared = 0
  return {
    version: stdout.trim(),
    url: database => `postgresql://${login}@127.0.0.1:${port}/${database}`,
    async prepare(database) {
      await sql(`create database ${database}`)
      const guide = guideSql(root).replaceAll('the_login', login)
      // Roles belong to the server, so they are there already for its second database.
      await sql(prepared++ === 0 ? guide : guide.replaceAll(/^create role .*$/gm, ''), database)
    },
    stop: async () =>
      void (await run(join(programs, 'pg_ctl'), ['-D', data, '-m', 'immediate', 'stop'], { as, cwd })),
  }
}

function guideSql(root: string): string {
  const text = readFileSync(join(root, 'docs/guides/operating.md'), 'utf8')
  const sql = /```sql\n(create role svc_owner[\s\S]*?)```/.exec(text)?.[1]
  if (sql === undefined) throw new Error('docs/guides/operating.md has no SQL for a restricted login.')
  return sql
}

/** PostgreSQL does not run as root. */
function postgresUser(): { uid: number; gid: number } {
  const id = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout)
  return { uid: id('-u'), gid: id('-g') }
}
