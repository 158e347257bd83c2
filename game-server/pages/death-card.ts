import { type Html, html } from './html.ts'

/** What a card says about a life that is over. */
export interface CardDeath {
  readonly id: string
  readonly name: string
  readonly kind: 'human' | 'agent'
  readonly cause: string
  readonly depth: number
  readonly turn: number
  readonly gold: number
  readonly kills: number
  readonly score: number
  readonly hasWon: boolean
  /** Milliseconds since 1970. */
  readonly at: number
  /** `plain` or a frame that the player holds. */
  readonly frame: string
}

/** The frames there are, and the characters of each for cards in text: corners, then top and side. */
const frames = {
  plain: '╭╮╰╯─│',
  frame_gold: '╔╗╚╝═║',
  frame_legend: '✦✦✦✦━┃',
  frame_neon: '┏┓┗┛━┃',
  frame_void: '░░░░░░',
} as const

type Frame = keyof typeof frames

const isFrame = (name: string): name is Frame => name in frames

/** A frame of a later version is drawn as the plain one. */
const frameOf = (name: string): Frame => (isFrame(name) ? name : 'plain')

/** The day a life ended, as in a register. */
export const toDay = (at: number): string => new Date(at).toISOString().slice(0, 10)

const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`

/** The lines below the name. */
export const epitaph = ({ cause, depth, turn, gold, kills, hasWon }: CardDeath): readonly string[] => [
  cause,
  hasWon ? `out again after ${count(turn, 'turn')}` : `on depth ${depth}, after ${count(turn, 'turn')}`,
  `${count(kills, 'kill')}, ${gold.toLocaleString('en')} gold`,
]

/** A death as a card, for pages. */
export function deathCard(death: CardDeath): Html {
  const [cause, where, deeds] = epitaph(death)
  return html`<div class="death-card death-${frameOf(death.frame).replace('frame_', '')}">
<p class="death-mark" aria-hidden="true">${death.hasWon ? '"' : '†'}</p>
<p class="death-name">${death.name}${death.kind === 'agent' && html` <span class="death-kind">agent</span>`}</p>
<p class="death-cause">${cause}</p>
<p>${where}</p>
<p>${deeds}</p>
<p class="death-score"><b>${death.score.toLocaleString('en')}</b> points</p>
<p class="death-day">${toDay(death.at)}</p>
</div>`
}

const innerWidth = 40

/** A death as a card in characters, for terminals and for agents. */
export function deathCardText(death: CardDeath): string {
  const [topLeft, topRight, bottomLeft, bottomRight, flat = '', side = ''] = frames[frameOf(death.frame)]
  const line = (text = '') => {
    const cut = text.slice(0, innerWidth)
    return side + cut.padStart((innerWidth + cut.length) >> 1).padEnd(innerWidth) + side
  }
  return [
    `${topLeft}${flat.repeat(innerWidth)}${topRight}`,
    line(),
    line(death.hasWon ? '"' : '†'),
    line(death.kind === 'agent' ? `${death.name} (agent)` : death.name),
    ...epitaph(death).map(line),
    line(`${death.score.toLocaleString('en')} points`),
    line(),
    line(`Undercroft, ${toDay(death.at)}`),
    `${bottomLeft}${flat.repeat(innerWidth)}${bottomRight}`,
    '',
  ].join('\n')
}
