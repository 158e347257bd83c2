import { readFields } from '../../../src/browser/read-value.ts'
import { encodeDelta, newView } from '../../core/delta.ts'
import type { GameEvent } from '../../core/step.ts'
import type { World } from '../../core/world.ts'
import type { DungeonView } from './dungeon-view.ts'
import type { Effects } from './effects.ts'
import { keepFrame } from './keep-frame.ts'
import type { Message } from './message-log.ts'
import { readFrame } from './read-frame.ts'

/** Shows a world that runs in this browser as the host would show it to one of its players. */
export function makeWorldScreen(world: World, player: number, view: DungeonView, effects: Effects) {
  const sent = newView()
  return {
    /** Applies the changes since the last call to the view; returns the messages. */
    show(events: readonly GameEvent[]): readonly Message[] {
      const text = encodeDelta(world, player, sent, events)
      if (text === undefined) return []
      const frame = readFrame(readFields(JSON.parse(text)))
      keepFrame(view, effects, frame)
      return frame.messages
    },
  }
}
