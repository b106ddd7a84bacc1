import type { InputError } from '@wbs/contract/problems'
import type { FastifyRequest } from 'fastify'
import { invalid, type Problem } from '../../call/problem.ts'
import { unsupportedMediaType } from '../answers/problem-json.ts'

/**
 * Checks the headers of a part before its body is read: it is sent as it is, with its length. Throws validation_error
 * and unsupported_media_type.
 */
export function checkPartHeaders({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw unsupportedMediaType('A part must be sent without Content-Encoding.')
  if (headers['content-length'] === undefined)
    throw badLength(
      'required',
      'The header Content-Length is required. Send the part without chunked coding.',
    )
}

/** Checks that a part has the size that it was announced with. Throws validation_error. */
export function requireSize({ headers }: FastifyRequest, size: number): void {
  if (Number(headers['content-length']) !== size)
    throw badLength('conflict', `This part has ${size} bytes. Content-Length must be ${size}.`)
}

const badLength = (code: InputError['code'], detail: string): Problem =>
  invalid([{ in: 'header', pointer: '/Content-Length', code, detail }])
