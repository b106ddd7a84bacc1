import { newId } from '@wbs/contract/ids'
import type { InputOf } from '@wbs/contract/operation'
import { createBusiness } from '@wbs/contract/businesses/facts'
import { implement } from '../../call/implement.ts'
import type { Looking } from '../business-access.ts'
import { wholeBusiness } from '../business-access-store.ts'
import { changedFacts, differences, type Facts } from '../business-facts.ts'
import { insertBusiness } from './business-facts-store.ts'
import { lockCandidates } from './business-match-store.ts'
import { answerOf } from '../business-record.ts'
import { subjectOf } from '../business-view.ts'
import { contradictions, faultsOf } from './fact-input.ts'
import { codesAround, naicsFaults, titleOf } from './naics-store.ts'
import { lockWayIn, takeIn } from '../workspace-links/link-or-restore.ts'
import { linkMade } from '../workspace-links/workspace-business-store.ts'

export const handleCreateBusiness = implement(
  createBusiness,
  async function createBusiness(input, context) {
    const { tx, caller, standing, now, refuse } = context
    const { workspace_id } = standing
    const { match_policy, given, facts } = wanted(input)
    requireNone([...faultsOf(given), ...contradictions({ ...facts, founded_year: null }, given)])
    const [codes, candidates] = await lookAround(input, context)
    requireNone(naicsFaults(facts, codes))

    const [only] = candidates
    if (only && (match_policy === 'reject' || candidates.length > 1))
      throw refuse.already_exists(
        'The Business may already exist. Use one of the candidates, or create another one with the match_policy force_new.',
        { candidates },
      )
    const [way, found] = only
      ? await Promise.all([lockWayIn(context, only.id), wholeBusiness(tx, workspace_id, only.id)])
      : (['hidden'] as const)
    if (only && found && way !== 'hidden') {
      takeIn(tx, { workspace_id, business_id: only.id, user_id: caller.user_id, now }, way)
      return {
        ...answerOf(found),
        resource: { type: 'business', id: only.id },
        found: true,
        events: way === 'there' ? [] : [{ type: 'business.linked', subject: subjectOf(only) }],
      }
    }

    const business_id = newId('biz', now.getTime())
    const made = insertBusiness(tx, business_id, facts, titleOf(codes, facts), now)
    linkMade(tx, { workspace_id, business_id, user_id: caller.user_id, now })
    const changed = differences(nothingKnown, facts)
    return {
      ...answerOf(made),
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

    function requireNone(errors: ReturnType<typeof faultsOf>): void {
      if (errors.length > 0) throw refuse.validation_error('The facts are not valid.', { errors })
    }
  },
  { prefetch: lookAround },
)

type Input = InputOf<typeof createBusiness>

function wanted({ match_policy = 'reject', ...given }: Input) {
  return { match_policy, given, facts: changedFacts(nothingKnown, given) }
}

/** What there is of the code that is given, and of Businesses that may be the same. A new one by force is like none. */
async function lookAround(input: Input, { tx, standing }: Looking) {
  const { match_policy, facts } = wanted(input)
  return Promise.all([
    codesAround(tx, facts.naics_code),
    match_policy === 'force_new' ? [] : lockCandidates(tx, standing.workspace_id, facts, standing.seal),
  ])
}

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
