import { type CollectionEntry, getCollection } from 'astro:content'
import type { Skill } from '../offers/skill.ts'
import { readSource } from './read-source.ts'
import { toSkill } from './to-skill.ts'

/** A skill with the file that is sold. */
interface SkillFile {
  readonly skill: Skill
  readonly file: Buffer
}

/** What was read last of each skill, with the digest of its file: in `npm run dev` each text of a post asks for all. */
const lastRead = new Map<string, SkillFile & { readonly digest: string | number | undefined }>()

function readSkillFile(entry: CollectionEntry<'skills'>): SkillFile {
  const { id, digest } = entry
  const known = lastRead.get(id)
  if (known?.digest !== undefined && known.digest === digest) return known
  const file = readSource(entry)
  const made = { skill: toSkill(entry.data, file), file, digest }
  lastRead.set(id, made)
  return made
}

async function readSkillFiles(): Promise<SkillFile[]> {
  const files = (await getCollection('skills')).map(readSkillFile)
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
