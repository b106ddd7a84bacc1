import { listRequestTemplates } from '@wbs/contract/tasks/requests'
import { implement } from '../../call/implement.ts'
import { requestsOf, templates } from './templates/request-templates.ts'

export const handleListRequestTemplates = implement(
  listRequestTemplates,
  async function listRequestTemplates() {
    const data = Object.values(templates).map(listed => {
      const { template, title, description, sources } = listed
      return { template, title, description, sources: [...sources], requests: requestsOf(listed) }
    })
    return { result: { data } }
  },
)
