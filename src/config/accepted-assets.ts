import { z } from 'zod'
import { eurc, type PricedAsset } from '../core/assets.ts'

const known = new Map([['eurc', eurc]])
/** The allowed range of a rate: one outside it is most likely a typing error. */
const [least, most] = [100_000n, 10_000_000n]

/** Parses a list like `eurc=920000`: tokens, each with how many of its atomic units make one dollar. */
export const acceptedAssets = z.string().transform((text, context): readonly PricedAsset[] => {
  const complain = (message: string) => {
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  }
  const assets: PricedAsset[] = []
  for (const entry of text.split(/[\s,]+/).filter(Boolean)) {
    const [, name = '', rate = ''] = /^([a-z]+)=(\d{1,12})$/.exec(entry) ?? []
    const asset = known.get(name)
    if (!asset) return complain(`must be a list like eurc=920000; known are ${[...known.keys()].join(', ')}`)
    const perUsd = BigInt(rate)
    if (perUsd < least || perUsd > most)
      return complain(`says that ${rate} millionths of ${asset.symbol} are a dollar; that must be ${least} to ${most}`)
    if (assets.some(({ symbol }) => symbol === asset.symbol)) return complain(`names ${name} twice`)
    assets.push({ ...asset, perUsd })
  }
  return assets
})
