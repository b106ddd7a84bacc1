import type { Mutation } from '@wbs/contract/operation'
import type { OperationName } from '@wbs/contract/registry'
import type { Person } from '../harness/service.ts'
import type { MakeInput } from './sample.ts'
import { operations, samples, type NamedOperation } from './samples.ts'
import { callOperation, type WireAnswer } from './wire.ts'
import type { World } from './world.ts'

export type NamedMutation = Mutation & { name: OperationName }

/** Every mutation of the registry. */
export const mutations = operations.filter((one): one is NamedMutation => one.kind === 'mutation')

/** Who sends the sample of an operation. */
export const performerOf = (world: World, { name }: Pick<NamedOperation, 'name'>): Person =>
  world.people[samples[name].caller ?? 'owner']

/** The sample of a mutation and its caller. Each call of `ask` sends the same request. */
export interface Performance {
  caller: Person
  ask(): Promise<WireAnswer>
}

export async function performanceOf(
  world: World,
  operation: NamedMutation,
  idempotency_key: string,
  makeInput: MakeInput = samples[operation.name].input,
): Promise<Performance> {
  const caller = performerOf(world, operation)
  const input = await makeInput(world)
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
