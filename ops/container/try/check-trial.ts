import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, uploadFile } from '@wbs/sdk'
import type { Container } from './podman.ts'
import { expect, type Ledger } from './ledger.ts'

export interface Trial {
  container: Container
  base_url: string
  /** The folder of this machine that the container has at /data. */
  data: string
}

/** What the service in a container answers and may do, on the development identity. */
export async function checkTrial({ check }: Ledger, { container, base_url, data }: Trial): Promise<void> {
  const get = async (path: string) => {
    const answer = await fetch(`${base_url}${path}`)
    expect(answer.status === 200, `GET ${path} answered ${answer.status}`)
    return (await answer.json()) as Record<string, unknown>
  }
  await check('GET /ready answers 200', async () => {
    const start = performance.now()
    while (
      !(await fetch(`${base_url}/ready`).then(
        ({ status }) => status === 200,
        () => false,
      ))
    ) {
      expect(performance.now() - start < 120_000, `not ready after two minutes:\n${await container.logs()}`)
      await sleep(200)
    }
    return `after ${seconds(start)} s`
  })
  await check('GET /health answers 200', async () => JSON.stringify(await get('/health')))
  await check('a search finds sample Businesses', async () => {
    const { data: found } = await get('/v1/businesses?query=credit%20union&state=MT&limit=3')
    expect(Array.isArray(found) && found.length === 3, JSON.stringify(found))
    return found.map(container => (container as { name: string }).name).join(', ')
  })
  await check('the process runs as user 10001 without any capability', async () => {
    const status = readFileSync(`/proc/${container.pid}/status`, 'utf8')
    const value = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1]
    const seen = {
      uid: value('Uid'),
      gid: value('Gid'),
      bounding: value('CapBnd'),
      no_new_privs: value('NoNewPrivs'),
    }
    expect(
      seen.uid === '10001' && /^0+$/.test(seen.bounding ?? '') && seen.no_new_privs === '1',
      JSON.stringify(seen),
    )
    return JSON.stringify(seen)
  })
  await check('a file outside of /data and /tmp cannot be written', () => cannotWrite(container))
  await check('the health check ends with 0', async () => {
    const { code, stderr } = await container.healthCheck()
    expect(code === 0, `ended with ${code}: ${stderr}`)
    return 'exit code 0'
  })
  await check('an upload is inspected in a confined process', () => uploads(base_url, data))
  await check('no process is left behind', async () => {
    const left = childrenOf(container.pid)
    expect(left.length === 0, left.join(', '))
    return 'the service has no children'
  })
  await check('memory and threads after these checks', async () => memoryOf(container.pid))
}

/** Paths of the image, and one that only root could write. */
async function cannotWrite(container: Container): Promise<string> {
  const script = `
    for (const path of ['/app/x', '/app/packages/server/src/main.ts', '/usr/local/bin/node', '/x', '/etc/passwd'])
      try { fs.writeFileSync(path, ''); console.log(path) } catch (error) { console.error(error.code) }
    fs.writeFileSync('/data/x', ''); fs.rmSync('/data/x'); fs.writeFileSync('/tmp/x', '')`
  const { code, stdout, stderr } = await container.exec(['node', '--eval', script])
  expect(code === 0 && stdout === '', `written: ${stdout} ${stderr}`)
  return `refused with ${[...new Set(stderr.trim().split('\n'))].join(', ')}; /data and /tmp can be written`
}

async function uploads(base_url: string, data: string): Promise<string> {
  const quickstart = JSON.parse(readFileSync(join(data, 'quickstart.json'), 'utf8')) as {
    workspace_id: string
    users: Record<string, { access_token: string }>
  }
  const client = createClient({
    base_url,
    access_token: quickstart.users['owner']?.access_token ?? '',
    workspace_id: quickstart.workspace_id,
  })
  const text = 'Revenue of the brewery, by month.\n'.repeat(100)
  const { file } = await uploadFile(client, new Blob([text], { type: 'text/plain' }), { name: 'revenue.txt' })
  for (let attempt = 0; attempt < 100; attempt++) {
    const { file: now } = await client.getFile({ file_id: file.file_id })
    const { processing_status } = now.current_version
    if (processing_status === 'ready') return `${text.length} bytes are ready`
    expect(processing_status !== 'failed', 'the version failed')
    await sleep(100)
  }
  throw new Error('the version is not ready after ten seconds')
}

function childrenOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(' ')
}

/** Resident now and at most, in MB. */
function memoryOf(pid: number): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mb = (name: string) =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024)
  const threads = /^Threads:\s+(\d+)/m.exec(status)?.[1]
  return `${mb('VmRSS')} MB resident, ${mb('VmHWM')} MB at most, ${threads} threads`
}

const seconds = (start: number) => ((performance.now() - start) / 1000).toFixed(1)
