/** A signal that is aborted by the first Ctrl-C, so that the command ends where it can. The second Ctrl-C ends the process. */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
  return controller.signal
}
