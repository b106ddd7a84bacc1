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

/** Which version of the service this is. */
const ownVersion = 'packages/server/package.json'

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
  'invitations',
  'files',
  'connections',
  'activity',
]
const allSlices = slices.map(name => server(`${name}/**`))

/** What one slice shows another: its SQL, and who may reach what. */
const shownBy = (slice: string): string => server(`${slice}/**/*-{store,access}.ts`)

/** What a handler has to know of the path that runs it. */
const ofTheCall: readonly Allowance[] = [
  server('call/page.ts'), // cuts a page out of rows
  server('call/revision.ts'), // refuses a stale revision
  server('call/implement.ts'), // binds a handler to its operation
  server('call/authority/caller.ts'), // who asks
  server('call/authority/permissions.ts'), // what a role grants
  { file: server('call/authority/standing.ts'), types: ['Standing', 'GuestStanding'] }, // what they may do here
  { file: server('call/commands/visibility.ts'), types: ['VisibilityChecks'] }, // whether somebody sees what a receipt names
  { file: server('call/system-change.ts'), types: ['SystemChange', 'SystemChangeOfRooms'] }, // what a job changes
  { file: server('call/problem.ts'), types: ['Refuse'] }, // with what an operation may refuse
  server('identity/api-key-format.ts'), // makes keys and tells them apart
  server('identity/networks.ts'), // from where they may be used
  server('identity/email-address.ts'), // how addresses compare
  server('identity/invitation-token.ts'), // makes tokens and tells them apart
]

/** SQL goes through named statements. A slice never holds a pool or a connection, only the transaction under way. */
const ofTheDatabase: readonly Allowance[] = [
  server('database/statement.ts'),
  server('database/faults.ts'), // a search that was given up is tried another way
  server('database/connections/with-timeout.ts'), // how long an answer is waited for
  server('database/locks.ts'), // what a change keeps others from changing
  server('database/database-time.ts'), // the clock that all nodes share
  { file: server('database/connections/writer.ts'), types: ['Transaction'] },
]

/** A slice asks for jobs and says how they are done, and words its mail. When they run, and how mail travels, is not for it. */
const ofJobsAndMail: readonly Allowance[] = [
  { file: server('jobs/job-kinds.ts'), types: ['JobDraft', 'JobHandlers'] },
  { file: server('mail/mailer.ts'), types: ['Mailer'] },
  server('mail/*-message.ts'),
]

const sliceLayer = (name: string, at: number): Layer => ({
  name,
  files: server(`${name}/**`),
  may: [contract, ...ofTheCall, ...ofTheDatabase, ...ofJobsAndMail, ...slices.slice(0, at).map(shownBy)],
})

/** Who may import whom: the one table of it. A file that is in no layer may not exist. */
export const layers: readonly Layer[] = [
  { name: 'contract', files: contract, may: [] },
  { name: 'sdk', files: 'packages/sdk/src/**', may: [contract] },

  ...foundations.map(name => ({ name, files: server(`${name}/**`), may: [contract, ownVersion] })),
  { name: 'call', files: server('call/**'), may: [contract, ...allFoundations] },
  // Counts what callers send; the doors know it as an interface.
  {
    name: 'limits',
    files: server('limits/**'),
    may: [
      contract,
      server('identity/networks.ts'),
      server('call/problem.ts'),
      server('call/authority/caller.ts'),
      server('call/authority/known-members.ts'),
      server('database/statement.ts'),
      { file: server('database/connections/single-writes.ts'), types: ['SingleWrites'] },
    ],
  },
  ...slices.map(sliceLayer),
  {
    name: 'http',
    files: server('http/**'),
    may: [
      contract,
      server('call/**'),
      server('limits/address.ts'), // what an address is counted as
      { file: server('limits/limiter.ts'), types: ['Limiter'] },
    ],
  },
  { name: 'mcp', files: server('mcp/**'), may: [contract, server('call/**')] },

  // Everything that the database holds, whatever it is about.
  {
    name: 'backup',
    files: server('backup/**'),
    may: [server('database/**'), server('jobs/install-jobs.ts'), ownVersion],
  },

  // What puts it together. Settings are read before anything runs, so they know only what the words mean.
  {
    name: 'config',
    files: server('config.ts'),
    may: [
      server('identity/issuer-settings.ts'),
      server('mail/mail-settings.ts'),
      { file: server('system/health.ts'), types: ['Environment'] },
    ],
  },
  {
    name: 'slices',
    files: server('slices.ts'),
    may: [contract, ...allFoundations, server('call/**'), ...allSlices],
  },
  {
    name: 'app',
    files: server('app.ts'),
    may: [
      contract,
      ...allFoundations,
      server('call/**'),
      server('limits/**'),
      ...allSlices,
      server('{http,mcp}/**'),
      server('slices.ts'),
    ],
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
      server('http/{port,loopback-host}.ts'),
      server('quickstart/**'),
      server('{app,config,slices}.ts'),
    ],
  },
  {
    name: 'main',
    files: server('main.ts'),
    may: [...allFoundations, server('http/port.ts'), server('{config,service}.ts')],
  },

  // The tool does on the database what needs no service: it opens one, imports, backs up and restores.
  {
    name: 'cli',
    files: 'packages/cli/src/**',
    may: [
      contract,
      'packages/sdk/src/**',
      server('config.ts'),
      server('database/**'),
      server('businesses/import/**'),
      server('backup/**'),
      server('jobs/**'),
    ],
  },
]
