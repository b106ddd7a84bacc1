import { sourceKinds, updateBusiness } from '@wbs/contract/workspace-businesses'
import { implement } from '../call/implement.ts'
import type { JobDraft } from '../jobs/job-kinds.ts'
import { ofNamedBusiness, openBusiness, requireLatest } from './business-access.ts'
import { changedFacts, differences, publicAmong, type Facts } from './business-facts.ts'
import { saveFacts, workspacesWithRooms } from './business-facts-store.ts'
import { changedRecord } from './business-record.ts'
import { subjectOf } from './business-view.ts'
import { contradictions, faultsOf, sourceFaults } from './fact-input.ts'
import { codesAround, naicsFaults } from './naics-store.ts'

const named = ofNamedBusiness('edit')

export const handleUpdateBusiness = implement(
  updateBusiness,
  async (input, context) => {
    const { tx, caller, standing, now, refuse } = context
    const { business_id, expected_revision, source, ...rest } = input
    const { workspace_id } = standing
    const given: Partial<Facts> = rest
    requireNone([...faultsOf(given), ...sourceFaults(source)])

    const [business, codes] = await Promise.all([
      openBusiness(context, business_id, 'edit'),
      codesAround(tx, given.naics_code),
    ])
    if (business.publication_status === 'merged')
      throw refuse.state_conflict('The Business was merged into another one.', { current_status: 'merged' })
    requireLatest(business, expected_revision, refuse)

    const facts = changedFacts(business, given)
    const changed = differences(business, facts)
    const founded_year = changed.includes('founded_on') ? yearOf(facts.founded_on) : business.founded_year
    const after = { ...facts, founded_year }
    requireNone(contradictions(after, given))
    if (changed.includes('naics_code') || changed.includes('naics_vintage'))
      requireNone(naicsFaults(facts, codes))
    const published = publicAmong(business, changed)
    if (!source && published.length > 0)
      throw refuse.evidence_required('What everybody reads of a Business is changed with its source only.', {
        missing_evidence: published.map(name => ({
          code: 'source',
          pointer: `/${name}`,
          detail: `${name} is published; say where its new value is from.`,
          accepted: [...sourceKinds],
        })),
      })

    if (changed.length > 0) {
      const statement = source ? { ...source, workspace_id, user_id: caller.user_id } : null
      saveFacts(tx, business, { after, changed, statement, now })
    }
    const [record, jobs] = await Promise.all([
      changedRecord(tx, workspace_id, business_id),
      toTell(published),
    ])
    return {
      ...record,
      resource: { type: 'business', id: business_id },
      changed,
      events:
        changed.length > 0
          ? [
              {
                type: 'business.facts_changed',
                subject: subjectOf({ id: business_id, name: after.name }),
                data: { changed },
              },
            ]
          : [],
      jobs,
    }

    function requireNone(errors: ReturnType<typeof faultsOf>): void {
      if (errors.length > 0)
        throw refuse.validation_error('The facts cannot be taken as they are.', { errors })
    }
    async function toTell(changed: string[]): Promise<JobDraft[]> {
      if (changed.length === 0 || (await workspacesWithRooms(tx, [business_id])).length === 0) return []
      return [{ kind: 'tell_rooms_of_business', data: { business_id, changed } }]
    }
  },
  {
    ...named,
    ahead: (input, context) =>
      Promise.all([named.ahead(input, context), codesAround(context.tx, input.naics_code)]),
  },
)

const yearOf = (day: string | null) => (day === null ? null : Number(day.slice(0, 4)))
