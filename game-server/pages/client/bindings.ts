import { readFields } from '../../../src/browser/read-value.ts'
import { type Action, actions } from './actions.ts'
import { keepStored, readStored } from './stored.ts'

/** The key bindings of this browser. */
export interface Bindings {
  /** The dungeon's key for a key press. */
  readonly find: (event: Pick<KeyboardEvent, 'key' | 'code'>) => string | undefined
  /** The key to show for an action. */
  readonly shown: (action: Action) => string
  /** Binds an action to a key, or to its default keys when `key` is undefined. */
  readonly bind: (action: Action, key: string | undefined) => void
}

/** Whether a key is a letter, a digit or a sign, and not on the number pad. */
export const isLetterKey = ({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): boolean =>
  /^\S$/u.test(key) && !code.startsWith('Numpad')

/** Whether a key is that of a pack slot. These are fixed, because the list of the pack shows them. */
const isSlot = (key: string): boolean => /^[0-9=-]$/.test(key)

const findUsual = (key: string): Action | undefined => actions.find(({ keys }) => keys.includes(key))

/** The default keys, overridden by those that are stored in this browser. */
export function makeBindings(): Bindings {
  const own = new Map<string, string>()
  for (const [action, key] of Object.entries(readFields(readStored('keys'))))
    if (typeof key === 'string') own.set(action, key)

  return {
    find({ key, code }) {
      const pressed = code.startsWith('Numpad') && code !== 'NumpadEnter' ? code : key
      for (const [action, chosen] of own) if (chosen === pressed) return action
      if (isSlot(pressed)) return pressed
      // A capital letter without a meaning of its own counts as the small one, for caps lock.
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
