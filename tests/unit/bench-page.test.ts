import { existsSync, readFileSync } from 'node:fs'
import { SaxesParser } from 'saxes'
import { describe, expect, it } from 'vitest'
import type { Area } from '../../bench/all-rows.ts'
import { toAreaChart } from '../../bench/area-chart.ts'
import { chartStyle } from '../../bench/game/chart-style.ts'
import { type Figure, type Run, readHistory } from '../../bench/history.ts'
import { judge } from '../../bench/judge.ts'
import { toPerformancePage, toTable } from '../../bench/performance-page.ts'
import type { Row } from '../../bench/row.ts'

const answers = { name: 'answers <fast> & "good"', unit: '/s', digits: 0 }
const cpu = { name: 'CPU', unit: 'µs', digits: 1 }
const wait = { name: 'wait', unit: 'ms', digits: 0, limit: { is: 'at most', figure: 50 } } as const
const row: Row = {
  title: 'Shops & <stalls>',
  meaning: 'What is compared.',
  measures: [answers, cpu, wait],
  goals: [{ measure: 'CPU', peer: 'a peer', is: 'at most', ratio: 0.5 }],
  causes: [
    {
      measure: 'CPU',
      because: 'Each sale is written to the disk.',
      profile: { of: 'a thousand sales', percent: { 'durable writes': 41, hashing: 12 } },
    },
  ],
  start: () => Promise.reject(new Error('nothing is measured here')),
}
const area: Area = { name: 'selling', title: 'Selling', rows: { shops: row } }
const cpuFigure = (ratio: number, spread: [number, number]): Figure => ({
  ...{ measure: 'CPU', peer: 'a peer', ours: 10 * ratio, theirs: 10, ratio, spread },
})
const waitFigure = (ours: number): Figure => ({ measure: 'wait', ours, spread: [ours - 1, ours + 1] })
const run = (figures: readonly Figure[], about: Partial<Run> = {}): Run => ({
  ...{ date: '2026-11-24', commit: 'abc1234', machine: 'a machine, 2 cores', load: 0.4, rounds: 3 },
  figures: [...figures],
  ...about,
})
const met = run([cpuFigure(0.4, [0.3, 0.6]), waitFigure(20)])
const pageOf = (...runs: readonly Run[]) => toPerformancePage([area], { shops: [...runs] })

/** The names of all elements; throws if the XML is not well-formed. */
function elementsOf(xml: string): string[] {
  const names: string[] = []
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name }) => names.push(name))
  parser.write(xml).close()
  return names
}

describe('a figure', () => {
  it.each([
    ['is ahead with less CPU, as far as the goal asks', cpu, cpuFigure(0.4, [0.3, 0.6]), [true], false, 2.5],
    ['misses a goal', cpu, cpuFigure(0.6, [0.3, 0.7]), [false], true, 1 / 0.6],
    ['keeps a limit', wait, waitFigure(25), [true], false, 2],
    ['is better than a limit beyond measure', wait, waitFigure(-25), [true], false, Number.POSITIVE_INFINITY],
    ['misses a limit', wait, waitFigure(100), [false], true, 0.5],
    ['is better when it is more a second', answers, { ...cpuFigure(3, [2, 4]), measure: answers.name }, [], false, 3],
    [
      'is behind when every round was',
      answers,
      { ...cpuFigure(0.5, [0.2, 0.9]), measure: answers.name },
      [],
      true,
      0.5,
    ],
    ['is not behind when one was not', answers, { ...cpuFigure(0.5, [0.2, 1]), measure: answers.name }, [], false, 0.5],
  ] as const)('%s', (_name, measure, figure, bounds, isBehind, times) => {
    const judged = judge(row, measure, figure)
    expect(judged.bounds.map(({ isMet }) => isMet)).toEqual(bounds)
    expect(judged.isBehind).toBe(isBehind)
    expect(judged.lead?.middle).toBeCloseTo(times)
  })
})

describe('the performance page', () => {
  it('says for each benchmark what it shows, when, on which commit, and how to repeat it', () => {
    const page = pageOf(met)
    expect(page).toContain('2 of 2 goals are met.')
    expect(page).toContain(
      '| Shops & <stalls>: CPU  | µs   | 4.0  | a peer | 10.0   | 0.40  | 0.30 to 0.60 | at most 0.5: met   |',
    )
    expect(page).toContain('Measured on 2026-11-24 at `abc1234`; 3 rounds; load average before it 0.4.')
    expect(page).toContain('Repeat with `npm run bench -- shops`.')
    expect(page).toContain('](performance/selling.svg)')
    expect(page).not.toContain('**measured on a busy machine**')
    expect(page).not.toContain('Behind in')
  })

  it('says for a missed goal which run met it last, if any did', () => {
    const page = pageOf(
      run([cpuFigure(0.45, [0.4, 0.5]), waitFigure(90)], { date: '2026-11-22', commit: 'aaa' }),
      run([cpuFigure(0.4, [0.3, 0.6]), waitFigure(80)], { date: '2026-11-23', commit: 'bbb' }),
      run([cpuFigure(2, [1.5, 3]), waitFigure(70)]),
    )
    expect(page).toContain(
      '- Shops & <stalls>, CPU beside a peer: 2.00, wanted at most 0.5; met with 0.40 on 2026-11-23 at `bbb`\n',
    )
    expect(page).toContain('- Shops & <stalls>, wait: 70, wanted at most 50 ms\n')
  })

  it('says for a missed goal if the machine was faster when it was met, with both speeds', () => {
    const before = run([cpuFigure(0.4, [0.4, 0.4])], { date: '2026-11-23', commit: 'bbb', speed: 1000 })
    const pageAt = (speed: number) => pageOf(before, run([cpuFigure(2, [1.5, 3])], { speed }))
    expect(pageAt(400)).toContain('met with 0.40 on 2026-11-23 at `bbb`, when the machine was 2.5 times as fast\n')
    expect(pageAt(900)).toContain('met with 0.40 on 2026-11-23 at `bbb`\n')
    expect(pageAt(400)).toContain('; speed 400. Repeat')
  })

  it('says why we are slower, with the profile, or that the cause is unknown', () => {
    const page = pageOf(run([cpuFigure(2, [1.5, 3]), waitFigure(80)]))
    expect(page).toContain('0 of 2 goals are met. Missed:')
    expect(page).toContain('- Shops & <stalls>, CPU beside a peer: 2.00, wanted at most 0.5')
    expect(page).toContain(
      '- Behind in CPU beside a peer: Each sale is written to the disk. Profile (a thousand sales): durable writes 41 %, hashing 12 %.',
    )
    expect(page).toContain('- Behind in wait: the cause was not looked into yet.')
  })

  it('says a cause once where several figures are behind because of it', () => {
    const because = 'Each sale is written to the disk.'
    const slow = { ...row, causes: ['CPU', 'wait'].map((measure) => ({ measure, because })) }
    const page = toPerformancePage([{ ...area, rows: { shops: slow } }], {
      shops: [run([cpuFigure(2, [1.5, 3]), waitFigure(80)])],
    })
    expect(page).toContain(`\n- Behind in CPU beside a peer; wait: ${because}\n`)
    expect(page.split(because)).toHaveLength(2)
  })

  it.each([
    ['of one run', { commit: 'abc1234' }, 'All rows are from one run, of 2026-11-24 at `abc1234`.'],
    ['of another commit', { commit: 'def5678' }, 'The rows are from 2 runs; each names its own.'],
    ['begun under another load', { load: 0.5 }, 'The rows are from 2 runs; each names its own.'],
  ])('says whether all rows are from one run: %s', (_name, about, said) => {
    const areas = [{ ...area, rows: { shops: row, stalls: row } }]
    expect(toPerformancePage(areas, { shops: [met], stalls: [{ ...met, ...about }] })).toContain(`- ${said}\n`)
  })

  it.each([
    ['the load was high before', { load: 2.1 }, true],
    ['others worked meanwhile', { load: 0.1, others: 0.3 }, true],
    ['nobody else worked', { load: 2, others: 0.1 }, false],
  ])('tells a busy machine from a quiet one: %s', (_name, about, isBusy) => {
    const chart = toAreaChart(area, { shops: [{ ...met, ...about }] })
    expect(pageOf({ ...met, ...about }).includes('**measured on a busy machine**')).toBe(isBusy)
    expect(chart?.includes('2026-11-24, busy machine')).toBe(isBusy)
  })

  it('says which peer was missing, and which benchmark was not measured', () => {
    expect(toTable([{ row, run: { ...met, missing: { nginx: 'not on this machine' } } }])).toMatch(
      /\| Shops & <stalls> +\| +\| +\| nginx +\| not on this machine \|/,
    )
    expect(toPerformancePage([area], {})).toContain('Not measured yet. Repeat with `npm run bench -- shops`.')
  })

  it('shows the newest run, and nothing that its benchmark no longer measures', () => {
    const page = pageOf(run([cpuFigure(9, [9, 9])], { date: '2026-01-01' }), {
      ...met,
      figures: [...met.figures, { measure: 'gone', ours: 1, spread: [1, 1] }],
    })
    expect(page).not.toContain('2026-01-01')
    expect(page).not.toContain('gone')
  })

  it('names the machine of each benchmark when there were several', () => {
    const areas = [{ ...area, rows: { shops: row, stalls: row } }]
    const page = toPerformancePage(areas, { shops: [met], stalls: [{ ...met, machine: 'another' }] })
    expect(page).toContain('at `abc1234`, on another;')
  })
})

describe('docs/performance.md', () => {
  const page = readFileSync('docs/performance.md', 'utf8')
  const history = readHistory(readFileSync('bench/history.json', 'utf8'))

  it.each(Object.entries(history))('shows the last run of %s (else: npm run bench -- page)', (name, runs) => {
    const last = runs.at(-1)
    const told = page.split('\n').find((line) => line.includes(`\`npm run bench -- ${name}\``))
    expect(told).toContain(`Measured on ${last?.date} at \`${last?.commit}\``)
    expect(runs.map(({ date }) => date)).toEqual(runs.map(({ date }) => date).toSorted())
  })

  it('says of each figure that is behind why it is', () => {
    expect(page.split('\n').filter((line) => line.includes('the cause was not looked into yet'))).toEqual([])
  })

  it('shows existing charts in well-formed XML', () => {
    const charts = [...page.matchAll(/\]\((performance\/[\w-]+\.svg)\)/g)].map(([, file]) => `docs/${file}`)
    expect(charts.length).toBeGreaterThan(0)
    expect(charts.filter((file) => !existsSync(file))).toEqual([])
    for (const file of charts) expect(elementsOf(readFileSync(file, 'utf8'))[0]).toBe('svg')
  })
})

describe('the chart of a group of benchmarks', () => {
  const many = Array.from({ length: 10 }, (_, at) =>
    run([{ ...cpuFigure(0.1 * (at + 1), [0.05, 2]), measure: answers.name }, cpuFigure(0.4, [0, 0.6]), waitFigure(9)]),
  )
  const chart = toAreaChart(area, { shops: many }) ?? ''

  it('is an image in well-formed XML, whatever a title contains', () => {
    const elements = elementsOf(chart)
    expect(elements[0]).toBe('svg')
    expect(chart).toContain('Shops &amp; &lt;stalls&gt;')
    expect(chart).toContain('answers &lt;fast&gt; &amp; &quot;good&quot;')
    expect(elements).not.toContain('stalls')
    expect(chart).not.toMatch(/NaN|Infinity|undefined/)
  })

  it('draws ten runs of each figure, with the newest one large', () => {
    expect(elementsOf(chart).filter((name) => name === 'circle')).toHaveLength(3 * 10 + 3)
    expect(elementsOf(chart).filter((name) => name === 'polyline')).toHaveLength(3)
  })

  it('has a text alternative', () => {
    expect(chart).toMatch(/role="img" aria-labelledby="title description"/)
    expect(chart).toContain('<title id="title">Selling: how far ahead</title>')
    expect(chart).toMatch(/<desc[^>]*>.*CPU beside a peer: 0\.40 \(0\.00 to 0\.60\)/)
    expect(pageOf(met)).toContain('![Selling: 2 of 2 goals met, behind in 0 of 2 figures;')
  })

  it('marks missed goals by more than colour', () => {
    const missed = toAreaChart(area, { shops: [run([cpuFigure(2, [1.5, 3])])] })
    expect(missed).toContain('2.00 (1.50 to 3.00), missed')
  })

  it('is not drawn without a comparison', () => {
    const alone = run([{ measure: answers.name, ours: 3, spread: [2, 4] }])
    expect(toAreaChart(area, { shops: [alone] })).toBeUndefined()
  })

  it.each(['light', 'dark'])('has enough contrast in the %s colour scheme', (scheme) => {
    const [light = '', dark = ''] = chartStyle.split('@media')
    const colour = (name: string) =>
      new RegExp(`--${name}:(#\\w{6})`).exec(scheme === 'light' ? light : dark)?.[1] ?? ''
    for (const name of ['ink', 'grey', 'copper'])
      expect(contrast(colour(name), colour('paper'))).toBeGreaterThanOrEqual(4.5)
  })
})

/** The contrast ratio by the formula of WCAG 2. */
function contrast(one: string, other: string): number {
  const light = (colour: string): number => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
  }
  const [dark = 0, bright = 0] = [light(one), light(other)].toSorted((a, b) => a - b)
  return bright / dark
}
