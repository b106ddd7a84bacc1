import { isDeepStrictEqual } from 'node:util'
import type { GoalStatus } from '@wbs/contract/goals/goals'
import type { Metric } from './metrics/metric.ts'

/** What describes a Goal and can be edited. */
export interface DescribedGoal {
  title: string
  description: string | null
  business_id: string | null
  accountable_user_id: string | null
  due_at: string | null
  metric: Metric | null
}

/** What the rules below need of a Goal. */
export interface Goal extends DescribedGoal {
  status: GoalStatus
  terminal_reason: string | null
  completed_at: string | null
  canceled_at: string | null
}

const described = [
  'title',
  'description',
  'business_id',
  'accountable_user_id',
  'due_at',
  'metric',
] as const satisfies (keyof DescribedGoal)[]

/** The fields in which an edited Goal differs. */
export const changedFields = (before: DescribedGoal, after: DescribedGoal): string[] =>
  described.filter(field => !isDeepStrictEqual(before[field], after[field]))

/** How a Goal ends. */
export interface Ending {
  status: 'completed' | 'canceled'
  terminal_reason: string
}

/** The fields that ending a Goal changes. */
export const fieldsOfEnding = ({ status }: Ending): string[] => ['status', 'terminal_reason', `${status}_at`]

/** A Goal that ends now. */
export function ended<G extends Goal>(goal: G, { status, terminal_reason }: Ending, now: Date): G {
  const at = now.toISOString()
  return {
    ...goal,
    status,
    terminal_reason,
    completed_at: status === 'completed' ? at : null,
    canceled_at: status === 'canceled' ? at : null,
  }
}

/** A Goal that is active again. */
export const reopened = <G extends Goal>(goal: G): G => ({
  ...goal,
  status: 'active',
  terminal_reason: null,
  completed_at: null,
  canceled_at: null,
})

/** How a Goal has ended, which its history keeps when it is reopened. */
export const endingOf = ({ status, terminal_reason, completed_at, canceled_at }: Goal) => ({
  status,
  terminal_reason,
  completed_at,
  canceled_at,
})

/** The fields that reopening a Goal changes. */
export const fieldsOfReopening = ({ completed_at }: Goal): string[] => [
  'status',
  'terminal_reason',
  completed_at === null ? 'canceled_at' : 'completed_at',
]
