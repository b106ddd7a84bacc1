import { newId } from '@wbs/contract/ids'
import { createBusiness } from '@wbs/contract/workspace-businesses'
import { implement } from '../call/implement.ts'
import { changedFacts, differences, type Facts } from './business-facts.ts'
import { insertBusiness } from './business-facts-store.ts'
import { candidatesFor, lockLikeness } from './business-match-store.ts'
import { changedRecord } from './business-record.ts'
import { subjectOf } from './business-view.ts'
import { contradictions, faultsOf } from './fact-input.ts'
import { naicsFaults } from './naics-store.ts'
import { takeIn } from './take-in.ts'
import { linkMade } from './workspace-business-store.ts'

export const handleCreateBusiness = implement(createBusiness, async (input, context) => {
  const { tx, caller, standing, now, refuse } = context
  const { workspace_id } = standing
  const { match_policy = 'reject', ...given } = input
  const facts = changedFacts(nothingKnown, given)
  const errors = [...faultsOf(given), ...contradictions({ ...facts, founded_year: null }, given)]
  if (errors.length === 0) errors.push(...(await naicsFaults(tx, facts)))
  if (errors.length > 0) throw refuse.validation_error('The facts cannot be taken as they are.', { errors })

  if (match_policy !== 'force_new') {
    await lockLikeness(tx, workspace_id, facts)
    const candidates = await candidatesFor(tx, workspace_id, facts)
    const [only] = candidates
    if (only && (match_policy === 'reject' || candidates.length > 1))
      throw refuse.already_exists(
        'Such a Business may be there already. Take one of the candidates, or make another with match_policy force_new.',
        { candidates },
      )
    const taken =
      only && (await takeIn(tx, { workspace_id, business_id: only.id, user_id: caller.user_id, now }))
    if (only && taken !== 'hidden')
      return {
        ...(await changedRecord(tx, workspace_id, only.id)),
        resource: { type: 'business', id: only.id },
        found: true,
        events: taken === 'linked' ? [{ type: 'business.linked', subject: subjectOf(only) }] : [],
      }
  }

  const business_id = newId('biz', now.getTime())
  insertBusiness(tx, business_id, facts, now)
  linkMade(tx, { workspace_id, business_id, user_id: caller.user_id, now })
  const changed = differences(nothingKnown, facts)
  return {
    ...(await changedRecord(tx, workspace_id, business_id)),
    resource: { type: 'business', id: business_id },
    changed,
    events: [
      {
        type: 'business.created',
        subject: subjectOf({ id: business_id, name: facts.name }),
        data: { changed },
      },
    ],
  }
})

const nothingKnown: Facts = {
  name: '',
  legal_name: null,
  status: 'unknown',
  closed_on: null,
  description: null,
  founded_on: null,
  public_email: null,
  public_phone: null,
  website_url: null,
  country_code: 'US',
  state: null,
  city: null,
  postal_code: null,
  line1: null,
  naics_code: null,
  naics_vintage: null,
}
