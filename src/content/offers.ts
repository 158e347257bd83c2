import { products } from 'virtual:products'
import { toOffers } from '../offers/products.ts'
import { getSkills } from './skills.ts'

const makeOffers = async () => toOffers(products, await getSkills())

let all: ReturnType<typeof makeOffers> | undefined

/** Everything for sale. Build-time only: the running server makes the same list from the files of the build. */
export function getOffers() {
  if (import.meta.env.DEV) return makeOffers()
  all ??= makeOffers()
  return all
}

/** The product with this slug, if there is one. Build-time only. */
export const findOffer = async (slug: string) => (await getOffers()).find((offer) => offer.slug === slug)

/** Every skill with its offer, by slug. Build-time only. */
export async function getSkillOffers() {
  const [skills, offers] = await Promise.all([getSkills(), getOffers()])
  const bySlug = new Map(skills.map((skill) => [skill.slug, skill]))
  return offers.flatMap((offer) => {
    const skill = offer.lane === 'skill' ? bySlug.get(offer.slug) : undefined
    return skill ? [{ skill, offer }] : []
  })
}
