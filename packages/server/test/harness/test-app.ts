import type { Plugin, PluginCall, PluginOutcome } from '../../src/plugins/plugin.ts'

/** An app in the memory of the test: a plugin that answers what the test says, and remembers what it was asked. */
export interface TestApp extends Plugin {
  /** The calls so far, in order. */
  calls: PluginCall[]
  /** What it answers from now on. By default `succeeded`, with the operation and its arguments. */
  answers(answer: (call: PluginCall) => PluginOutcome | Promise<PluginOutcome>): void
}

/** The fields of a request that shares it. `look` needs no approval, and `change` does. */
export const someApp = {
  kind: 'app' as const,
  plugin: 'test_app',
  label: 'Order system',
  config: {},
  allowed_operations: ['look', 'change'],
}

export function createTestApp(name = 'test_app'): TestApp {
  let answer: (call: PluginCall) => PluginOutcome | Promise<PluginOutcome> = ({
    operation,
    arguments: args,
  }) => ({
    outcome: 'succeeded',
    output: { operation, arguments: args },
  })
  const calls: PluginCall[] = []
  const operation = (effect: 'reads' | 'changes') => ({
    effect,
    faultsOf: (args: Readonly<Record<string, unknown>>) =>
      'wrong' in args ? [{ pointer: '/wrong', detail: 'It must not be there.' }] : [],
    summaryOf: () => `${effect === 'reads' ? 'Look at' : 'Change'} something`,
  })
  return {
    name,
    kind: 'app',
    operations: {
      look: operation('reads'),
      peek: operation('reads'),
      get: operation('reads'),
      post: operation('changes'),
      change: operation('changes'),
    },
    calls,
    answers(next) {
      answer = next
    },
    settle: config =>
      'wrong' in config
        ? { faults: [{ pointer: '/wrong', detail: 'It must not be there.' }] }
        : { config: { ...config }, origin: `test:${name}` },
    async call(call) {
      calls.push(call)
      return answer(call)
    },
  }
}
