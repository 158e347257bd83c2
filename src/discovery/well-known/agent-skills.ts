import { createHash } from 'node:crypto'

/** A skill that anybody may read; one that costs something would break clients, which fetch and check every entry. */
export interface FreeSkill {
  /** Also the name of its folder, as the format wants it. */
  readonly name: string
  readonly description: string
  /** The bytes of its SKILL.md. */
  readonly text: string
}

/** Where the file of a free skill is served, below the host. */
export const skillPath = (name: string): `/${string}` => `/.well-known/agent-skills/${name}/SKILL.md`

/** `/.well-known/agent-skills/index.json`, version 0.2.0: each skill with the digest of what is served. */
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

/** `/.well-known/skills/index.json`, version 0.1, which installers still read; the files lie beside it. */
export const toEarlySkillsIndex = (skills: readonly FreeSkill[]) => ({
  skills: skills.map(({ name, description }) => ({ name, description, files: ['SKILL.md'] })),
})
