import { slotKeys } from './actions/pick-up.ts'
import { directions } from './grid.ts'

/** All keys, by their listed names. */
const keys: readonly string[] = [...directions, '.', 'R', 'S', 'o', 'g', '>', '<', 'f', 'c', 'x', 'look', ...slotKeys]

const aliases: Readonly<Record<string, readonly string[]>> = {
  north: ['up', 'arrowup', 'k', 'w', 'numpad8'],
  east: ['e', 'right', 'arrowright', 'l', 'd', 'numpad6'],
  south: ['down', 'arrowdown', 'j', 's', 'numpad2'],
  west: ['left', 'arrowleft', 'h', 'a', 'numpad4'],
  northeast: ['ne', 'north-east', 'pageup', 'u', 'numpad9'],
  southeast: ['se', 'south-east', 'pagedown', 'n', 'numpad3'],
  southwest: ['sw', 'south-west', 'end', 'b', 'numpad1'],
  northwest: ['nw', 'north-west', 'home', 'y', 'numpad7'],
  '.': ['wait', ' ', 'space', 'numpad5', 'clear'],
  R: ['rest', 'r', 'sleep'],
  S: ['search'],
  o: ['explore', 'autoexplore', 'auto-explore'],
  g: ['get', 'fetch', 'pickup'],
  '>': ['descend', 'stairs down', 'downstairs'],
  '<': ['climb', 'ascend', 'stairs up', 'upstairs'],
  f: ['fire', 'shoot', 'throw'],
  c: ['commune', 'pray'],
  x: ['swap'],
  look: ['refresh', 'redraw'],
}

const byName = new Map<string, string>()
for (const [key, names] of Object.entries(aliases)) for (const name of names) byName.set(name, key)

/**
 * The key that a text means: a listed name, a name of `KeyboardEvent.key`, a word, or a key of other roguelikes;
 * undefined if there is none. White space around it is ignored. Where the case of a letter matters it is kept: `s` is a
 * step south, `S` a search.
 */
export function readKey(text: string): string | undefined {
  const word = text.length > 1 ? text.trim() : text
  if (keys.includes(word)) return word
  const name = word.length > 1 ? word.toLowerCase().replaceAll('_', '-') : word
  if (keys.includes(name)) return name
  return byName.get(name) ?? (word.length === 1 ? readCapital(word) : undefined)
}

/** A capital letter without a meaning of its own is read as the small one, for players with caps lock on. */
function readCapital(letter: string): string | undefined {
  const small = letter.toLowerCase()
  return small === letter ? undefined : keys.includes(small) ? small : byName.get(small)
}
