import { operationCommands, wordsOf, workspaceParameter } from './command/operation-command.ts'

const introduction = `# Commands

The command of every operation of the service but the stream of events, which \`wbs events follow\` reads. \`wbs reference\`
prints this page. \`wbs NOUN VERB --help\` shows the flags of each.
`

/** What `wbs reference` prints, which is docs/api/commands.md. */
export function commandsDocument(): string {
  const sections = new Map<string, string[]>()
  for (const command of operationCommands()) {
    const rows = sections.get(command.op.tag) ?? []
    const taken = command.arguments.map(({ name }) =>
      name === workspaceParameter ? ` [${name}]` : ` <${name}>`,
    )
    rows.push(
      `| \`wbs ${wordsOf(command)}${taken.join('')}\` | ${command.op.summary} | \`${command.op.name}\` |`,
    )
    sections.set(command.op.tag, rows)
  }
  const text = [...sections].map(
    ([tag, rows]) => `## ${tag}\n\n| Command | | Operation |\n| --- | --- | --- |\n${rows.join('\n')}\n`,
  )
  return `${introduction}\n${text.join('\n')}`
}
