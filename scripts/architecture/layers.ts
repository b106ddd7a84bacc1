/** Files that may be imported: all that match a glob, or only certain types of one file. */
export type Allowance = string | { file: string; types: readonly string[] }

/** A group of files with the same allowed imports. Files of a layer may always import each other. */
export interface Layer {
  name: string
  files: string
  may: readonly Allowance[]
}

const contract = 'packages/contract/src/**'
const server = (files: string) => `packages/server/src/${files}`

/** The version of the service. */
const ownVersion = 'packages/server/package.json'

/** Layers that depend on nothing but the contract. */
const foundations = ['database', 'blobs', 'identity', 'inspection', 'jobs', 'mail', 'plugins']
const allFoundations = foundations.map(name => server(`${name}/**`))

/** In order: a slice may use earlier ones, never later ones. */
const slices = [
  'system',
  'workspaces',
  'businesses',
  'lists',
  'rooms',
  'me',
  'invitations',
  'files',
  'valuations',
  'goals',
  'tasks',
  'connections',
  'activity',
]
/** The files of all slices. */
export const allSlices = slices.map(name => server(`${name}/**`))

/** What a slice exports to others: its SQL, and its rules of access. */
const shownBy = (slice: string): string => server(`${slice}/**/*-{store,access}.ts`)

/** How facts of Businesses are compared, written and shown: the same everywhere. */
const ofFacts: Allowance = server('businesses/{fold,fact-formats,business-view}.ts')

/** What a handler needs of the path that runs it. */
const ofTheCall: readonly Allowance[] = [
  server('call/page.ts'), // builds a page from rows
  { file: server('call/bytes.ts'), types: ['Bytes'] }, // answers with content
  server('call/revision.ts'), // refuses a stale revision
  server('call/input/timestamp.ts'), // reads moments in files as in requests
  server('call/state.ts'), // refuses a move that the state does not allow
  server('call/implement.ts'), // binds a handler to its operation
  server('call/waiting/compute.ts'), // what a handler asks for between two transactions
  server('call/authority/caller.ts'), // who asks, and how history shows them
  server('call/authority/permissions.ts'), // what a role grants
  { file: server('call/authority/standing.ts'), types: ['Standing', 'GuestStanding'] }, // what they may do here
  { file: server('call/commands/visibility.ts'), types: ['VisibilityChecks'] }, // whether somebody sees what a receipt names
  { file: server('call/recorded-read.ts'), types: ['RecordRead', 'RecordedReadContext'] }, // what a read tells others
  { file: server('call/system-change.ts'), types: ['SystemChange', 'SystemChangeOfRooms', 'SystemOutcome'] }, // what a job changes
  server('call/problem.ts'), // with what an operation or a URL is refused
  server('call/authority/url-holder.ts'), // whether a URL is still worth something
  server('identity/api-key-format.ts'), // makes keys and tells them apart
  server('identity/networks.ts'), // from where they may be used
  server('identity/email-address.ts'), // how addresses compare
  server('identity/invitation-token.ts'), // makes tokens and tells them apart
  server('identity/derived-key.ts'), // keys for tokens and cursors
]

/** SQL is in named statements. A slice never has a pool or a connection, only the current transaction. */
const ofTheDatabase: readonly Allowance[] = [
  server('database/statement.ts'),
  server('database/composed-read.ts'), // a read composed for one use
  server('database/faults.ts'), // a search that was canceled is run another way
  server('database/connections/with-timeout.ts'), // timeouts
  server('database/locks.ts'), // locks that a change takes
  server('database/partitions/history-period.ts'), // in which partitions a change is stored
  server('database/database-time.ts'), // the clock that all nodes share
  server('database/replicas/public-changes.ts'), // who changed what everybody reads
  { file: server('database/connections/writer.ts'), types: ['Transaction'] },
]

/** A slice sends jobs, handles them and words its mail. It does not run jobs or send mail. */
const ofJobsAndMail: readonly Allowance[] = [
  { file: server('jobs/job-kinds.ts'), types: ['JobDraft', 'JobHandlers'] },
  { file: server('mail/mailer.ts'), types: ['Mailer'] },
  server('call/notices/notice.ts'), // mail that is counted
  server('mail/*-message.ts'),
]

/** The content of Files: as interfaces, and the errors of their implementations. */
const ofContent: readonly Allowance[] = [
  server('blobs/blob-{store,errors}.ts'),
  server('inspection/inspector.ts'),
  server('inspection/csv-records.ts'), // reads tables that users uploaded
]

/** Long computing, which must not keep others waiting. */
const ofThreads: readonly Allowance[] = [server('threads/{threads,answer-orders}.ts')]

/** The apps that connections reach: as an interface. */
const ofPlugins: readonly Allowance[] = [server('plugins/plugin.ts')]

const sliceLayer = (name: string, at: number): Layer => ({
  name,
  files: server(`${name}/**`),
  may: [
    contract,
    ...ofTheCall,
    ...ofTheDatabase,
    ...ofJobsAndMail,
    ...ofContent,
    ...ofPlugins,
    ...ofThreads,
    ...slices.slice(0, at).map(shownBy),
    ...(at > slices.indexOf('businesses') ? [ofFacts] : []),
  ],
})

const ofStartErrors = [...allFoundations, server('http/port.ts'), server('config-values.ts')]

/** The only table of allowed imports. Every file must belong to a layer. */
export const layers: readonly Layer[] = [
  { name: 'contract', files: contract, may: [] },
  { name: 'sdk', files: 'packages/sdk/src/**', may: [] },

  // Instruments and spans, which every other part may use.
  { name: 'telemetry', files: server('telemetry/**'), may: [ownVersion] },
  // Who goes first where only so much can run at once.
  { name: 'turns', files: server('turns/**'), may: [server('telemetry/**')] },
  { name: 'threads', files: server('threads/**'), may: [server('turns/**')] },
  ...foundations.map(name => ({
    name,
    files: server(`${name}/**`),
    may: [contract, ownVersion, server('{threads,turns,telemetry}/**')],
  })),
  {
    name: 'call',
    files: server('call/**'),
    may: [contract, server('{telemetry,turns}/**'), ...allFoundations],
  },
  // Counts requests; transports know it as an interface.
  {
    name: 'limits',
    files: server('limits/**'),
    may: [
      contract,
      server('identity/networks.ts'),
      server('call/problem.ts'),
      server('call/authority/caller.ts'),
      server('call/authority/known-members.ts'),
      server('telemetry/**'),
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
      ownVersion,
      server('telemetry/**'),
      server('call/**'),
      server('limits/address.ts'), // the key that an address is counted under
      { file: server('limits/limiter.ts'), types: ['Limiter'] },
      server('identity/networks.ts'), // the network of an address
      { file: server('identity/sign-in-settings.ts'), types: ['SignInClient'] }, // how people sign in
      { file: server('identity/sign-in-options.ts'), types: ['SignInOption', 'SignInOptions'] }, // where they do
    ],
  },
  { name: 'mcp', files: server('mcp/**'), may: [contract, server('call/**')] },

  // Everything in the database, of all slices, and the content that it names.
  {
    name: 'backup',
    files: server('backup/**'),
    may: [server('{database,blobs}/**'), server('jobs/install-jobs.ts'), ownVersion],
  },

  // Composition. Settings are read before anything runs, so they only know what their values mean.
  {
    name: 'config',
    files: server('{config,config-values,settings-from-files}.ts'),
    may: [
      server('identity/{issuer-settings,sign-in-settings,allowed-origins}.ts'),
      server('mail/mail-settings.ts'),
      server('inspection/inspection-settings.ts'),
      server('blobs/blob-settings.ts'),
      server('telemetry/*-settings.ts'),
      server('database/{database-settings,connections/pool-sizes,partitions/retention-settings}.ts'),
      server('plugins/plugin-settings.ts'),
      { file: server('system/health.ts'), types: ['Environment'] },
    ],
  },
  {
    name: 'slices',
    files: server('slices.ts'),
    may: [
      contract,
      ...allFoundations,
      server('call/**'),
      ...allSlices,
      server('limits/buckets.ts'), // the time of inspections that senders have
    ],
  },
  {
    name: 'app',
    files: server('{app,intervals,request-path}.ts'),
    may: [
      contract,
      server('telemetry/**'),
      ...allFoundations,
      server('call/**'),
      server('limits/**'),
      ...allSlices,
      server('{http,mcp}/**'),
      server('slices.ts'),
      { file: server('shutdown.ts'), types: ['Shutdown'] },
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
    // In which order the parts of a node close.
    name: 'shutdown',
    files: server('shutdown.ts'),
    may: [],
  },
  {
    name: 'node',
    files: server('node.ts'),
    may: [...allFoundations, server('{app,slices,shutdown}.ts')],
  },
  {
    name: 'service',
    files: server('service.ts'),
    may: [
      ...allFoundations,
      ...allSlices,
      server('telemetry/**'),
      server('http/{port,loopback-host}.ts'),
      server('quickstart/**'),
      server('{app,config,config-values,node,shutdown}.ts'),
    ],
  },
  {
    name: 'main',
    files: server('main.ts'),
    may: [server('{config,service,start-errors}.ts'), ...ofStartErrors],
  },
  // Which errors of a start are told to the operator.
  { name: 'start errors', files: server('start-errors.ts'), may: ofStartErrors },

  // The command line tool works on the database without a service: it opens one, imports, backs up and restores.
  {
    name: 'cli',
    files: 'packages/cli/src/**',
    may: [
      contract,
      'packages/cli/package.json', // its version
      'packages/sdk/src/**',
      server('{config,config-values}.ts'),
      server('{database,blobs}/**'),
      server('businesses/import/**'),
      server('businesses/{fold,fact-formats}.ts'), // how names compare, and what a day is
      server('backup/**'),
      server('jobs/**'),
      server('valuations/{engine,report,benchmark-sets}/**'), // values a document offline
      server('call/input/validate.ts'), // checks its form as a request is checked
      server('identity/issuer-url.ts'), // which addresses are of this machine
    ],
  },
]
