import { expect, it } from 'vitest'
import { TokenBucket } from '../../src/http/token-bucket.ts'

const openBucket = () => {
  const clock = { ms: 0 }
  return { clock, bucket: new TokenBucket({ perSecond: 1, burst: 10 }, () => clock.ms) }
}

it('gives out its burst at once, and says when the next token comes', () => {
  const { clock, bucket } = openBucket()
  expect(Array.from({ length: 11 }, () => bucket.take())).toEqual([...Array<number>(10).fill(0), 1000])
  clock.ms += 500
  expect(bucket.take()).toBe(500)
  clock.ms += 500
  expect([bucket.take(), bucket.left()]).toEqual([0, 0])
})

it('takes a cost that became known afterwards on credit, but no more than its burst', () => {
  const { clock, bucket } = openBucket()
  bucket.charge(15)
  expect([bucket.left(), bucket.wait()]).toEqual([0, 6000])
  bucket.charge(100)
  expect([bucket.wait(), bucket.wait(0)]).toEqual([11_000, 0])
  clock.ms += 11_000
  expect(bucket.take()).toBe(0)
})

it('keeps what was taken here when it hears that less was taken elsewhere', () => {
  const { bucket } = openBucket()
  bucket.owe(4)
  expect(bucket.left()).toBe(6)
  bucket.owe(2)
  expect(bucket.left()).toBe(6)
})

it('loses no tokens when its clock is set back', () => {
  const { clock, bucket } = openBucket()
  bucket.take(4)
  clock.ms -= 60_000
  expect(bucket.left()).toBe(6)
  clock.ms += 2000
  expect(bucket.left()).toBe(8)
})
