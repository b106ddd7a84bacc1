import { listRequestTemplates } from '@wbs/contract/tasks/requests'
import { implement } from '../../call/implement.ts'
import { requestsOf, templates } from './templates/request-templates.ts'

export const handleListRequestTemplates = implement(
  listRequestTemplates,
  async function listRequestTemplates() {
    const data = Object.values(templates).map(one => {
      const { template, title, description, sources } = one
      return { template, title, description, sources: [...sources], requests: requestsOf(one) }
    })
    return { result: { data } }
  },
)
