import { Help, type Command } from 'commander'
import { addFlags, givenBy } from './command-line.ts'
import { exitCodes, exitCodesText } from './exit-codes.ts'
import { nounsText } from './help/nouns-text.ts'
import { descriptionOf, operationHelp } from './help/operation-help.ts'
import { singular } from './command/command-names.ts'
import { operationCommands, workspaceParameter, type OperationCommand } from './command/operation-command.ts'
import type { Surroundings } from './surroundings.ts'

/** Other words for a verb: as gh has them. */
const verbAliases: Readonly<Record<string, string>> = {
  list: 'ls',
  create: 'new',
  get: 'view',
  update: 'edit',
}

/**
 * Adds a command for every operation of the service but the streams. A noun that `wbs` has already keeps its commands. `end` gets
 * the exit code of a command that ran. A command line with a mistake throws CommanderError.
 */
export function addOperations(
  wbs: Command,
  surroundings: Surroundings,
  end: (exitCode: number) => void,
): void {
  const commands = operationCommands()
  const nouns = new Set<Command>()
  configureHelp(wbs, nouns)
  wbs.exitOverride() // the commands that are there already end as they did
  for (const command of commands) {
    const parent = command.group === null ? wbs : nounOf(wbs, command.group)
    nouns.add(addVerb(parent, command, surroundings, end))
    if (parent !== wbs) nouns.add(parent)
  }
  // For completion in a shell.
  for (const noun of nouns)
    if (noun.commands.length > 0 && noun.description() === '')
      noun.summary(noun.commands.map(verb => verb.name()).join(', '))
  addHelpTopics(wbs, commands, surroundings, end)
}

function nounOf(wbs: Command, name: string): Command {
  const known = wbs.commands.find(command => command.name() === name)
  const noun = known ?? wbs.command(name)
  const alias = aliasOf(name)
  const isFree = !wbs.commands.some(command => command.name() === alias || command.aliases().includes(alias))
  if (alias !== name && isFree) noun.alias(alias)
  // What was there before has neither from wbs.
  return noun.configureHelp(wbs.configureHelp()).exitOverride()
}

/** The singular, which gh has: `wbs room list`. */
const aliasOf = (group: string): string => {
  const words = group.split('-')
  return [...words.slice(0, -1), singular(words.at(-1) as string)].join('-')
}

function addVerb(
  parent: Command,
  command: OperationCommand,
  surroundings: Surroundings,
  end: (exitCode: number) => void,
): Command {
  const verb: Command = parent
    .command(command.verb)
    .summary(command.op.summary)
    .description(descriptionOf(command))
    .exitOverride()
    .showHelpAfterError(false)
    .configureOutput({
      outputError: (text, print) => print(verb.opts<{ json?: true }>().json ? usageBody(text) : text),
    })
  const alias = verbAliases[command.verb]
  if (alias !== undefined && command.group !== null) verb.alias(alias)
  for (const { name, schema } of command.arguments)
    verb.argument(
      `[${name}]`,
      name === workspaceParameter
        ? 'the Workspace (default: that of --workspace)'
        : (schema.description ?? ''),
    )
  const required = command.arguments.map(({ name }) =>
    name === workspaceParameter ? `[${name}]` : `<${name}>`,
  )
  verb.usage([...required, '[flags]'].join(' '))
  addFlags(verb, command)
  return verb
    .addHelpText('after', () => operationHelp(command))
    .action(async () => {
      // Imported here, because help needs neither the client nor the checks.
      const { runOperation } = await import('./run-operation.ts')
      end(await runOperation(command, givenBy(verb, command), surroundings))
    })
}

/** A mistake that commander found, for --json. */
const usageBody = (text: string): string =>
  `${JSON.stringify({ code: 'usage', detail: text.replace(/^error: /, '').trim() })}\n`

/** The nouns are shown in a few lines, not as forty commands. A verb is shown with what it takes. */
function configureHelp(wbs: Command, nouns: ReadonlySet<Command>): void {
  const usual = new Help()
  wbs.configureHelp({
    formatHelp(shown, help) {
      // Here alone, because commander also suggests from the visible commands.
      const visible = (command: Command) => usual.visibleCommands(command).filter(child => !nouns.has(child))
      if (shown === wbs) help.visibleCommands = visible
      return usual.formatHelp(shown, help)
    },
    optionDescription: option => option.description, // which names the choices already
    subcommandTerm: shown =>
      nouns.has(shown)
        ? `${shown.name()} ${shown.usage()}`.replace(/ ?\[flags\]$/, '')
        : usual.subcommandTerm(shown),
  })
}

function addHelpTopics(
  wbs: Command,
  commands: readonly OperationCommand[],
  { stdout }: Surroundings,
  end: (exitCode: number) => void,
): void {
  wbs.addHelpText('after', () => nounsText(commands))
  const help = wbs
    .command('help [words...]')
    .description('explain a command, or the exit codes: wbs help exit-codes')
  help.action((words: string[]) => {
    if (words.length === 1 && words[0] === 'exit-codes') stdout.write(exitCodesText(), () => undefined)
    else showHelp(wbs, words)
    end(exitCodes.done)
  })
  wbs.helpCommand(false)
}

function showHelp(wbs: Command, words: readonly string[]): void {
  let at = wbs
  for (const word of words) {
    const next = at.commands.find(command => command.name() === word || command.aliases().includes(word))
    if (!next) return at.error(`error: there is no help on ${words.join(' ')}`, { exitCode: exitCodes.usage })
    at = next
  }
  at.outputHelp()
}
