import { monsterKinds } from '../../core/monsters/kinds.ts'
import type { Being, DungeonView } from './dungeon-view.ts'

const monsterNames = new Map(monsterKinds.map(({ glyph, name }) => [glyph, name]))

/** Who somebody in view is: players by name, monsters by their letter, with what they are up to. */
export function nameBeing(
  { id, glyph, state }: Being,
  { names, badges }: Pick<DungeonView, 'names' | 'badges'>,
): string {
  if (id < 0) {
    const parts = [names.get(id) ?? 'somebody', state === 4 ? 'agent' : '', badges.get(id) ?? '']
    return parts.filter((part) => part !== '').join(', ')
  }
  const name = monsterNames.get(glyph) ?? 'something'
  return state === 0 ? `${name}, asleep` : name
}
