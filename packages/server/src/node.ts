import { createApp, type App, type AppParts } from './app.ts'
import type { Inspector } from './inspection/inspector.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Shutdown } from './shutdown.ts'
import { createJobHandlers } from './slices.ts'

/** What a node is built from, open. */
export interface NodeParts extends AppParts {
  jobs: Jobs
  inspector: Inspector
  mailer: Mailer
  /** The address of the page that shows an invitation. */
  invitationPage: () => string
  /** Whether people get mail about Tasks and approvals. */
  taskMail: boolean
  shutdown: Shutdown
}

/** A node of the service: it answers requests, and runs jobs once it is told to. */
export interface ServiceNode extends App {
  startJobs(): void
}

/** Builds a node of parts that are open. Whoever opened them adds them to `shutdown`; the rest is added here. */
export function createNode(parts: NodeParts): ServiceNode {
  const { shutdown, jobs } = parts
  const app = createApp(parts)
  shutdown.add('jobs', () => jobs.stopWorking())
  return { ...app, startJobs: () => jobs.work(createJobHandlers(parts)) }
}
