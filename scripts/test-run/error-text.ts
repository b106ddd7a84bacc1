import { inspect } from 'node:util'
import type { RunnerError } from './events.ts'

/** The error of a failed test as text, with the differences and the stack frames in our code. */
export function describeError(error: RunnerError): string {
  const { cause, message, failureType } = error
  if (!(cause instanceof Error)) return typeof cause === 'string' ? cause : message
  const told = withoutNodesPlaces(isPlainAssertion(cause) ? String(cause.stack) : inspect(cause))
  return failureType === 'hookFailed' ? `${message}\n${told}` : told
}

/** An assertion error, whose message has the differences. It comes from another process, so it has no class here. */
const isPlainAssertion = (error: Error & { code?: unknown; generatedMessage?: unknown }) =>
  error.code === 'ERR_ASSERTION' && error.generatedMessage === true

function withoutNodesPlaces(stack: string): string {
  const lines = stack.split('\n').filter(line => !/^\s+at (?:.*\()?node:/.test(line))
  return lines.join('\n').replaceAll(`file://${process.cwd()}/`, '')
}
