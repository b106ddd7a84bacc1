import type { Mutant } from '../../mutant.ts'

export const pluginsFaults: readonly Mutant[] = [
  {
    name: 'A connection reaches the metadata of the cloud.',
    file: 'packages/server/src/plugins/http-json/public-address.ts',
    text: `  '169.254.0.0/16', // link-local, with the metadata of clouds
`,
    replacement: '',
    caughtBy: ['packages/server/test/plugins/http-json/public-address.test.ts'],
  },
]
