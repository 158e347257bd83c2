import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { findKept, forgetPurchase, keepPurchase } from '../../src/checkout/kept-purchases.ts'

/** What a browser keeps for a site, with room for so many characters. */
class Storage {
  room = Number.POSITIVE_INFINITY
  readonly items = new Map<string, string>()
  getItem = (name: string): string | null => this.items.get(name) ?? null
  removeItem = (name: string): void => void this.items.delete(name)
  setItem(name: string, value: string): void {
    if (value.length > this.room) throw new DOMException('The quota has been exceeded', 'QuotaExceededError')
    this.items.set(name, value)
  }
}

let storage: Storage
beforeEach(() => {
  storage = new Storage()
  vi.stubGlobal('localStorage', storage)
})
afterEach(() => vi.unstubAllGlobals())

const header = btoa(JSON.stringify({ payload: { authorization: { validBefore: String(2 ** 40) } } }))
const purchase = (id: string) => ({ id, method: 'GET', path: `/${id}`, body: undefined, header, declined: '' })

it('keeps what was signed until the page is closed where the browser has no more room beside what it kept before', () => {
  keepPurchase(purchase('earlier'))
  storage.room = storage.getItem('farthing.purchases')?.length ?? 0
  keepPurchase(purchase('later'))
  expect(findKept('later')).toEqual(purchase('later'))
  expect(findKept('earlier')).toEqual(purchase('earlier'))
  forgetPurchase(purchase('later'))
  expect(findKept('later')).toBeUndefined()
  expect(findKept('earlier')).toEqual(purchase('earlier'))
})

it('knows when another tab has received what this one kept', () => {
  keepPurchase(purchase('shared'))
  storage.removeItem('farthing.purchases')
  expect(findKept('shared')).toBeUndefined()
})

it('loses nothing that another tab kept while this one had no more room', () => {
  keepPurchase(purchase('earlier'))
  storage.room = 0
  keepPurchase(purchase('here'))
  storage.room = Number.POSITIVE_INFINITY
  storage.setItem('farthing.purchases', JSON.stringify([purchase('earlier'), purchase('elsewhere')]))
  expect(['earlier', 'elsewhere', 'here'].map(findKept)).toEqual(['earlier', 'elsewhere', 'here'].map(purchase))
  forgetPurchase(purchase('here'))
  expect(JSON.parse(storage.getItem('farthing.purchases') ?? '')).toEqual([purchase('earlier'), purchase('elsewhere')])
})

it('writes what had no room as soon as there is room again', () => {
  storage.room = 0
  keepPurchase(purchase('waiting'))
  storage.room = Number.POSITIVE_INFINITY
  keepPurchase(purchase('next'))
  expect(JSON.parse(storage.getItem('farthing.purchases') ?? '')).toEqual([purchase('waiting'), purchase('next')])
})

it('goes by what was signed last where only what was signed before had room', () => {
  keepPurchase(purchase('same'))
  storage.room = 0
  const later = { ...purchase('same'), path: '/same?later' }
  keepPurchase(later)
  expect(findKept('same')).toEqual(later)
  forgetPurchase(later)
  expect(findKept('same')).toBeUndefined()
})
