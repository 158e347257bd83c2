import { readFields } from '../../../src/browser/read-value.ts'
import { type Action, actions } from './actions.ts'
import { keepStored, readStored } from './stored.ts'

/** Which key of this keyboard does what. */
export interface Bindings {
  /** What a key press means to the dungeon. */
  readonly find: (event: Pick<KeyboardEvent, 'key' | 'code'>) => string | undefined
  /** The key to show for an action. */
  readonly shown: (action: Action) => string
  /** Gives an action a key, or its old ones back. */
  readonly bind: (action: Action, key: string | undefined) => void
}

/** Whether a key is a letter, a digit or a sign, and not on the number pad. */
export const isLetterKey = ({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): boolean =>
  /^\S$/u.test(key) && !code.startsWith('Numpad')

/** The things in the pack have fixed keys: they are what the list of them says. */
const isSlot = (key: string): boolean => /^[0-9=-]$/.test(key)

const findUsual = (key: string): Action | undefined => actions.find(({ keys }) => keys.includes(key))

/** The usual keys, and over them what this browser was told. */
export function makeBindings(): Bindings {
  const own = new Map<string, string>()
  for (const [action, key] of Object.entries(readFields(readStored('keys'))))
    if (typeof key === 'string') own.set(action, key)

  return {
    find({ key, code }) {
      const pressed = code.startsWith('Numpad') && code !== 'NumpadEnter' ? code : key
      for (const [action, chosen] of own) if (chosen === pressed) return action
      if (isSlot(pressed)) return pressed
      // With caps lock on, letters still mean what they say.
      return (findUsual(pressed) ?? findUsual(pressed.toLowerCase()))?.key
    },
    shown: (action) => own.get(action.key) ?? action.keys[0] ?? action.key,
    bind(action, key) {
      if (key === undefined) own.delete(action.key)
      else own.set(action.key, key)
      keepStored('keys', Object.fromEntries(own))
    },
  }
}
