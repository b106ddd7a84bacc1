import { mkdir, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { isStream, methodOf, type Operation } from '@wbs/contract/operation'
import serverPackage from '../../package.json' with { type: 'json' }
import { backUp } from '../../src/backup/write-backup.ts'
import { startTestService, type Person, type TestService } from '../harness/service.ts'
import { mutations, performerOf } from '../operations/performing.ts'
import { operations, samples, type NamedOperation } from '../operations/samples.ts'
import { onTheWire, type Input } from '../operations/wire.ts'
import { makeWorld, restore, type World } from '../operations/world.ts'
import {
  addressPlaceholder,
  backupOf,
  folderOf,
  requestsOf,
  type RecordedRelease,
  type RecordedRequest,
} from './recorded-release.ts'

/** Of these, the service keeps no data that a later version could read. */
const keptNowhere = new Set(['health', 'ready'])

/**
 * Performs every operation in a new service of this version, and writes what a later version is tested with: a backup of
 * the data, all reads with their answers, and all changes with the answers to their repetition.
 */
export async function recordRelease(): Promise<string> {
  const { version } = serverPackage
  const service = await startTestService()
  try {
    const world = await makeWorld(service)
    const requests: RecordedRequest[] = []
    for (const operation of mutations) {
      const request = requestOf(world, operation, await samples[operation.name].input(world))
      const { status, body } = await send(service, request, performerOf(world, operation))
      if (status >= 300) throw new Error(`${operation.name} answers ${status}: ${body}`)
      await restore(world)
      requests.push(request)
    }
    const reads = operations.filter(
      one => one.kind === 'query' && !isStream(one) && !keptNowhere.has(one.name),
    )
    for (const operation of reads)
      requests.push(requestOf(world, operation, await samples[operation.name].input(world)))
    await storeFixtureContent(service)
    // Once everything is there, so that the answers are those of the data of the backup.
    for (const request of requests)
      request.answer = await send(service, request, personOf(world, request.person.subject))
    await mkdir(folderOf(version), { recursive: true })
    await backUp({ address: service.testDatabase.address, store: service.blobs, file: backupOf(version) })
    const release: RecordedRelease = {
      version,
      recorded_at: new Date().toISOString(),
      namespace: service.issuer.issuer,
      requests,
    }
    await writeFile(requestsOf(version), gzipSync(JSON.stringify(release), { level: 9 }))
    return folderOf(version)
  } finally {
    await service.close()
  }
}

/** Fixtures name content of five bytes that was never stored, of which no backup can be made. */
async function storeFixtureContent({ sql, blobs }: TestService): Promise<void> {
  const named = `from file_versions where sha256 = repeat('ab', 32)`
  for (const { workspace_id } of await sql<{ workspace_id: string }>(
    `select distinct workspace_id ${named}`,
  )) {
    const { sha256 } = await blobs.put(workspace_id, Buffer.from('hello'))
    await sql(`update file_versions set sha256 = $2 where workspace_id = $1 and sha256 = repeat('ab', 32)`, [
      workspace_id,
      sha256,
    ])
  }
}

function requestOf(world: World, operation: Operation & NamedOperation, input: Input): RecordedRequest {
  const { path, search, body } = onTheWire(operation, input)
  const { subject, name, email } = performerOf(world, operation)
  return {
    operation: operation.name,
    method: methodOf(operation),
    target: path + search,
    headers: {
      ...(operation.kind === 'mutation' && { 'idempotency-key': `recorded-${operation.name}` }),
      ...(operation.audience === 'workspace' && { 'svc-workspace-id': world.workspace_id }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
    person: { subject, name, email },
    answer: { status: 0, body: '' },
  }
}

const personOf = ({ people }: World, subject: string): Person =>
  Object.values(people).find(one => one.subject === subject) as Person

async function send(
  { base_url }: { base_url: string },
  { method, target, headers, body }: RecordedRequest,
  { token }: Person,
): Promise<RecordedRequest['answer']> {
  const answer = await fetch(base_url + target, {
    method,
    headers: { ...headers, authorization: `Bearer ${token}` },
    ...(body !== undefined && { body }),
  })
  return {
    status: answer.status,
    body: (await answer.text()).replaceAll(base_url, addressPlaceholder),
  }
}
