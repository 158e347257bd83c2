import { createHash } from 'node:crypto'

/** A free skill. Paid skills are not listed, because clients fetch and check every entry, and would fail. */
export interface FreeSkill {
  /** Its name, which is also that of its folder, as the format requires. */
  readonly name: string
  readonly description: string
  /** The text of its SKILL.md, as it is served. */
  readonly text: string
}

/** The path at which the file of a free skill is served. */
export const skillPath = (name: string): `/${string}` => `/.well-known/agent-skills/${name}/SKILL.md`

/** `/.well-known/agent-skills/index.json`, version 0.2.0: each skill with the digest of its file. */
export const toSkillsIndex = (skills: readonly FreeSkill[], origin: string) => ({
  $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
  skills: skills.map(({ name, description, text }) => ({
    name,
    type: 'skill-md',
    description,
    url: origin + skillPath(name),
    digest: `sha256:${createHash('sha256').update(text).digest('hex')}`,
  })),
})

/** `/.well-known/skills/index.json`, version 0.1, which installers still read; the files are served beside it. */
export const toEarlySkillsIndex = (skills: readonly FreeSkill[]) => ({
  skills: skills.map(({ name, description }) => ({ name, description, files: ['SKILL.md'] })),
})
