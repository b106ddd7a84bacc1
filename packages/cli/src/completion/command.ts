import { Argument, type Command } from 'commander'
import { bashScript } from './bash-script.ts'
import { readCommandTree, type Place } from './command-tree.ts'
import { fishScript } from './fish-script.ts'
import { zshScript } from './zsh-script.ts'

const scripts: Readonly<Record<string, (places: readonly Place[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** Adds `wbs completion`. The script holds all commands, so that no key press has to start wbs. */
export function addCompletion(wbs: Command): void {
  wbs
    .command('completion')
    .description('Print a script with which a shell completes the commands and flags of this version of wbs.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText(
      'after',
      `
Write it once, and again after an update:
  bash  wbs completion bash > ~/.local/share/bash-completion/completions/wbs
  zsh   wbs completion zsh > "\${fpath[1]}/_wbs"
  fish  wbs completion fish > ~/.config/fish/completions/wbs.fish`,
    )
    .action((shell: string) => {
      process.stdout.write(scripts[shell]?.(readCommandTree(wbs)) ?? '')
    })
}
