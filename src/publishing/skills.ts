import { getCollection } from 'astro:content'
import { makeOffers } from '../../functions/offers.ts'
import { readSource } from './read-source.ts'
import { toSkill } from './to-skill.ts'

/** Every skill with the file that is sold, by slug. Build-time only. */
export async function getSkillFiles() {
  const entries = await getCollection('skills')
  const files = await Promise.all(
    entries.map(async (entry) => {
      const file = await readSource(entry)
      return { skill: toSkill(entry.data, file), file }
    }),
  )
  return files.toSorted((a, b) => (a.skill.slug < b.skill.slug ? -1 : 1))
}

/** What is public about every skill, by slug. Build-time only. */
export const getSkills = async () => (await getSkillFiles()).map(({ skill }) => skill)

/** Everything for sale. Build-time only: the running server makes the same list from the files of the build. */
export const getOffers = async () => makeOffers(await getSkills())

/** The product of this name, if there is one. Build-time only. */
export const findOffer = async (slug: string) => (await getOffers()).find((offer) => offer.slug === slug)
