import { newId } from '@wbs/contract/ids'
import type { InputOf } from '@wbs/contract/operation'
import { createBusiness } from '@wbs/contract/businesses/facts'
import { implement } from '../../call/implement.ts'
import type { CallerOfChange } from '../business-access.ts'
import { fullBusiness } from '../business-access-store.ts'
import { applyFacts, changedFactNames, type Facts } from '../business-facts.ts'
import { insertBusiness } from './business-facts-store.ts'
import { lockCandidates } from './candidate-store.ts'
import { businessAnswer } from '../business-record.ts'
import { businessSubject } from '../business-view.ts'
import { conflictErrors, factErrors } from './fact-input.ts'
import { codeAndBroaderCodes, naicsErrors, naicsTitle } from './naics-store.ts'
import { lockLinkState, linkOrRestore } from '../workspace-links/link-or-restore.ts'
import { linkCreated } from '../workspace-links/workspace-business-store.ts'

export const handleCreateBusiness = implement(
  createBusiness,
  async function createBusiness(input, context) {
    const { tx, caller, standing, now, refuse } = context
    const { workspace_id } = standing
    const { match_policy, given, facts } = parseInput(input)
    requireNone([...factErrors(given), ...conflictErrors({ ...facts, founded_year: null }, given)])
    const [codes, candidates] = await readCodesAndCandidates(input, context)
    requireNone(naicsErrors(facts, codes))

    const [candidate] = candidates
    if (candidate && (match_policy === 'reject' || candidates.length > 1))
      throw refuse.already_exists(
        'The Business may already exist. Use one of the candidates, or create another one with the match_policy force_new.',
        { candidates },
      )
    const [state, found] = candidate
      ? await Promise.all([
          lockLinkState(context, candidate.id),
          fullBusiness(tx, workspace_id, candidate.id),
        ])
      : (['hidden'] as const)
    if (candidate && found && state !== 'hidden') {
      linkOrRestore(tx, { workspace_id, business_id: candidate.id, user_id: caller.user_id, now }, state)
      return {
        ...businessAnswer(found),
        resource: { type: 'business', id: candidate.id },
        found: true,
        events: state === 'linked' ? [] : [{ type: 'business.linked', subject: businessSubject(candidate) }],
      }
    }

    const business_id = newId('biz', now.getTime())
    const created = insertBusiness(tx, business_id, facts, naicsTitle(codes, facts), now)
    linkCreated(tx, { workspace_id, business_id, user_id: caller.user_id, now })
    const changed = changedFactNames(noFacts, facts)
    return {
      ...businessAnswer(created),
      resource: { type: 'business', id: business_id },
      changed,
      events: [
        {
          type: 'business.created',
          subject: businessSubject({ id: business_id, name: facts.name }),
          data: { changed },
        },
      ],
    }

    function requireNone(errors: ReturnType<typeof factErrors>): void {
      if (errors.length > 0) throw refuse.validation_error('The facts are not valid.', { errors })
    }
  },
  { prefetch: readCodesAndCandidates },
)

type Input = InputOf<typeof createBusiness>

function parseInput({ match_policy = 'reject', ...given }: Input) {
  return { match_policy, given, facts: applyFacts(noFacts, given) }
}

/** The NAICS codes that the check needs, and the candidates; with force_new there are none. */
async function readCodesAndCandidates(input: Input, { tx, standing }: CallerOfChange) {
  const { match_policy, facts } = parseInput(input)
  return Promise.all([
    codeAndBroaderCodes(tx, facts.naics_code),
    match_policy === 'force_new' ? [] : lockCandidates(tx, standing.workspace_id, facts, standing.seal),
  ])
}

const noFacts: Facts = {
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
