import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { findKept, forgetPurchase, keepPurchase, readKept } from '../../src/checkout/kept-purchases.ts'

/** A stand-in for localStorage with limited room in characters; items are properties, as in a browser. */
class Storage {
  [name: string]: unknown
  static room = Number.POSITIVE_INFINITY
  /** Called for each item that changes. */
  static changed: (from: Storage, name: string, value: string | undefined) => void
  getItem(name: string): string | null {
    return Object.hasOwn(this, name) ? String(this[name]) : null
  }
  removeItem(name: string): void {
    delete this[name]
    Storage.changed(this, name, undefined)
  }
  setItem(name: string, value: string): void {
    const { [name]: _, ...others } = this
    if (Object.values(others).join('').length + value.length > Storage.room)
      throw new DOMException('The quota has been exceeded', 'QuotaExceededError')
    this[name] = value
    Storage.changed(this, name, value)
  }
}

let storage: Storage
beforeEach(() => {
  storage = new Storage()
  Storage.room = Number.POSITIVE_INFINITY
  Storage.changed = () => {}
  vi.stubGlobal('localStorage', storage)
})
afterEach(() => vi.unstubAllGlobals())

/** All stored values, parsed. */
const written = (): unknown[] => Object.values(storage).map((item) => JSON.parse(String(item)))

const header = btoa(JSON.stringify({ payload: { authorization: { validBefore: String(2 ** 40) } } }))
const purchase = (id: string) => ({ id, method: 'GET', path: `/${id}`, body: undefined, header, declined: '' })

it('keeps a signature in memory until the page is closed when localStorage is full', () => {
  keepPurchase(purchase('earlier'))
  Storage.room = Object.values(storage).join('').length
  keepPurchase(purchase('later'))
  expect(findKept('later')).toEqual(purchase('later'))
  expect(findKept('earlier')).toEqual(purchase('earlier'))
  forgetPurchase(purchase('later'))
  expect(findKept('later')).toBeUndefined()
  expect(findKept('earlier')).toEqual(purchase('earlier'))
})

it('notices when another tab has received what this one stored', () => {
  keepPurchase(purchase('shared'))
  for (const name of Object.keys(storage)) storage.removeItem(name)
  expect(findKept('shared')).toBeUndefined()
})

/** Lets a tab see what another tab did to an item. */
function see(tab: Storage, name: string, value: string | undefined): void {
  if (value === undefined) delete tab[name]
  else tab[name] = value
}

/** A page of the shop in a tab of its own, which sees the writes of others only when it is told. */
async function openTab() {
  vi.resetModules()
  const own = Object.assign(new Storage(), storage)
  const kept = await import('../../src/checkout/kept-purchases.ts')
  return {
    own,
    run<Result>(use: (tab: typeof kept) => Result): Result {
      vi.stubGlobal('localStorage', own)
      return use(kept)
    },
  }
}

it('loses neither of two purchases that two tabs store at once, each before it sees the other’s write', async () => {
  const late: (() => void)[] = []
  const tabs = [await openTab(), await openTab()] as const
  Storage.changed = (from, name, value) =>
    late.push(() => {
      for (const { own } of tabs) if (own !== from) see(own, name, value)
    })
  const [one, other] = tabs
  one.run(({ keepPurchase: keep }) => keep(purchase('one')))
  other.run(({ keepPurchase: keep }) => keep(purchase('other')))
  for (const arrive of late.splice(0)) arrive()
  const found = tabs.map((tab) => tab.run(({ findKept: find }) => ['one', 'other'].map(find)))
  expect(found).toEqual(tabs.map(() => ['one', 'other'].map(purchase)))
  one.run(({ forgetPurchase: forget }) => forget(purchase('one')))
  other.run(({ keepPurchase: keep }) => keep({ ...purchase('other'), declined: 'why' }))
  for (const arrive of late.splice(0)) arrive()
  const left = tabs.map((tab) => tab.run(({ readKept: read }) => read()))
  expect(left).toEqual(tabs.map(() => [{ ...purchase('other'), declined: 'why' }]))
})

it('loses nothing that another tab stored while this one had no room', async () => {
  keepPurchase(purchase('earlier'))
  Storage.room = 0
  keepPurchase(purchase('here'))
  Storage.room = Number.POSITIVE_INFINITY
  const other = await openTab()
  Storage.changed = (_from, name, value) => see(storage, name, value)
  other.run(({ keepPurchase: keep }) => keep(purchase('elsewhere')))
  Storage.changed = () => {}
  vi.stubGlobal('localStorage', storage)
  expect(['earlier', 'elsewhere', 'here'].map(findKept)).toEqual(['earlier', 'elsewhere', 'here'].map(purchase))
  forgetPurchase(purchase('here'))
  expect(written()).toEqual(['earlier', 'elsewhere'].map(purchase))
})

it('writes what had no room as soon as there is room again', () => {
  Storage.room = 0
  keepPurchase(purchase('waiting'))
  Storage.room = Number.POSITIVE_INFINITY
  keepPurchase(purchase('next'))
  expect(written()).toEqual(['waiting', 'next'].map(purchase))
})

it('reads intact purchases beside damaged items and those of other programs', () => {
  keepPurchase(purchase('whole'))
  const [name = ''] = Object.keys(storage)
  for (const damaged of ['', '{', '[]', 'null', '{"id":"damaged","path":"/damaged","header":""}'])
    storage.setItem(name.replace('whole', `damaged ${damaged}`), damaged)
  storage.setItem('colours', 'dark')
  expect(readKept()).toEqual([purchase('whole')])
})

it('uses the latest signature even if only an earlier one could be stored', () => {
  keepPurchase(purchase('same'))
  Storage.room = 0
  const later = { ...purchase('same'), path: '/same?later' }
  keepPurchase(later)
  expect(findKept('same')).toEqual(later)
  forgetPurchase(later)
  expect(findKept('same')).toBeUndefined()
})

it('stores nothing of a purchase that can no longer be fetched, neither signature nor request', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 })
  const ending = btoa(JSON.stringify({ payload: { authorization: { validBefore: '300' } } }))
  keepPurchase({ ...purchase('over'), header: ending })
  vi.setSystemTime(7 * 24 * 60 * 60 * 1000)
  expect(readKept()).toHaveLength(1)
  vi.setSystemTime(8 * 24 * 60 * 60 * 1000)
  keepPurchase(purchase('later'))
  vi.useRealTimers()
  expect(written()).toEqual([purchase('later')])
})
