import type { RequestTemplate } from '@wbs/contract/tasks/requests'
import { qualityOfEarnings } from './quality-of-earnings.ts'
import { sba7aLoan } from './sba-7a-loan.ts'
import { smallBusinessPurchase } from './small-business-purchase.ts'
import type { Template, TemplateRequest } from './request-template.ts'

/** The request lists that the service has. */
export const templates: Readonly<Record<RequestTemplate, Template>> = {
  small_business_purchase: smallBusinessPurchase,
  sba_7a_loan: sba7aLoan,
  quality_of_earnings: qualityOfEarnings,
}

/** The requests of a list in their order, each with its section. */
export const requestsOf = ({ sections }: Template): (TemplateRequest & { section: string })[] =>
  sections.flatMap(({ section, requests }) => requests.map(request => ({ ...request, section })))
