import type { OperationName } from '@wbs/contract/registry'
import { answerChecker } from '../../harness/answer-schema.ts'
import { startFaultProxy, type FaultProxy } from '../../harness/postgres/fault-proxy.ts'
import { startTestService, type TestService } from '../../harness/service.ts'
import { credentialsOf, type Headers } from '../credentials.ts'
import type { Place } from '../matrix.ts'
import { samples, type NamedOperation } from '../samples.ts'
import type { Input } from '../wire.ts'
import { makeWorld, type World } from '../world.ts'

/** What all suites of a walk share: a service behind a proxy that counts round trips, the world and its callers. */
export interface Ground {
  proxy: FaultProxy
  service: TestService
  world: World
  credentials: Awaited<ReturnType<typeof credentialsOf>>
  close(): Promise<void>
}

export async function makeGround(): Promise<Ground> {
  const proxy = await startFaultProxy()
  const service = await startTestService()
  const world = await makeWorld(service)
  return {
    proxy,
    service,
    world,
    credentials: await credentialsOf(world),
    async close() {
      await service.close()
      await proxy.close()
    },
  }
}

/** Gives the ground, which exists once the first test runs. */
export type OnGround = () => Ground

/** The faults of an answer, by the OpenAPI document. */
export const problemsWith = answerChecker()

export const sampleOf = async ({ world }: Ground, { name }: { name: OperationName }): Promise<Input> =>
  samples[name].input(world)

export const asOwner = ({ credentials }: Ground): Headers => credentials.owner[''] as Headers

/** The header that names the Workspace of the owner at a place, by default where the operation needs it. */
export function workspaceAt(
  { world: { workspace_id } }: Ground,
  operation: NamedOperation,
  place: Place = 'as declared',
): Headers {
  const isNamed = place === 'as declared' ? operation.audience === 'workspace' : place === 'in a Workspace'
  return isNamed ? { 'svc-workspace-id': workspace_id } : {}
}
