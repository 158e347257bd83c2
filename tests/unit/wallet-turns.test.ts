import { expect, it } from 'vitest'
import type { Signed } from '../../src/payments/chain/wallet-check.ts'
import { makePurchaseTurns } from '../../src/payments/purchase/purchase-turns.ts'
import type { TakePlace } from '../../src/payments/purchase/take-place.ts'
import { makeWalletTurns } from '../../src/payments/purchase/wallet-turns.ts'

/** Purchases that last until the test ends them, and a log of events in order. */
function makeShop(takePlace?: TakePlace) {
  const turns = makeWalletTurns({
    turns: makePurchaseTurns({ takePlace, sleep: async () => {} }),
    isShared: takePlace !== undefined,
  })
  const told: string[] = []
  const come = (id: string, signed: Signed | Error, { wallet = 'a wallet', fails = false } = {}) => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const isSigned = async () => {
      told.push(`${id} asked`)
      if (signed instanceof Error) throw signed
      return signed
    }
    const done = turns
      .take(wallet, isSigned, async () => {
        told.push(`${id} begins`)
        await ended
        told.push(`${id} ends`)
        if (fails) throw new Error(id)
        return id
      })
      .catch((error: unknown) => error)
    return { end, done }
  }
  /** Lets pending work run that does not wait for the end of a purchase. */
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
  return { come, told, settled }
}

it('checks no signature while a wallet buys one thing after the other, whatever other wallets do', async () => {
  const { come, told } = makeShop()
  const other = come('other', 'yes', { wallet: 'another' })
  for (const id of ['1', '2']) {
    const { end, done } = come(id, 'yes')
    end()
    expect(await done).toBe(id)
  }
  other.end()
  await other.done
  expect(told).toEqual(['other begins', '1 begins', '1 ends', '2 begins', '2 ends', 'other ends'])
})

it.each([false, true])(
  'runs purchases signed by one wallet one after the other, even if the first fails: %s',
  async (fails) => {
    const { come, told, settled } = makeShop()
    const [first, second, third] = [come('1', 'yes', { fails }), come('2', 'yes'), come('3', 'yes')]
    await settled()
    expect(told).toEqual(['1 begins', '2 asked', '3 asked', '1 asked'])
    first.end()
    await first.done
    await settled()
    // Others are still waiting, although the first, which came without competition, is done.
    const fourth = come('4', 'yes')
    await settled()
    for (const { end } of [fourth, third, second]) end()
    for (const { done } of [second, third, fourth]) await done
    const begun = told.slice(4)
    expect(begun).toEqual(['1 ends', '2 begins', '4 asked', '2 ends', '3 begins', '3 ends', '4 begins', '4 ends'])
  },
)

it.each<Signed | Error>(['no', 'unknown', new Error('no hexadecimal')])(
  'does not delay a wallet for purchases that it did not sign, in any order: %s',
  async (signed) => {
    const { come, told, settled } = makeShop()
    const forged = come('forged', signed)
    const bought = come('bought', 'yes')
    const more = come('more', 'no')
    await settled()
    expect(told).toEqual(expect.arrayContaining(['forged begins', 'bought begins', 'more begins']))
    expect(told.filter((line) => line === 'forged asked')).toHaveLength(1)
    for (const { end, done } of [bought, more, forged]) {
      end()
      await done
    }
  },
)

it('checks every signature if other programs sell, too, whose purchases are not visible here', async () => {
  const taken: string[] = []
  const { come, told } = makeShop(async (name) => {
    taken.push(name)
    return () => {}
  })
  const { end, done } = come('1', 'yes')
  end()
  await done
  expect(told[0]).toBe('1 asked')
  expect(taken).toEqual(['turn a wallet'])
})

it('delays a newcomer until all earlier purchases are done, and then checks no signature again', async () => {
  const { come, told, settled } = makeShop()
  const [first, second, third] = [come('1', 'yes'), come('2', 'yes'), come('3', 'yes')]
  for (const { end, done } of [first, second]) {
    end()
    await done
  }
  await settled()
  const fourth = come('4', 'yes')
  await settled()
  expect(told.slice(-2)).toEqual(['3 begins', '4 asked'])
  for (const { end, done } of [third, fourth]) {
    end()
    await done
  }
  const fifth = come('5', 'yes')
  fifth.end()
  await fifth.done
  expect(told.slice(-4)).toEqual(['4 begins', '4 ends', '5 begins', '5 ends'])
})
