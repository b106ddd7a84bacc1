import { isDeepStrictEqual } from 'node:util'
import type { Id } from '@wbs/contract/ids'
import { documentFieldNames, type ValuationDocument } from '@wbs/contract/valuations/document'
import type { DocumentSummary } from './valuation-store.ts'

/** A document of a request, in which the Business may be left out. */
export type GivenDocument = ValuationDocument

/** What a request changes of a document. A weight of null removes all weights. */
export type DocumentChanges = Partial<
  Omit<{ [Field in keyof ValuationDocument]: ValuationDocument[Field] | undefined }, 'weights'>
> & { weights?: ValuationDocument['weights'] | null | undefined }

/**
 * A document as it is stored: only its fields, always with a Business. A valuation of a Business belongs to that Business
 * unless the request says otherwise.
 */
export function storedDocument(given: GivenDocument): ValuationDocument {
  const { subject, business_id = businessOfSubject(subject) } = given
  const fields = documentFieldNames.map(name => [name, given[name]] as const)
  return Object.fromEntries([
    ...fields.filter(([, value]) => value !== undefined),
    ['business_id', business_id],
  ]) as unknown as ValuationDocument
}

/** What a document names as the subject is only checked by its prefix where the type is business. */
const businessOfSubject = ({ type, id = null }: ValuationDocument['subject']) =>
  type === 'business' ? (id as Id<'biz'> | null) : null

/**
 * A document with the fields that a request sends, each of which replaces the earlier one as a whole. Another Business as the
 * subject is also the one that the valuation belongs to, unless the request says otherwise.
 */
export function changedDocument(document: ValuationDocument, changes: DocumentChanges): ValuationDocument {
  const business_id = changes.subject ? businessOfSubject(changes.subject) : null
  const following = business_id === null ? {} : { business_id }
  const { weights, ...others } = { ...document, ...following, ...withoutUndefined(changes) }
  return { ...others, ...(weights && { weights }) }
}

/** The fields in which two documents differ, in the order of the contract. */
export const changedFields = (before: ValuationDocument, after: ValuationDocument): string[] =>
  documentFieldNames.filter(name => !isDeepStrictEqual(before[name], after[name]))

/** What a list shows of a document. */
export function summaryOf({
  subject: { type, id = null, name = null },
  engagement_type,
  purpose,
  valuation_date,
  currency,
}: ValuationDocument): DocumentSummary {
  return { subject: { type, id, name }, engagement_type, purpose, valuation_date, currency }
}

const withoutUndefined = (changes: object) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
