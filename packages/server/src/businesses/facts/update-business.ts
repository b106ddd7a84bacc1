import { updateBusiness } from '@wbs/contract/businesses/facts'
import { sourceKinds } from '@wbs/contract/businesses/input'
import { implement } from '../../call/implement.ts'
import { ofNamedBusiness, openBusiness, requireLatest, type Looking } from '../business-access.ts'
import { changedFacts, differences, publicAmong, type Facts } from '../business-facts.ts'
import { isInRooms, saveFacts } from './business-facts-store.ts'
import { answerOf } from '../business-record.ts'
import { subjectOf } from '../business-view.ts'
import { contradictions, faultsOf, sourceFaults } from './fact-input.ts'
import { codesAround, naicsFaults, titleOf } from './naics-store.ts'

const named = ofNamedBusiness('edit')

export const handleUpdateBusiness = implement(
  updateBusiness,
  async function updateBusiness(input, context) {
    const { tx, caller, standing, now, refuse } = context
    const { business_id, expected_revision, source, ...rest } = input
    const { workspace_id } = standing
    const given: Partial<Facts> = rest
    requireNone([...faultsOf(given), ...sourceFaults(source)])

    const [business, [codes, inRooms]] = await Promise.all([
      openBusiness(context, business_id, 'edit'),
      lookBesides(input, context),
    ])
    if (business.publication_status === 'merged')
      throw refuse.state_conflict('The Business was merged into another one and cannot be changed.', {
        current_status: 'merged',
      })
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
      throw refuse.evidence_required('Published facts can be changed only with their source.', {
        missing_evidence: published.map(name => ({
          code: 'source',
          pointer: `/${name}`,
          detail: `${name} is published. Send the source of its new value.`,
          accepted: [...sourceKinds],
        })),
      })

    const statement = source ? { ...source, workspace_id, user_id: caller.user_id } : null
    const change = { after, changed, naics_title: titleOf(codes, facts), statement, now }
    const saved = changed.length > 0 ? saveFacts(tx, business, change) : business
    return {
      ...answerOf(saved),
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
      jobs:
        inRooms && published.length > 0
          ? [{ kind: 'tell_rooms_of_business', data: { business_id, changed: published } }]
          : [],
    }

    function requireNone(errors: ReturnType<typeof faultsOf>): void {
      if (errors.length > 0) throw refuse.validation_error('The facts are not valid.', { errors })
    }
  },
  {
    ...named,
    prefetch: (input, context) => Promise.all([named.prefetch(input, context), lookBesides(input, context)]),
  },
)

/** What there is of the code that is given, and whether Rooms are to be told. */
const lookBesides = (
  { business_id, naics_code }: { business_id: string; naics_code?: string | null },
  { tx, standing }: Looking,
) => Promise.all([codesAround(tx, naics_code), isInRooms(tx, standing.workspace_id, business_id)])

const yearOf = (day: string | null) => (day === null ? null : Number(day.slice(0, 4)))
