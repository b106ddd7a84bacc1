/** What the log may hold of a fault. */
export interface FaultRecord {
  name: string
  message?: string
  code?: string
  /** What a database says about where, and never about which values. */
  constraint?: string
  routine?: string
  frames: string[]
  cause?: FaultRecord
}

/**
 * Turns what was thrown into what may be logged. Messages of the database and of parsers quote the values they choke on,
 * which are the client's: of these only the kind and the place are kept.
 */
export function faultRecord(error: unknown, depth = 0): FaultRecord {
  if (!(error instanceof Error)) return { name: `thrown ${typeof error}`, frames: [] }
  const { code, constraint, routine } = error as Error & Record<string, unknown>
  const quotes = error instanceof SyntaxError || routine !== undefined
  return {
    name: error.name,
    ...(!quotes && { message: error.message }),
    ...(typeof code === 'string' && { code }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(typeof routine === 'string' && { routine }),
    frames: framesOf(error),
    ...(error.cause !== undefined && depth < 3 && { cause: faultRecord(error.cause, depth + 1) }),
  }
}

/** The stack without its head, which repeats the message. */
function framesOf({ stack = '', message }: Error): string[] {
  const end = stack.indexOf(message) + message.length
  return stack
    .slice(end)
    .split('\n')
    .filter(line => /^\s+at /.test(line))
    .map(line => line.trim())
}
