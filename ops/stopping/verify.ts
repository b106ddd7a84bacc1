import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../packages/sdk/src/index.ts'
import type { Made, WorkReport } from './work.ts'

/** What is not as it was acknowledged. Each fault is a sentence. */
export async function faultsOfWork(
  client: Client,
  { texts, valuations, actions }: WorkReport,
  received: readonly (string | undefined)[],
): Promise<string[]> {
  const files = await all(client.listFiles.each({ limit: 100 }))
  const valued = await all(client.listValuations.each({ limit: 100 }))
  const approvals = await all(client.listApprovals.each({ limit: 100 }))
  const times = Map.groupBy(received, key => key ?? 'none')
  return [
    ...compared(
      'File',
      texts,
      files.map(({ name, file_id }) => ({ key: name.replace('.md', ''), id: file_id })),
    ),
    ...compared(
      'valuation',
      valuations,
      valued.map(({ subject, valuation_id }) => ({ key: subject.name ?? '', id: valuation_id })),
    ),
    ...compared(
      'approval',
      actions,
      approvals.map(({ note, approval_id }) => ({ key: note ?? '', id: approval_id })),
    ),
    ...valued
      .filter(({ status }) => status !== 'completed')
      .map(({ valuation_id, status }) => `${valuation_id} is ${status}`),
    ...approvals.flatMap(({ approval_id, status, result }) => [
      ...(status === 'executed' ? [] : [`${approval_id} is ${status} ${result?.code ?? ''}`]),
      ...(times.get(approval_id)?.length === 1
        ? []
        : [`the app received ${approval_id} ${times.get(approval_id)?.length ?? 0} times`]),
    ]),
    ...(times.size > approvals.length ? ['the app received keys that no approval has'] : []),
  ]
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

/** All calls were repeated until they were acknowledged, so nothing else may be there. */
function compared(type: string, acknowledged: readonly Made[], found: readonly Made[]): string[] {
  const known = new Map(acknowledged.map(({ key, id }) => [key, id]))
  const counted = Map.groupBy(found, ({ key }) => key)
  return [
    ...acknowledged
      .filter(({ key, id }) => !counted.get(key)?.some(change => change.id === id))
      .map(({ key, id }) => `the ${type} ${id} of ${key} is lost`),
    ...found
      .filter(({ key, id }) => known.get(key) !== id)
      .map(({ key, id }) => `the ${type} ${id} of ${key} was not acknowledged`),
    ...counted
      .entries()
      .filter(([, same]) => same.length > 1)
      .map(([key, same]) => `${key} made the ${type} ${same.length} times`),
  ]
}

/** Waits a minute at most, and tells which Files are not ready then. */
export async function faultsOfFiles(client: Client): Promise<string[]> {
  for (const end = performance.now() + 60_000; ; await sleep(500)) {
    const files = await all(client.listFiles.each({ limit: 100 }))
    const others = files.filter(({ current_version }) => current_version.processing_status !== 'ready')
    const isSettled = others.every(({ current_version }) => current_version.processing_status === 'failed')
    if (isSettled || performance.now() > end)
      return others.map(
        ({ file_id, current_version }) => `the File ${file_id} is ${current_version.processing_status}`,
      )
  }
}
