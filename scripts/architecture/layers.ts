/** Files that may be imported: all that a glob names, or of one file nothing but some types. */
export type Allowance = string | { file: string; types: readonly string[] }

/** Files that know the same things, and what else they may know. Their own layer they may always import. */
export interface Layer {
  name: string
  files: string
  may: readonly Allowance[]
}

const contract = 'packages/contract/src/**'
const server = (files: string) => `packages/server/src/${files}`

/** What stands on nothing but the contract. */
const foundations = ['database', 'blobs', 'identity', 'jobs', 'mail']
const allFoundations = foundations.map(name => server(`${name}/**`))

/** In their order: a slice may use those before it, never those behind. */
const slices = [
  'system',
  'workspaces',
  'businesses',
  'lists',
  'goals',
  'tasks',
  'valuations',
  'rooms',
  'files',
  'connections',
  'activity',
]
const allSlices = slices.map(name => server(`${name}/**`))

/** What one slice shows another: its SQL, and who may reach what. */
const shownBy = (slice: string): string => server(`${slice}/**/*-{store,access}.ts`)

/** What a handler has to know of the path that runs it. */
const ofTheCall: readonly Allowance[] = [
  server('call/implement.ts'), // binds a handler to its operation
  { file: server('call/caller.ts'), types: ['Caller', 'SignedInCaller', 'UserCaller', 'KeyCaller'] }, // who asks
  { file: server('call/standing.ts'), types: ['Standing'] }, // what they may do here, judged already
  server('call/permissions.ts'), // what a role grants: shown to members, and asked about other Workspaces
]

/** SQL goes through named statements. A pool or a connection is not for a slice to hold, only a transaction under way. */
const ofTheDatabase: readonly Allowance[] = [
  server('database/statement.ts'),
  server('database/faults.ts'), // a search that was given up is tried another way
  { file: server('database/writer.ts'), types: ['Transaction'] },
]

const sliceLayer = (name: string, at: number): Layer => ({
  name,
  files: server(`${name}/**`),
  may: [contract, ...ofTheCall, ...ofTheDatabase, ...slices.slice(0, at).map(shownBy)],
})

/** Who may import whom: the one table of it. A file that is in no layer may not exist. */
export const layers: readonly Layer[] = [
  { name: 'contract', files: contract, may: [] },
  { name: 'sdk', files: 'packages/sdk/src/**', may: [contract] },

  ...foundations.map(name => ({ name, files: server(`${name}/**`), may: [contract] })),
  { name: 'call', files: server('call/**'), may: [contract, ...allFoundations] },
  ...slices.map(sliceLayer),
  { name: 'http', files: server('http/**'), may: [contract, server('call/**')] },
  { name: 'mcp', files: server('mcp/**'), may: [contract, server('call/**')] },

  // What puts it together. Settings are read before anything runs, so they know only what the words mean.
  {
    name: 'config',
    files: server('config.ts'),
    may: [
      server('identity/issuer-settings.ts'),
      { file: server('system/health.ts'), types: ['Environment'] },
    ],
  },
  {
    name: 'app',
    files: server('app.ts'),
    may: [contract, ...allFoundations, server('call/**'), ...allSlices, server('{http,mcp}/**')],
  },
  {
    name: 'quickstart',
    files: server('quickstart/**'),
    may: [
      contract,
      ...allFoundations,
      server('call/**'),
      ...slices.map(shownBy),
      { file: server('app.ts'), types: ['App'] },
    ],
  },
  {
    name: 'service',
    files: server('service.ts'),
    may: [
      ...allFoundations,
      ...allSlices,
      server('http/port.ts'),
      server('quickstart/**'),
      server('{app,config}.ts'),
    ],
  },
  {
    name: 'main',
    files: server('main.ts'),
    may: [...allFoundations, server('http/port.ts'), server('{config,service}.ts')],
  },

  // The tool does on the database what needs no service: it opens one, and imports.
  {
    name: 'cli',
    files: 'packages/cli/src/**',
    may: [
      contract,
      'packages/sdk/src/**',
      server('config.ts'),
      server('database/**'),
      server('businesses/naics.ts'),
      server('businesses/import/**'),
    ],
  },
]
