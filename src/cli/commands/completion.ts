/**
 * `triptych completion bash|zsh|fish`: prints a script for the shell. The script calls back with the line typed so far, so
 * that what it offers is always the command tree of the installed version.
 */
import type { Command } from "commander";
import { UsageError } from "../command-errors.ts";
import { completeLine } from "../complete-line.ts";
import type { Terminal } from "../terminal.ts";

const SCRIPTS: Record<string, string> = {
  bash: `# Triptych completion for bash: put it into ~/.bashrc as: source <(triptych completion bash)
_triptych() {
  local line=\${COMP_LINE:0:COMP_POINT} IFS=$'\\n'
  local word=\${line##*[[:space:]]}
  COMPREPLY=($(triptych completion --line "$line" 2>/dev/null))
  COMPREPLY=("\${COMPREPLY[@]%%$'\\t'*}")
  # Bash breaks words at "=" and replaces only what follows it.
  if [[ $word == *=* ]]; then COMPREPLY=("\${COMPREPLY[@]#"\${word%%=*}="}"); fi
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o default -F _triptych triptych
`,
  zsh: `#compdef triptych
# Triptych completion for zsh: put it into ~/.zshrc, after compinit, as: source <(triptych completion zsh)
_triptych() {
  local -a found
  local tab=$'\\t'
  found=("\${(@f)$(triptych completion --line "\${(j: :)words[1,CURRENT]}" 2>/dev/null)}")
  found=("\${(@)found%%\${tab}*}")
  if [[ -z "\${found[1]}" ]]; then
    _files
  elif [[ \${#found} -eq 1 && "\${found[1]}" == *= ]]; then
    compadd -S '' -- "\${found[@]}"
  else
    compadd -- "\${found[@]}"
  fi
}
compdef _triptych triptych
`,
  fish: `# Triptych completion for fish: triptych completion fish > ~/.config/fish/completions/triptych.fish
function __triptych_complete
  set -l found (triptych completion --line (commandline -cp) 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c triptych -f -a '(__triptych_complete)'
`,
};

const SHELLS = Object.keys(SCRIPTS);

const EXAMPLES = `
Examples:
  $ source <(triptych completion bash)
  $ source <(triptych completion zsh)
  $ triptych completion fish > ~/.config/fish/completions/triptych.fish`;

export function registerCompletion(program: Command, terminal: Terminal): void {
  program
    .command("completion [shell]")
    .description(`print a completion script for ${SHELLS.join(", ")}`)
    .option("--line <text>", "print what could complete this line; the scripts use it")
    .addHelpText("after", EXAMPLES)
    .action((shell: string | undefined, { line }: { line?: string }) => {
      if (line !== undefined) {
        for (const { word, description } of completeLine(line, program)) {
          terminal.out(description === "" ? `${word}\n` : `${word}\t${description}\n`);
        }
        return;
      }
      const script = shell === undefined || !Object.hasOwn(SCRIPTS, shell) ? undefined : SCRIPTS[shell];
      if (script === undefined)
        throw new UsageError(`name a shell: ${SHELLS.join(", ")}${shell === undefined ? "" : `, not ${shell}`}`);
      terminal.out(script);
    });
}
