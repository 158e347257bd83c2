import { EventEmitter } from 'node:events'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { emitMissedChanges } from '../../src/dev/missed-changes.ts'

let root = ''
let watcher: EventEmitter
let [seen, failed]: [string[], string[]] = [[], []]
const at = (name: string): string => join(root, name)
const write = (name: string, text = 'text'): void => writeFileSync(at(name), text)
/** What a watcher emits that has noticed one change. */
function notice(event: string, name: string): void {
  watcher.emit(event, at(name))
  watcher.emit('all', event, at(name))
}
beforeEach(() => {
  vi.useFakeTimers()
  root = mkdtempSync(join(tmpdir(), 'missed-changes-'))
  mkdirSync(at('content/posts'), { recursive: true })
  mkdirSync(at('data'))
  write('content/posts/old.mdx')
  watcher = new EventEmitter()
  ;[seen, failed] = [[], []]
})
afterEach(() => {
  vi.useRealTimers()
  expect(failed).toEqual([])
  rmSync(root, { recursive: true })
})
const begin = () => {
  const places = [at('content'), at('site.config.ts')]
  const missed = emitMissedChanges({ watcher, places, onError: (error) => failed.push(String(error)) })
  watcher.on('all', (event, file) => seen.push(`${event} ${file.slice(root.length + 1)}`))
  return missed
}

it('emits new files that the watcher missed beside one that it noticed', () => {
  begin()
  for (const name of ['one', 'two', 'three']) write(`content/posts/${name}.mdx`)
  const added: string[] = []
  watcher.on('add', (file) => added.push(file))
  notice('add', 'content/posts/one.mdx')
  vi.advanceTimersByTime(999)
  expect(seen).toEqual(['add content/posts/one.mdx'])
  vi.advanceTimersByTime(60_000)
  expect(seen.slice(1).sort()).toEqual(['add content/posts/three.mdx', 'add content/posts/two.mdx'])
  expect(added).toHaveLength(3)
})

it('emits a second edit that the watcher missed, and nothing more for one that it noticed', () => {
  begin()
  write('content/posts/old.mdx', 'an edit')
  notice('change', 'content/posts/old.mdx')
  vi.advanceTimersByTime(60_000)
  expect(seen).toEqual(['change content/posts/old.mdx'])
  write('content/posts/old.mdx', 'a second edit')
  notice('change', 'content/posts/old.mdx')
  write('content/posts/old.mdx', 'a third edit right after it')
  vi.advanceTimersByTime(60_000)
  expect(seen).toEqual(Array(3).fill('change content/posts/old.mdx'))
})

it('emits files that were removed, replaced or renamed without an event', () => {
  for (const name of ['gone', 'replaced', 'named']) write(`content/posts/${name}.mdx`)
  begin()
  write('content/posts/replaced.tmp')
  renameSync(at('content/posts/replaced.tmp'), at('content/posts/replaced.mdx'))
  renameSync(at('content/posts/named.mdx'), at('content/posts/renamed.mdx'))
  rmSync(at('content/posts/gone.mdx'))
  notice('change', 'content/posts/old.mdx')
  vi.advanceTimersByTime(60_000)
  expect(seen.slice(1).sort()).toEqual([
    'add content/posts/renamed.mdx',
    'change content/posts/replaced.mdx',
    'unlink content/posts/gone.mdx',
    'unlink content/posts/named.mdx',
  ])
})

it('emits what changed before the watcher was ready', () => {
  const { look } = begin()
  write('content/posts/early.mdx')
  write('site.config.ts')
  vi.advanceTimersByTime(60_000)
  expect(seen).toEqual([])
  look()
  vi.advanceTimersByTime(1000)
  expect(seen).toEqual(['add content/posts/early.mdx', 'add site.config.ts'])
})

it('neither looks at other places nor emits the files that an editor writes beside an edited one', () => {
  begin()
  for (const name of ['content/posts/.old.mdx.swp', 'content/posts/old.mdx~', 'data/ledger', 'content-2']) write(name)
  write('content/posts/new.mdx')
  notice('change', 'data/ledger')
  notice('add', 'content-2')
  vi.advanceTimersByTime(60_000)
  expect(seen).toEqual(['change data/ledger', 'add content-2'])
  notice('change', 'content/posts/old.mdx')
  vi.advanceTimersByTime(60_000)
  expect(seen.slice(2)).toEqual(['change content/posts/old.mdx', 'add content/posts/new.mdx'])
})

it('says why it cannot look, and looks again after the next change', () => {
  begin()
  symlinkSync('loop.mdx', at('content/posts/loop.mdx'))
  write('content/posts/new.mdx')
  notice('change', 'content/posts/old.mdx')
  vi.advanceTimersByTime(60_000)
  expect(failed.splice(0)).toEqual([expect.stringContaining('ELOOP')])
  rmSync(at('content/posts/loop.mdx'))
  notice('change', 'content/posts/old.mdx')
  vi.advanceTimersByTime(60_000)
  expect(seen.at(-1)).toBe('add content/posts/new.mdx')
})

it('looks behind links to folders', () => {
  mkdirSync(at('elsewhere'))
  symlinkSync('../elsewhere', at('content/linked'))
  begin()
  write('elsewhere/post.mdx')
  notice('change', 'content/posts/old.mdx')
  vi.advanceTimersByTime(60_000)
  expect(seen).toEqual(['change content/posts/old.mdx', 'add content/linked/post.mdx'])
})

it('does not take a hidden file for removed of which the watcher has told', () => {
  write('content/posts/.hidden.mdx')
  begin()
  notice('add', 'content/posts/.hidden.mdx')
  vi.advanceTimersByTime(60_000)
  expect(seen).toEqual(['add content/posts/.hidden.mdx'])
})
