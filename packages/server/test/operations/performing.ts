import type { Mutation, Operation } from '@wbs/contract/operation'
import { operations, type OperationName } from '@wbs/contract/registry'
import type { Person } from '../harness/service.ts'
import { performers, samples } from './operation-samples.ts'
import type { World } from './world.ts'
import { callOperation, type WireAnswer } from './wire.ts'

type NamedMutation = Mutation & { name: OperationName }

/** Every change that there is. */
export const mutations = (operations as readonly Operation[]).filter(
  one => one.kind === 'mutation',
) as NamedMutation[]

/** The sample of a change, as it is sent by whom it is for: as often as a test likes, and the same each time. */
export interface Performance {
  caller: Person
  ask(): Promise<WireAnswer>
}

export async function performanceOf(
  world: World,
  operation: NamedMutation,
  idempotency_key: string,
  sample = samples[operation.name],
): Promise<Performance> {
  const caller = world.people[(performers[operation.name] ?? 'owner') as keyof World['people']]
  const input = await sample(world)
  return {
    caller,
    ask: () =>
      callOperation(world.service, operation, input, {
        authorization: `Bearer ${caller.token}`,
        'idempotency-key': idempotency_key,
        ...(operation.audience === 'workspace' && { 'svc-workspace-id': world.workspace_id }),
      }),
  }
}
