import type { World } from './world.ts'

let low = 0
let high = 0

function mix(word: number): void {
  low = Math.imul(low ^ (word | 0), 0x01000193)
  low ^= low >>> 15
  high = Math.imul(high + (word | 0), 0x85ebca6b)
  high ^= high >>> 13
}

function mixText(text: string): void {
  mix(text.length)
  for (let i = 0; i < text.length; i++) mix(text.charCodeAt(i))
}

/** Mixes in every field by name, so that fields added later are part of the hash automatically. */
function mixValue(value: unknown): void {
  if (typeof value === 'number') mix(value)
  else if (typeof value === 'string') mixText(value)
  else if (typeof value === 'boolean') mix(value ? 1 : 2)
  else if (value instanceof Uint8Array || value instanceof Uint32Array || value instanceof Int32Array) {
    for (const word of value) mix(word)
  } else if (Array.isArray(value)) {
    mix(value.length)
    for (const each of value) mixValue(each)
  } else if (value instanceof Map) {
    mix(value.size)
    for (const [key, each] of [...value].sort(([a], [b]) => a - b)) {
      mix(key)
      mixValue(each)
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) {
      mixText(name)
      mixValue(each)
    }
  }
}

/** A hash of everything in a world, 16 hexadecimal digits; it is not cryptographic. */
export function hashWorld(world: World): string {
  low = 0x811c9dc5 | 0
  high = 0x01000193
  mixValue(world)
  return [low, high].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}
