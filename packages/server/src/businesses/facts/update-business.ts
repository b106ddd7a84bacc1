import { updateBusiness } from '@wbs/contract/businesses/facts'
import { sourceKinds } from '@wbs/contract/businesses/input'
import { implement } from '../../call/implement.ts'
import { beforeBusinessChange, openBusiness, requireLatest, type CallerOfChange } from '../business-access.ts'
import { applyFacts, changedFactNames, publicFactsAmong, type Facts } from '../business-facts.ts'
import { isInRooms, saveFacts } from './business-facts-store.ts'
import { businessAnswer } from '../business-record.ts'
import { businessSubject } from '../business-view.ts'
import { conflictErrors, factErrors, sourceErrors } from './fact-input.ts'
import { codeAndBroaderCodes, naicsErrors, naicsTitle } from './naics-store.ts'

const beforeUpdate = beforeBusinessChange('edit')

export const handleUpdateBusiness = implement(
  updateBusiness,
  async function updateBusiness(input, context) {
    const { tx, caller, standing, now, refuse } = context
    const { business_id, expected_revision, source, ...rest } = input
    const { workspace_id } = standing
    const given: Partial<Facts> = rest
    requireNone([...factErrors(given), ...sourceErrors(source)])

    const [business, [codes, inRooms]] = await Promise.all([
      openBusiness(context, business_id, 'edit'),
      readCodesAndRooms(input, context),
    ])
    if (business.publication_status === 'merged')
      throw refuse.state_conflict('The Business was merged into another one and cannot be changed.', {
        current_status: 'merged',
      })
    requireLatest(business, expected_revision, refuse)

    const facts = applyFacts(business, given)
    const changed = changedFactNames(business, facts)
    const founded_year = changed.includes('founded_on') ? yearOf(facts.founded_on) : business.founded_year
    const after = { ...facts, founded_year }
    requireNone(conflictErrors(after, given))
    if (changed.includes('naics_code') || changed.includes('naics_vintage'))
      requireNone(naicsErrors(facts, codes))
    const published = publicFactsAmong(business, changed)
    if (!source && published.length > 0)
      throw refuse.evidence_required('Published facts can be changed only with their source.', {
        missing_evidence: published.map(name => ({
          code: 'source',
          pointer: `/${name}`,
          detail: `${name} is published. Send the source of its new value.`,
          accepted: [...sourceKinds],
        })),
      })

    const by = { workspace_id, user_id: caller.user_id }
    const statement = source ? { ...source, ...by } : null
    const change = { after, changed, naics_title: naicsTitle(codes, facts), statement, by, now }
    const saved = changed.length > 0 ? saveFacts(tx, business, change) : business
    return {
      ...businessAnswer(saved),
      resource: { type: 'business', id: business_id },
      changed,
      events:
        changed.length > 0
          ? [
              {
                type: 'business.facts_changed',
                subject: businessSubject({ id: business_id, name: after.name }),
                data: { changed },
              },
            ]
          : [],
      jobs:
        inRooms && published.length > 0
          ? [{ kind: 'tell_rooms_of_business', data: { business_id, changed: published } }]
          : [],
    }

    function requireNone(errors: ReturnType<typeof factErrors>): void {
      if (errors.length > 0) throw refuse.validation_error('The facts are not valid.', { errors })
    }
  },
  {
    ...beforeUpdate,
    prefetch: (input, context) =>
      Promise.all([beforeUpdate.prefetch(input, context), readCodesAndRooms(input, context)]),
  },
)

/** The NAICS codes that the check needs, and whether Rooms must be notified. */
const readCodesAndRooms = (
  { business_id, naics_code }: { business_id: string; naics_code?: string | null },
  { tx, standing }: CallerOfChange,
) => Promise.all([codeAndBroaderCodes(tx, naics_code), isInRooms(tx, standing.workspace_id, business_id)])

const yearOf = (day: string | null) => (day === null ? null : Number(day.slice(0, 4)))
