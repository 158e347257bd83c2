/** An action, with its key in the dungeon's protocol and the keyboard keys for it. */
export interface Action {
  readonly key: string
  readonly does: string
  /** `KeyboardEvent.key`, or `code` for the number pad; the first is shown. */
  readonly keys: readonly string[]
}

/** All actions that have a key, in the order of the menu. */
export const actions: readonly Action[] = [
  { key: 'north', does: 'north', keys: ['ArrowUp', 'k', 'w', 'Numpad8'] },
  { key: 'south', does: 'south', keys: ['ArrowDown', 'j', 's', 'Numpad2'] },
  { key: 'west', does: 'west', keys: ['ArrowLeft', 'h', 'a', 'Numpad4'] },
  { key: 'east', does: 'east', keys: ['ArrowRight', 'l', 'd', 'Numpad6'] },
  { key: 'northwest', does: 'north-west', keys: ['y', 'Numpad7', 'Home'] },
  { key: 'northeast', does: 'north-east', keys: ['u', 'Numpad9', 'PageUp'] },
  { key: 'southwest', does: 'south-west', keys: ['b', 'Numpad1', 'End'] },
  { key: 'southeast', does: 'south-east', keys: ['n', 'Numpad3', 'PageDown'] },
  { key: 'o', does: 'explore', keys: ['o'] },
  { key: '>', does: 'down the stairs', keys: ['>'] },
  { key: '<', does: 'up the stairs', keys: ['<'] },
  { key: 'f', does: 'fire or throw', keys: ['f'] },
  { key: 'R', does: 'rest', keys: ['R', 'r'] },
  { key: 'g', does: 'fetch the nearest item', keys: ['g'] },
  { key: 'S', does: 'search the walls', keys: ['S'] },
  { key: 'c', does: 'use the altar you stand on', keys: ['c'] },
  { key: 'x', does: 'swap with what lies here', keys: ['x'] },
  { key: '.', does: 'wait a turn', keys: ['.', ' ', 'Numpad5'] },
]
