import { type Fields, readFields, readList, readNumber, readText } from '../../../src/browser/read-value.ts'
import type { Command } from '../../core/step.ts'

/** A life that can be replayed. */
export interface Run {
  readonly rules: number
  readonly seed: string
  /** The number of the life's player in the world. */
  readonly player: number
  readonly commands: readonly Command[]
  /** The hash of the world after the last command. */
  readonly hash: string
}

/** Parses the file of a run; undefined when it is not one. */
export function readRun(file: Fields): Run | undefined {
  const commands = readList(file['commands']).map((each) => readCommand(readFields(each)))
  const known = commands.filter((command) => command !== undefined)
  if (known.length === 0 || known.length < commands.length) return undefined
  return {
    rules: readNumber(file['rules']),
    seed: readText(file['seed']),
    player: readNumber(file['player']),
    commands: known,
    hash: readText(file['hash']),
  }
}

function readCommand(fields: Fields): Command | undefined {
  const player = readNumber(fields['player'])
  switch (fields['is']) {
    case 'join': {
      const kind = fields['kind'] === 'agent' ? 'agent' : 'human'
      const dice = fields['dice']
      return { is: 'join', name: readText(fields['name']), kind, ...(typeof dice === 'string' && { dice }) }
    }
    case 'leave':
      return { is: 'leave', player }
    case 'return':
      return { is: 'return', player }
    case 'key':
      return { is: 'key', player, key: readText(fields['key']) }
    default:
      return undefined
  }
}
