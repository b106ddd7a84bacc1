/** The content codings that documents are sent in, the smallest first. `identity` is the content itself. */
export const codings = ['br', 'gzip', 'identity'] as const
export type Coding = (typeof codings)[number]

/**
 * Chooses the coding for an Accept-Encoding header (RFC 9110, 12.5.3): the one with the highest quality value, and of
 * equal ones the smallest. `identity` if there is no header or an empty one, and also if the client accepts none of the codings, since
 * such an answer is of more use than a refusal.
 */
export function acceptedCoding(header = ''): Coding {
  const named = qualitiesOf(header)
  const qualityOf = (coding: Coding) => named.get(coding) ?? named.get('*') ?? unnamed(coding)
  const best = codings.reduce((a, b) => (qualityOf(b) > qualityOf(a) ? b : a))
  return qualityOf(best) > 0 ? best : 'identity'
}

/** A coding that the header does not name is not accepted, except the identity, which is less good than all named ones. */
const unnamed = (coding: Coding): number => (coding === 'identity' ? 0.0001 : 0)

function qualitiesOf(header: string): Map<string, number> {
  const items = header
    .toLowerCase()
    .matchAll(/(?:^|,)\s*([^\s,;]+)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?(?=,|$)/g)
  return new Map(
    [...items].map(([, name = '', quality = '1']) => [name === 'x-gzip' ? 'gzip' : name, Number(quality)]),
  )
}
