import { naicsVintages } from '@wbs/contract/businesses/businesses'
import type { InputError } from '@wbs/contract/problems'
import { readUnscoped, type Reader } from '../../database/statement.ts'

/** A code that an edition of NAICS has. */
export interface KnownCode {
  vintage: string
  code: string
  title: string
}

/** The editions that have a NAICS code, and its broader codes; empty without a code. */
export const codeAndBroaderCodes = async (
  reader: Reader,
  code: string | null | undefined,
): Promise<KnownCode[]> =>
  code ? reader.many(naicsAmong, { vintages: naicsVintages, codes: [code, ...broaderCodes(code)] }) : []

/** What is wrong with a NAICS code: its edition does not have it. The error suggests the nearest broader code. */
export function naicsErrors(
  { naics_code: code, naics_vintage: vintage }: { naics_code: string | null; naics_vintage: string | null },
  known: readonly KnownCode[],
): InputError[] {
  if (code === null || vintage === null) return []
  const has = (edition: string, wanted: string) =>
    known.some(code => code.vintage === edition && code.code === wanted)
  if (has(vintage, code)) return []
  const editions = naicsVintages.filter(edition => has(edition, code))
  const suggestion = broaderCodes(code).find(code => has(vintage, code))
  return [
    {
      in: 'body',
      pointer: '/naics_code',
      code: 'format',
      detail: `The ${vintage} edition of NAICS has no such code${editions.length > 0 ? `; there is one in ${editions.join(', ')}` : ''}.`,
      ...(suggestion !== undefined && { suggestion }),
    },
  ]
}

/** The title of a code in its edition. */
export const naicsTitle = (
  known: readonly KnownCode[],
  { naics_code, naics_vintage }: { naics_code: string | null; naics_vintage: string | null },
): string | null =>
  known.find(code => code.code === naics_code && code.vintage === naics_vintage)?.title ?? null

/** The broader codes of a code, nearest first. */
function broaderCodes(code: string): string[] {
  const prefixes = Array.from({ length: code.length - 1 }, (_, cut) => code.slice(0, -1 - cut))
  const sector = sectors[code.slice(0, 2)]
  return [...prefixes.filter(prefix => /^\d{2,}$/.test(prefix)), ...(sector === undefined ? [] : [sector])]
}

const sectors: Readonly<Record<string, string>> = {
  31: '31-33',
  32: '31-33',
  33: '31-33',
  44: '44-45',
  45: '44-45',
  48: '48-49',
  49: '48-49',
}

const naicsAmong = readUnscoped<KnownCode>(
  'naics_among',
  'select vintage, code, title from naics_codes where vintage = any (:vintages) and code = any (:codes)',
)
