import { Option, type Command } from 'commander'

/** The flags by which every command finds a running service. */
export interface AccessFlags {
  profile?: string
  url?: string
  workspace?: string
}

const profileOption = () =>
  new Option('--profile <name>', 'the profile (default: WBS_PROFILE, or that of wbs profiles use)')

/** The options --profile, --workspace and --url. */
export const accessOptions = (): Option[] => [
  new Option('--workspace <id>', 'the Workspace (default: WBS_WORKSPACE, or that of the profile)'),
  profileOption(),
  new Option('--url <url>', 'the address of the service (default: WBS_URL, or that of the profile)'),
]

/** Adds --profile. */
export const addProfileFlag = (command: Command): Command => command.addOption(profileOption())

/** Adds --profile, --workspace and --url. */
export function addAccessFlags(command: Command): Command {
  for (const option of accessOptions()) command.addOption(option)
  return command
}
