import type { Rule } from '@wbs/contract/lists/rules'

/** Whose view of the members it is. */
export interface MemberViewer {
  workspace_id: string
  /** Without the permission to read Businesses, only published ones and no observations are visible. */
  reads_businesses: boolean
}

/** A rule with the overrides of its List, for a viewer. */
export interface Membership {
  viewer: MemberViewer
  /** Null for a rule that no List has: there are no overrides. */
  list_id: string | null
  /** False if the List is known to have none. Then the statement is shorter, and takes half the time to plan. */
  has_overrides?: boolean
  rule: Rule
  /** The day of the evaluation, in UTC. */
  today: string
}
