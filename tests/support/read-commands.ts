import { readFileSync } from 'node:fs'

/** One block of shell commands of a document. */
export interface Commands {
  /** Whether it changes the machine itself (programs, users), which is only meant for a server of one's own. */
  readonly isForServer: boolean
  readonly text: string
}

/** The blocks of shell commands of a document, in order, including indented ones in lists. */
export function readCommands(path: string): Commands[] {
  const blocks = readFileSync(path, 'utf8').matchAll(/^( *)```sh( server)?\n([\s\S]*?)^ *```$/gm)
  return [...blocks].map(([, indent = '', server, text = '']) => ({
    isForServer: server !== undefined,
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }))
}
