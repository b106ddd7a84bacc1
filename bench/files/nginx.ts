import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'

const cached = fileURLToPath(new URL('../../node_modules/.cache/nginx/usr/sbin/nginx', import.meta.url))

function findNginx(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return [cached, ...folders.map(folder => join(folder, 'nginx'))].find(path => existsSync(path)) ?? null
}

/** Serves a folder with nginx, by its own defaults and sendfile. Null if there is no nginx. */
export async function startNginx(
  folder: string,
): Promise<{ base_url: string; stop(): Promise<unknown> } | null> {
  const program = findNginx()
  if (program === null) return null
  const own = join(folder, 'nginx')
  await mkdir(own, { recursive: true })
  const port = await freePort()
  await writeFile(join(own, 'nginx.conf'), configuration(folder, own, port))
  const child = spawn(program, ['-p', own, '-e', join(own, 'error.log'), '-c', join(own, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  await listening(port)
  return {
    base_url: `http://127.0.0.1:${port}`,
    stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

/** `user` applies only to a master process that root has started; the folder is readable by its owner alone. */
const configuration = (folder: string, own: string, port: number) => `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${own}/pid;
events {}
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  client_body_temp_path ${own}/body;
  proxy_temp_path ${own}/proxy;
  fastcgi_temp_path ${own}/fastcgi;
  uwsgi_temp_path ${own}/uwsgi;
  scgi_temp_path ${own}/scgi;
  server { listen 127.0.0.1:${port}; location / { root ${folder}; } }
}
`

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function listening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const socket = connect(port, '127.0.0.1')
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isThere) return
    await sleep(50)
  }
  throw new Error('nginx does not listen.')
}
