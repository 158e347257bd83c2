import { type Html, html } from '../../src/core/html.ts'
import { epitaph } from '../core/epitaph.ts'
import { grouped } from '../core/grouped.ts'
import { type CardDeath, deathCard } from './death-card.ts'
import { frame, type Place } from './frame.ts'

const ending = ({ name, hasWon }: CardDeath): string => (hasWon ? `${name} got out` : `${name} is dead`)

/** The page of one death, with a preview image for sharing. */
export function deathPage(place: Place, death: CardDeath): Html {
  const path = `/death/${death.id}`
  const words = epitaph(death).join(', ')
  return frame(place, {
    title: ending(death),
    description: `${death.name}: ${words}. ${grouped(death.score)} points in the Undercroft.`,
    path,
    image: { path: `${path}.png`, alt: `${death.hasWon ? 'A card' : 'A gravestone'} for ${death.name}: ${words}` },
    main: html`<article class="grave">
<h1>${ending(death)}</h1>
${deathCard(death)}
<div class="choices"><a class="button first" href="/play.html">Do better</a><a class="button" href="/replay/${death.id}">Watch how it happened</a></div>
<p class="fine">This card as <a href="${path}.txt">text</a>, as <a href="${path}.json">JSON</a>, as <a href="${path}.png">a picture</a>.</p>
</article>`,
  })
}
