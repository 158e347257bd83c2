import { getCollection } from 'astro:content'
import { readSource } from './read-source.ts'
import { toSkill } from './to-skill.ts'

async function readSkillFiles() {
  const entries = await getCollection('skills')
  const files = entries.map((entry) => {
    const file = readSource(entry)
    return { skill: toSkill(entry.data, file), file }
  })
  return files.toSorted((a, b) => (a.skill.slug < b.skill.slug ? -1 : 1))
}

let files: ReturnType<typeof readSkillFiles> | undefined

/**
 * Every skill with the file that is sold, sorted by slug. Build-time only; a build reads each once for all its pages.
 */
export function getSkillFiles() {
  if (import.meta.env.DEV) return readSkillFiles()
  files ??= readSkillFiles()
  return files
}

/** The public part of every skill, sorted by slug. Build-time only. */
export const getSkills = async () => (await getSkillFiles()).map(({ skill }) => skill)
