import { problems, type ProblemCode } from '@wbs/contract/problems'
import { randomUUID } from 'node:crypto'
import { startTestService } from '../../harness/service.ts'
import { makeWorld, type World } from '../world.ts'
import { problemScenes, type Ask } from './problem-scenes.ts'
import { knownOf } from './record-operations.ts'
import { stableExample } from './stable-example.ts'

/** An answer with each problem, by code. */
export async function recordProblems(): Promise<Record<string, unknown>> {
  const service = await startTestService()
  try {
    const world = await makeWorld(service)
    const ranAt = Date.now()
    const recorded: Record<string, unknown> = {}
    for (const code of Object.keys(problems) as ProblemCode[]) {
      const answer = await problemScenes[code](world, askIn(world))
      if ((answer as { code?: string }).code !== code)
        throw new Error(`Instead of ${code}, the answer is ${JSON.stringify(answer)}`)
      recorded[code] = stableExample(answer, { known: knownOf(world), ranAt })
    }
    return recorded
  } finally {
    await service.close()
  }
}

/** Sends requests in the Workspace of the owner, and gives the bodies of the answers. */
const askIn =
  ({ service, workspace_id, people }: World): Ask =>
  async ({ method, path, body, headers, token = people.owner.token }) => {
    const answer = await service.request(path, {
      method,
      token,
      headers: {
        'svc-workspace-id': workspace_id,
        ...(method !== 'GET' && { 'idempotency-key': randomUUID() }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return answer.body as unknown
  }
