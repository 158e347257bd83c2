import { expect, it } from 'vitest'
import { findMotif } from '../../src/images/motifs/find-motif.ts'
import { lexicon } from '../../src/images/motifs/lexicon.ts'
import { type MotifName, motifNames } from '../../src/images/motifs/motifs.ts'

/** Titles as bloggers write them, and the motifs that would not surprise a reader. */
const sample: readonly (readonly [title: string, fitting: string, excerpt?: string])[] = [
  ['How I learned to bake sourdough at altitude', 'bread'],
  ['Everything I got wrong about bread', 'bread'],
  ['The case against daily standups', 'people talk clock calendar'],
  ['Rewriting our backend in Rust: a retrospective', 'code server gear'],
  ['Why I still use RSS in 2026', 'network code letter phone', 'Feeds are the last part of the web that nobody owns.'],
  [
    'Notes on moving to Lisbon',
    'suitcase house map city plane',
    'What I packed, what I sold and what I miss after a year abroad.',
  ],
  ['My grandmother’s garden', 'leaf flower tree chair'],
  ['You don’t need Kubernetes', 'server code gear'],
  ['On being bored', 'chair clock', 'An afternoon without a phone, and what came of it.'],
  ['The economics of small newsletters', 'letter coin chart'],
  ['A weekend in the Dolomites', 'mountain suitcase', 'Three huts, two passes and one thunderstorm.'],
  ['What my cat knows about Tuesdays', 'cat calendar'],
  ['How to say no without guilt', 'talk door scales'],
  ['Postgres is enough', 'server code'],
  ['The night train to Vienna', 'train moon'],
  ['Raising kids between two languages', 'child talk'],
  ['Against productivity', 'gear clock'],
  ['I ran a marathon and all I got was this blog post', 'runner trophy pen'],
  ['The quiet death of the comment section', 'talk'],
  ['Designing a typeface in a year', 'brush pen calendar'],
  ['How chess engines think', 'game robot chip'],
  ['Learning to paint at sixty', 'brush'],
  ['A love letter to public libraries', 'book heart letter'],
  ['Who will maintain open source?', 'code gear tools'],
  ['Repairing a 1974 Rolleiflex camera', 'camera tools'],
  ['The best coffee in Trieste', 'cup'],
  ['Large language models and the end of homework', 'robot school talk'],
  ['Why your passwords are fine', 'key lock'],
  ['Running my house on solar power for a year', 'sun plug house'],
  ['The loneliness of remote work', 'chair house lighthouse people code', 'Five years at a desk in the spare bedroom.'],
  ['Fog', 'rain sea mountain'],
  ['Five years of freelancing: the numbers', 'coin chart shop calendar'],
  ['What I learned from failing three startups', 'rocket shop bulb trophy school'],
  ['Bees on the balcony', 'bee'],
  ['How elections are counted in Estonia', 'vote'],
  ['Insomnia, a field guide', 'bed moon'],
  ['My first year as a nurse', 'health'],
  ['The bug that cost us a weekend', 'code bee coin calendar lens'],
  ['Vinyl is not about sound', 'music'],
  [
    'A short history of the zip file',
    'code book chip server',
    'How one format came to hold half of the software in the world.',
  ],
  ['Knitting as programming', 'thread code'],
  ['Rent control, explained with one chart', 'house chart coin'],
  ['The town that banned cars', 'car city bicycle'],
  ['Grief is a slow animal', 'heart rain'],
  ['Watching every Tarkovsky film in order', 'film'],
  ['Ein Jahr ohne Auto', 'car calendar bicycle'],
  ['Warum ich wieder Briefe schreibe', 'letter pen'],
  ['Nachtzüge und andere Träume', 'train bed'],
  ['Mein Sauerteig lebt', 'bread'],
  ['Datenschutz für Vereine', 'lock server people'],
  ['Pourquoi j’ai quitté les réseaux sociaux', 'network phone door people'],
  ['La boulangerie de mon enfance', 'bread child'],
  ['Le vélo en ville, mode d’emploi', 'bicycle city'],
  ['Aprender a dibujar a los cuarenta', 'brush school'],
  ['Una casa en la montaña', 'house mountain'],
  ['El precio de la vivienda', 'coin house'],
  ['L’intelligenza artificiale spiegata a mia nonna', 'robot'],
  ['猫と暮らす', 'cat'],
  ['料金は整数です', 'coin'],
  ['Как я бросил курить и начал бегать', 'runner health', 'Первый год без сигарет: бег, сон и аппетит.'],
]

const isFitting = (title: string, fitting: string, excerpt?: string) => {
  const motif = findMotif(title, excerpt)
  return motif !== undefined && fitting.split(' ').includes(motif)
}

it('finds a fitting motif for at least 55 of 60 titles', () => {
  expect(sample).toHaveLength(60)
  const wrong = sample.filter((each) => !isFitting(...each)).map(([title]) => `${title}: ${findMotif(title)}`)
  expect(wrong.length, wrong.join(', ')).toBeLessThanOrEqual(5)
})

it('is tested against existing motifs only', () => {
  const judged = sample.flatMap(([, fitting]) => fitting.split(' '))
  expect(judged.filter((name) => !motifNames.some((known) => known === name))).toEqual([])
})

it.each<[title: string, excerpt: string, motif: MotifName | undefined]>([
  ['Bread for people who live by the sea', 'Waves, tides, an ocean and the salt of the beach.', 'bread'],
  ['The glacier that forgot to stop', '', 'mountain'],
  ['On the quiet lives of old trees', '', 'tree'],
  ['Seven things', 'Mostly learned on a ferry.', 'ship'],
  ['What I think of keyboards', '', 'code'],
  ['Nachtzug nach Lissabon', '', 'train'],
  ['J’ai un chien et un jardin', '', 'dog'],
  ['ÜBER FLÜSSE', '', 'sea'],
  ['Dear younger me', '', undefined],
  ['', '', undefined],
])('recognizes that "%s" (%s) is about %s', (title, excerpt, motif) => {
  expect(findMotif(title, excerpt)).toBe(motif)
})

it('has more than forty motifs, each with words in at least two scripts or languages', () => {
  expect(motifNames.length).toBeGreaterThanOrEqual(40)
  for (const name of motifNames) expect([name, lexicon[name].split(' ').length > 10]).toEqual([name, true])
})

it('accepts a text of any length and any letters', () => {
  for (const text of ['a'.repeat(200_000), '猫'.repeat(50_000), '\ud83d', 'नदी का नाम', '__proto__ constructor']) {
    expect(() => findMotif(text, text)).not.toThrow()
  }
})
