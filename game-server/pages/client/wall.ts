import { withoutMarks } from '../../core/player-words.ts'
import { findElement } from './find-element.ts'
import { makeElement } from './make-element.ts'
import { askJson } from './post-json.ts'
import { readFields, readList, readText } from './read-value.ts'

/** Shows what strangers wrote on the entrance wall; nothing when it is bare. */
export async function showWall(): Promise<void> {
  const { body } = await askJson('/api/wall')
  const lines = readList(body['shouts']).map(readFields)
  if (lines.length === 0) return
  findElement(HTMLElement, 'wall-lines').replaceChildren(
    ...lines.map((line) =>
      makeElement(
        'li',
        '',
        withoutMarks(readText(line['text'])),
        makeElement('span', 'faded', `, ${readText(line['by'])}`),
      ),
    ),
  )
  findElement(HTMLElement, 'wall').hidden = false
}
