import type { Command } from 'commander'

/** The flags by which every command finds a running service. */
export interface AccessFlags {
  profile?: string
  url?: string
  workspace?: string
}

/** Adds --profile. */
export const addProfileFlag = (command: Command): Command =>
  command.option('--profile <name>', 'the profile (default: WBS_PROFILE, or that of wbs profiles use)')

/** Adds --profile, --workspace and --url. */
export const addAccessFlags = (command: Command): Command =>
  addProfileFlag(command)
    .option('--workspace <id>', 'the Workspace (default: WBS_WORKSPACE, or that of the profile)')
    .option('--url <url>', 'the address of the service (default: WBS_URL, or that of the profile)')
