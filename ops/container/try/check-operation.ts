import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BuiltImage } from './build-image.ts'
import { expect, type Ledger } from './ledger.ts'
import type { Container, Podman } from './podman.ts'
import type { Postgres } from './postgres.ts'

interface Operation {
  podman: Podman
  image: BuiltImage
  postgres: Postgres
  folder: string
  port: number
}

const user = 10001

/** A folder that the user of the image owns. */
export function ownedFolder(folder: string, name: string): string {
  const path = join(folder, name)
  mkdirSync(path)
  chownSync(path, user, user)
  return path
}

/** A file with a secret, as an operator mounts it: for the user of the image alone. */
function secretFile(folder: string, name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, `${text}\n`, { mode: 0o400 })
  chownSync(path, user, user)
  chmodSync(path, 0o400)
  return `type=bind,src=${path},dst=/run/secrets/${name},ro=true`
}

/** What an operator does with a stopped service: back up, restore elsewhere, start there with secrets in files. */
export async function checkRestore(ledger: Ledger, operation: Operation, data: string): Promise<void> {
  const { podman, image, postgres, folder, port } = operation
  const { check } = ledger
  const backups = ownedFolder(folder, 'backups')
  const mounts = [`type=bind,src=${backups},dst=/backups`]
  const elsewhere = ownedFolder(folder, 'elsewhere')
  await check('wbs backup in a container', async () => {
    const { code, stdout, stderr } = await podman.once(
      image.name,
      {
        env: { DATABASE_URL: postgres.url('service') },
        mounts: [...mounts, `type=bind,src=${data},dst=/data`],
      },
      ['wbs', 'backup', '/backups/service.tar.gz'],
    )
    expect(code === 0, stderr)
    return /^(Backed up|Restored) .*$/m.exec(stdout + stderr)?.[0] ?? lastLine(stderr)
  })
  await check('wbs restore into another database and another folder', async () => {
    await postgres.prepare('elsewhere')
    const { code, stdout, stderr } = await podman.once(
      image.name,
      {
        env: { DATABASE_URL: postgres.url('elsewhere') },
        mounts: [...mounts, `type=bind,src=${elsewhere},dst=/data`],
      },
      ['wbs', 'restore', '/backups/service.tar.gz'],
    )
    expect(code === 0, stderr)
    return /^(Backed up|Restored) .*$/m.exec(stdout + stderr)?.[0] ?? lastLine(stderr)
  })
  await check('the restored service starts for production, with its secrets in files', async () => {
    const container = await podman.start(image.name, {
      env: {
        HOST: '127.0.0.1',
        PORT: `${port}`,
        OIDC_ISSUERS: 'https://issuer.example',
        OIDC_AUDIENCE: 'https://api.example',
        DATABASE_URL_FILE: '/run/secrets/database_url',
        SVC_SECRET_FILE: '/run/secrets/svc_secret',
      },
      mounts: [
        secretFile(folder, 'database_url', postgres.url('elsewhere')),
        secretFile(folder, 'svc_secret', 'a secret of more than thirty-two characters'),
        `type=bind,src=${elsewhere},dst=/data`,
      ],
    })
    try {
      const found = await searched(container, port)
      const { code, seconds } = await container.stop(30)
      expect(code === 0, `SIGTERM ended it with ${code}:\n${await container.logs()}`)
      return `a search finds ${found}; SIGTERM ends it with 0 after ${seconds.toFixed(1)} s`
    } finally {
      await container.remove()
    }
  })
}

async function searched(container: Container, port: number): Promise<string> {
  const url = `http://127.0.0.1:${port}/v1/businesses?query=credit%20union&state=MT&limit=1`
  for (let attempt = 0; attempt < 300; attempt++) {
    const answer = await fetch(url).catch(() => null)
    if (answer?.status === 200) {
      const { data } = (await answer.json()) as { data: { name: string }[] }
      expect(data.length === 1, 'nothing was found')
      return data[0]?.name ?? ''
    }
    await sleep(200)
  }
  throw new Error(`It does not answer:\n${await container.logs()}`)
}

/** What fails must say why, in a sentence, and with 1. */
export async function checkFailures(
  ledger: Ledger,
  { podman, image, folder, port }: Operation,
): Promise<void> {
  const { check } = ledger
  const env = { HOST: '127.0.0.1', PORT: `${port}` }
  await check('the health check ends with 1 where nothing listens', async () => {
    const { code, stderr } = await podman.once(image.name, { env }, [
      'node',
      '/app/ops/container/image/health-check.ts',
    ])
    expect(code === 1, `ended with ${code}`)
    return stderr.trim()
  })
  await check('without DATABASE_URL it says what is missing', async () => {
    const { code, stderr } = await podman.once(image.name, {
      env,
      mounts: [`type=bind,src=${ownedFolder(folder, 'unused')},dst=/data`],
    })
    expect(code === 1 && stderr.includes('set DATABASE_URL'), `ended with ${code}: ${stderr}`)
    return lastLine(stderr)
  })
  await check('without a data folder that it may write it says so', async () => {
    const { code, stderr } = await podman.once(image.name, {
      env: { ...env, SVC_DATA_DIR: '/srv/data', DATABASE_URL: 'postgresql://127.0.0.1:1/none' },
    })
    expect(code === 1 && stderr.includes('/srv/data'), `ended with ${code}: ${stderr}`)
    return lastLine(stderr)
  })
  await check('wbs --version is the version of the image', async () => {
    const { stdout } = await podman.once(image.name, { env }, ['wbs', '--version'])
    expect(stdout.trim() === `wbs ${image.version}`, stdout)
    return stdout.trim()
  })
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? ''
