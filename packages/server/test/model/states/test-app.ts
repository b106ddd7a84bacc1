import type { Plugin, PluginOutcome } from '../../../src/plugins/plugin.ts'

/** An app behind a plugin, which answers as a test wants. */
export interface TestApp {
  plugin: Plugin
  /** What it answers from now on. */
  answers: PluginOutcome
  /** The keys of the actions that it carried out, in order. */
  carriedOut: string[]
}

export const succeeded: PluginOutcome = { outcome: 'succeeded', output: { ok: true } }

export function makeTestApp(): TestApp {
  const operation = (effect: 'reads' | 'changes') => ({
    effect,
    faultsOf: () => [],
    summaryOf: () => 'Change the order.',
  })
  const app: TestApp = {
    answers: succeeded,
    carriedOut: [],
    plugin: {
      name: 'test_app',
      kind: 'app',
      operations: { look: operation('reads'), change: operation('changes') },
      settle: config => ({ config: { ...config }, origin: 'https://app.example.com' }),
      async call({ idempotency_key }) {
        if (idempotency_key !== null && app.answers.outcome === 'succeeded')
          app.carriedOut.push(idempotency_key)
        return app.answers
      },
    },
  }
  return app
}
