import { z } from 'zod'
import type { Command } from '../../game-server/core/step.ts'

/** Recorded worlds: a change of what any command does leads to other hashes. */
export const recordedSchema = z.object({
  rules: z.int(),
  lives: z.array(
    z.object({
      about: z.string(),
      seed: z.string(),
      /** Written by `toScript`. */
      script: z.string(),
      hash: z.string(),
      /** The hash of the world after every hundredth command. */
      checkpoints: z.array(z.string()),
    }),
  ),
})

/** Commands as words: `+name:kind:dice` joins, `-2` leaves, `=2` returns, and `2.o` is key `o` of the second player. */
export const toScript = (commands: readonly Command[]): string => commands.map(toWord).join(' ')

function toWord(command: Command): string {
  switch (command.is) {
    case 'join':
      return `+${[command.name, command.kind, command.dice ?? ''].join(':')}`
    case 'leave':
      return `-${command.player}`
    case 'return':
      return `=${command.player}`
    case 'key':
      return `${command.player}.${command.key}`
  }
}

export const readScript = (script: string): Command[] => script.split(' ').map(readWord)

function readWord(word: string): Command {
  if (word.startsWith('+')) {
    const [name = '', kind = '', dice = ''] = word.slice(1).split(':')
    return { is: 'join', name, kind: kind === 'agent' ? 'agent' : 'human', ...(dice !== '' && { dice }) }
  }
  if (word.startsWith('-')) return { is: 'leave', player: Number(word.slice(1)) }
  if (word.startsWith('=')) return { is: 'return', player: Number(word.slice(1)) }
  const dot = word.indexOf('.')
  return { is: 'key', player: Number(word.slice(0, dot)), key: word.slice(dot + 1) }
}
