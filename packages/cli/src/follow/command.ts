import { InvalidArgumentError, Option, type Command } from 'commander'
import { addAccessFlags } from '../access-flags.ts'
import type { FollowFlags } from './run-follow.ts'

/** Adds `wbs events follow`. */
export function addFollow(events: Command): void {
  addAccessFlags(events.command('follow'))
    .description(
      'Print events as they happen, a line for each, until Ctrl-C. A lost connection is made again, and no event is left out or printed twice.',
    )
    .option('--room <room_id>', 'only events of this Room')
    .option('--types <types>', 'only events of these types, separated by commas: task.*,room.updated')
    .option('--since-cursor <cursor>', 'go on after this place (default: now)')
    .option(
      '--cursor-file <file>',
      'go on after the place in this file, if it exists, and store there how far it came',
    )
    .addOption(new Option('--limit <number>', 'end after so many events').argParser(readCount))
    .option('--json', 'print each event as a line of JSON')
    .addHelpText(
      'after',
      '\nIt ends with 0 after --limit and with 130 after Ctrl-C, and with the exit codes of other commands if access ends or the service is out of reach: wbs help exit-codes.',
    )
    .action(async (flags: FollowFlags) => {
      const { followEvents } = await import('./run-follow.ts')
      process.exitCode = await followEvents(flags)
    })
}

function readCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a number from 1 on.')
  return Number(text)
}
