import { inspect } from 'node:util'
import type { RunnerError } from './events.ts'

/** What a test failed with, as text: its error with the differences and the places in our code. */
export function describeError(error: RunnerError): string {
  const { cause, message, failureType } = error
  if (!(cause instanceof Error)) return typeof cause === 'string' ? cause : message
  const told = withoutNodesPlaces(isPlainAssertion(cause) ? String(cause.stack) : inspect(cause))
  return failureType === 'hookFailed' ? `${message}\n${told}` : told
}

/** Its message has the differences already. It comes from another process, so it is of no class of this one. */
const isPlainAssertion = (error: Error & { code?: unknown; generatedMessage?: unknown }) =>
  error.code === 'ERR_ASSERTION' && error.generatedMessage === true

function withoutNodesPlaces(stack: string): string {
  const lines = stack.split('\n').filter(line => !/^\s+at (?:.*\()?node:/.test(line))
  return lines.join('\n').replaceAll(`file://${process.cwd()}/`, '')
}
