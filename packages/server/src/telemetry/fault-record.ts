/** The part of an error that may be logged. */
export interface FaultRecord {
  name: string
  message?: string
  code?: string
  /** The names that a database reports. They contain no values. */
  constraint?: string
  routine?: string
  /** The name of the statement that failed. */
  statement?: string
  frames: string[]
  cause?: FaultRecord
}

/**
 * Reduces a thrown error to what may be logged. Messages of the database and of parsers quote the client's values, so
 * only their kind and location are kept.
 */
export function faultRecord(error: unknown, depth = 0): FaultRecord {
  if (!(error instanceof Error)) return { name: `thrown ${typeof error}`, frames: [] }
  const { code, constraint, routine, statement } = error as Error & Record<string, unknown>
  const quotes = error instanceof SyntaxError || routine !== undefined
  return {
    name: error.name,
    ...(!quotes && { message: error.message }),
    ...(typeof code === 'string' && { code }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(typeof routine === 'string' && { routine }),
    ...(typeof statement === 'string' && { statement }),
    frames: framesOf(error),
    ...(error.cause !== undefined && depth < 3 && { cause: faultRecord(error.cause, depth + 1) }),
  }
}

/** The stack without its first lines, which repeat the message. */
function framesOf({ stack = '', message }: Error): string[] {
  const end = stack.indexOf(message) + message.length
  return stack
    .slice(end)
    .split('\n')
    .filter(line => /^\s+at /.test(line))
    .map(line => line.trim())
}
