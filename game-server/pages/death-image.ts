import { readFileSync } from 'node:fs'
import satori from 'satori'
import sharp from 'sharp'
import { toUtcDate } from '../../src/core/utc-date.ts'
import { epitaph } from '../core/epitaph.ts'
import { grouped } from '../core/grouped.ts'
import type { CardDeath } from './death-card.ts'

const readFace = (name: string): Buffer =>
  readFileSync(new URL(`../../src/styles/fonts/${name}-latin.woff2`, import.meta.url))

const fonts = [
  { name: 'Display', data: readFace('newsreader-display'), weight: 500 as const, style: 'normal' as const },
  { name: 'Mono', data: readFace('jetbrains-mono'), weight: 400 as const, style: 'normal' as const },
]

interface Look {
  readonly outer: string
  readonly inner: string
  readonly ground: string
  readonly name: string
}

const plain: Look = { outer: '#5f5b55', inner: '#0d0d12', ground: '#0d0d12', name: '#e8b64c' }

/** The colours of the frames, the same as in `death.css`. */
const looks: Readonly<Record<string, Look>> = {
  frame_gold: { outer: '#e8b64c', inner: '#e8b64c', ground: '#1a150a', name: '#e8b64c' },
  frame_legend: { outer: '#6f55a0', inner: '#cfb2ff', ground: '#181126', name: '#e0ccff' },
  frame_neon: { outer: '#1fbfae', inner: '#3ff0d8', ground: '#07110f', name: '#7dfbe9' },
  frame_void: { outer: '#77757f', inner: '#000000', ground: '#000000', name: '#ffffff' },
}

type Style = Readonly<Record<string, string | number>>

const box = (style: Style, ...children: readonly unknown[]) => ({
  type: 'div',
  key: null,
  props: {
    style: { display: 'flex', flexDirection: 'column', alignItems: 'center', boxSizing: 'border-box', ...style },
    children,
  },
})

const line = (text: string, fontSize: number, color: string, more: Style = {}) => ({
  type: 'div',
  key: null,
  props: { style: { fontSize, color, ...more }, children: text },
})

const width = 1200
const height = 630

const inside = { flexGrow: 1, alignSelf: 'stretch' }

/** The approximate width of a name in the display font, in em. */
const emsOf = (name: string): number =>
  [...name].reduce((sum, letter) => sum + (/[MWmw]/.test(letter) ? 0.98 : /[A-Z_]/.test(letter) ? 0.74 : 0.55), 0)

/** Draws the preview image of a death's page: a PNG of 1200 by 630 pixels. */
export async function drawDeath(death: CardDeath): Promise<Buffer> {
  const { outer, inner, ground, name } = looks[death.frame] ?? plain
  const [cause = '', where = '', deeds = ''] = epitaph(death)
  const nameSize = Math.min(124, 1020 / emsOf(death.name))
  const svg = await satori(
    box(
      { width, height, padding: 34, background: '#08080b', fontFamily: 'Mono' },
      box(
        { ...inside, padding: 8, border: `3px solid ${outer}`, borderRadius: 18 },
        box(
          { ...inside, justifyContent: 'center', background: ground, border: `3px solid ${inner}`, borderRadius: 10 },
          line(death.name, nameSize, name, { fontFamily: 'Display', lineHeight: 1.25 }),
          line(cause, Math.min(44, 1700 / cause.length), death.hasWon ? '#9fd48b' : '#ff8a7a', { marginBottom: 26 }),
          line(where, 34, '#e4decd'),
          line(deeds, 34, '#e4decd'),
          line(`${grouped(death.score)} points`, 46, '#e8b64c', { marginTop: 26 }),
          line(`Undercroft, ${toUtcDate(death.at)}`, 26, '#a39d90', { marginTop: 22 }),
        ),
      ),
    ),
    { width, height, fonts },
  )
  return sharp(Buffer.from(svg)).png({ palette: true }).toBuffer()
}
