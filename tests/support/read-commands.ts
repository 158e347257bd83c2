import { readFileSync } from 'node:fs'

/** One block of commands of a document. */
export interface Commands {
  /** Changes the machine itself: programs, users. Only a server of one's own is for that. */
  readonly isForServer: boolean
  readonly text: string
}

/** The blocks of shell commands of a document, in order. Indented ones belong to a list; they count as well. */
export function readCommands(path: string): Commands[] {
  const blocks = readFileSync(path, 'utf8').matchAll(/^( *)```sh( server)?\n([\s\S]*?)^ *```$/gm)
  return [...blocks].map(([, indent = '', server, text = '']) => ({
    isForServer: server !== undefined,
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }))
}
