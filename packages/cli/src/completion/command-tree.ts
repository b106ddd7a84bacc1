import { Help, type Argument, type Command, type Option } from 'commander'
import { oneLine } from '../one-line.ts'

/** A word that a shell can offer. */
export interface Word {
  word: string
  /** One short line. */
  about: string
}

/** What can stand at a place: certain words, the names of files, or something that only the person knows. */
export type Value = { words: readonly string[] } | 'file' | 'unknown'

/** A flag, with all its spellings. */
export interface Flag extends Word {
  spellings: readonly string[]
  /** Null for a flag without a value. */
  value: Value | null
}

/** A command, as far as a shell completes it. */
export interface Place {
  /** The words after `wbs`, each after a space: ` rooms list`. Empty for `wbs` itself. */
  path: string
  /** The words that lead here from the command above. */
  names: readonly string[]
  commands: readonly Word[]
  flags: readonly Flag[]
  /** What its arguments are; the last one may repeat. */
  arguments: readonly Value[]
}

/** Help as it is unless a command changes it: some leave out commands that are there. */
const usual = new Help()

/** All commands of `wbs`, each after the one above it. */
export function readCommandTree(wbs: Command): Place[] {
  const places: Place[] = []
  function visit(command: Command, path: string): void {
    const commands = usual.visibleCommands(command).filter(shown => command.commands.includes(shown))
    places.push({
      path,
      names: [command.name(), ...command.aliases()],
      commands: commands.map(command => ({
        word: command.name(),
        about: shortened(command.summary() || command.description()),
      })),
      flags: flagsOf(command),
      arguments: command.registeredArguments.map(argumentValue),
    })
    for (const command of commands) visit(command, `${path} ${command.name()}`)
  }
  visit(wbs, '')
  return places
}

/** The words that lead to a command, each after the path of the command above it. */
export const entriesTo = ({ path, names }: Place): string[] =>
  names.map(name => `${path.slice(0, path.lastIndexOf(' '))} ${name}`)

/** The flags of a command that take a value, as `path flag`, together where the same value follows. */
export function flagsByValue({ path, flags }: Place): { after: string[]; value: Value }[] {
  const groups = new Map<string, { after: string[]; value: Value }>()
  for (const { spellings, value } of flags) {
    if (value === null) continue
    const key = JSON.stringify(value)
    const group = groups.get(key) ?? { after: [], value }
    group.after.push(...spellings.map(spelling => `${path} ${spelling}`))
    groups.set(key, group)
  }
  return [...groups.values()]
}

function flagsOf(command: Command): Flag[] {
  const flags = command.options.filter(option => !option.hidden).map(flagOf)
  const help = { word: '--help', about: 'display help for command', spellings: ['--help', '-h'], value: null }
  return [...flags, help]
}

function flagOf(option: Option): Flag {
  const { long, short, description, argChoices, flags } = option
  const takesValue = option.required || option.optional
  return {
    word: long ?? short ?? '',
    about: shortened(description),
    spellings: [long, short].filter(spelling => spelling !== undefined),
    value: takesValue ? valueOf(argChoices, flags) : null,
  }
}

const argumentValue = (argument: Argument): Value => valueOf(argument.argChoices, argument.name())

const valueOf = (choices: readonly string[] | undefined, name: string): Value =>
  choices ? { words: choices } : /\b(file|path|folder)\b/i.test(name) ? 'file' : 'unknown'

const longest = 70

/** The first sentence, without what a shell could take for more than text. */
function shortened(text: string): string {
  const first = oneLine(text)
    .replace(/(?<=\w)[.:;] .*$/s, '')
    .replace(/\.$/, '')
  return first.length > longest ? `${first.slice(0, longest - 1).trimEnd()}…` : first
}
