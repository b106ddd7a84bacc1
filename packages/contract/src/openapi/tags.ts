interface Tag {
  group: string
  description: string
}

/** The chapters of the reference: what each is about, and the part of the product to which it belongs. */
const described: Readonly<Record<string, Tag>> = {
  System: { group: 'The service', description: 'Whether the service runs, and can answer requests.' },
  'System of record': {
    group: 'The service',
    description: 'What became of a change, found by its Idempotency-Key.',
  },
  Workspaces: {
    group: 'Workspaces',
    description: 'The shared places of teams, and what you may do in each.',
  },
  Team: {
    group: 'Workspaces',
    description:
      'The members of a Workspace, their roles and permissions, and invitations to the team or a Room.',
  },
  'API keys': {
    group: 'Workspaces',
    description: 'Secrets with which programs act for a member, within the scopes of the key.',
  },
  Businesses: {
    group: 'Businesses',
    description:
      'Published Businesses of the United States and their sourced facts, and what a Workspace knows and notes about them.',
  },
  Lists: {
    group: 'Businesses',
    description: 'Sets of Businesses that a rule defines, with private columns of typed values beside them.',
  },
  Rooms: {
    group: 'Rooms',
    description: 'Where people work on one deal or topic, and what is attached there.',
  },
  'Room participants': {
    group: 'Rooms',
    description: 'The people of a Room, guests included: invitations, access levels and break-glass access.',
  },
  Files: {
    group: 'Rooms',
    description: 'Documents with versions: uploads, text, content in pages, and downloads.',
  },
  'Room files': {
    group: 'Rooms',
    description: 'Files in the index of a Room, and who may open each of them there.',
  },
  Activity: {
    group: 'Rooms',
    description:
      'The events of the Rooms that you can open: as pages, as a feed of changes, and as a stream.',
  },
  Goals: { group: 'Work', description: 'What a team wants to reach, and how far it is.' },
  Tasks: {
    group: 'Work',
    description:
      'What is to be done, answered or proven, comments on it, and the request lists of a due diligence.',
  },
  'Shared connections': {
    group: 'Work',
    description: 'Apps that a person lets a Room use, with the operations that they allow.',
  },
  Approvals: {
    group: 'Work',
    description: 'Actions in a connected app that a person approves or declines. Each is sent at most once.',
  },
  Valuations: {
    group: 'Valuations',
    description:
      'What a Business is worth: documents of inputs, results whose every figure can be explained, reports, and evidence.',
  },
  Portfolios: { group: 'Valuations', description: 'Holdings in Businesses, assets and other portfolios.' },
  Assets: { group: 'Valuations', description: 'Things that a Business owns and a valuation counts.' },
  'Benchmark sets': {
    group: 'Valuations',
    description: 'Market multiples and margins that a Workspace imported, by industry and size.',
  },
}

/** The Tag Objects of these tags, in their order. */
export const tagsOf = (names: Iterable<string>): object[] =>
  Array.from(names, name => ({ name, description: tagOf(name).description }))

/** The groups of these tags, each with its tags. */
export const tagGroupsOf = (names: Iterable<string>): object[] =>
  Object.entries(Object.groupBy(names, name => tagOf(name).group)).map(([name, tags]) => ({ name, tags }))

function tagOf(name: string): Tag {
  const tag = described[name]
  if (!tag) throw new Error(`The tag ${name} has no description in openapi/tags.ts`)
  return tag
}
