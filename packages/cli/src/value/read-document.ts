import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { inexactNumber, inexactNumbers } from '@wbs/contract/json/exact-numbers'
import type { InputError } from '@wbs/contract/problems'
import type { ValuationDocument } from '@wbs/contract/valuations/document'
import { createValuation } from '@wbs/contract/valuations/valuations'
import { validatorOf } from '@wbs/server/call/input/validate'
import { CommandError } from '../command-error.ts'
import { reasonOf } from '../reason-of.ts'

/** The most bytes of a document: what the service takes as the body of a request. */
const mostBytes = 2 * 1024 * 1024

/**
 * Reads the document of a valuation and checks its form as the service does. Throws CommandError if the file cannot be read or is
 * not JSON.
 */
export async function readDocument(
  path: string,
): Promise<{ document: ValuationDocument } | { errors: readonly InputError[] }> {
  const text = textOf(path, await bytesOf(path))
  const body = jsonOf(path, text)
  const inexact = inexactNumbers(text, 20)
  if (inexact.length > 0)
    return {
      errors: inexact.map(pointer => ({ in: 'body', pointer, code: 'out_of_range', detail: inexactNumber })),
    }
  const { input, errors } = validatorOf(createValuation)({ path: {}, query: new Map(), body })
  if (errors.length > 0) return { errors }
  const { run: _, ...document } = input
  return { document: document as unknown as ValuationDocument }
}

async function bytesOf(path: string): Promise<Buffer> {
  const bytes = await (path === '-' ? buffer(process.stdin) : readFile(path)).catch((error: unknown) => {
    throw new CommandError(`${nameOf(path)} cannot be read: ${reasonOf(error)}.`)
  })
  if (bytes.length > mostBytes) throw new CommandError(`${nameOf(path)} has more than 2 MiB.`)
  return bytes
}

function textOf(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw notJson(path)
  }
}

function jsonOf(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw notJson(path)
  }
}

const notJson = (path: string) => new CommandError(`${nameOf(path)} is not JSON in UTF-8.`)

const nameOf = (path: string) => (path === '-' ? 'Standard input' : path)
