/** What a script started, in order; it is stopped in reverse, also when somebody ends the script. */
export function startedParts(): AsyncDisposableStack {
  const running = new AsyncDisposableStack()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      void running.disposeAsync().finally(() => process.exit(1))
    })
  return running
}
