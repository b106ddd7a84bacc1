import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ScriptDatabase } from '../nodes/database.ts'

/** PgBouncer in transaction mode in front of the database of a script; the URL for DATABASE_POOLER_URL. */
export async function startPooler(
  running: AsyncDisposableStack,
  { address }: ScriptDatabase,
  {
    program,
    port,
    size,
    lines = [],
  }: { program: string; port: number; size: number; lines?: readonly string[] },
): Promise<string> {
  // It refuses to run as root, so it runs as the owner of the database.
  const { uid, gid } = await stat(address.host)
  const folder = await mkdtemp(join(tmpdir(), 'wbs-pgbouncer-'))
  running.defer(() => rm(folder, { recursive: true, force: true }))
  const [settings, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')]
  await writeFile(users, '"wbs_pooler" ""\n"svc" ""\n')
  await writeFile(
    settings,
    [
      '[databases]',
      `postgres = host=${address.host} port=${address.port} dbname=postgres`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      `default_pool_size = ${size}`,
      'max_client_conn = 1000',
      // More than the service has statements, of which it prepares each once.
      'max_prepared_statements = 2000',
      ...lines,
    ].join('\n'),
  )
  for (const path of [folder, settings, users]) await chown(path, uid, gid)
  const child = spawn(program, [settings], { uid, gid, stdio: ['ignore', 'ignore', 'pipe'] })
  let told = ''
  child.stderr.on('data', (text: Buffer) => (told += text))
  running.defer(async () => {
    const gone = once(child, 'exit')
    if (child.exitCode === null && child.kill('SIGINT')) await gone
  })
  for (let tries = 0; !(await accepts(port)); tries++) {
    if (child.exitCode !== null || tries > 100) throw new Error(`PgBouncer does not listen:\n${told}`)
    await sleep(50)
  }
  return `postgresql://wbs_pooler@127.0.0.1:${port}/postgres`
}

function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return new Promise(resolve => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  }).then(isOpen => {
    socket.destroy()
    return isOpen as boolean
  })
}
