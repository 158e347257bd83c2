import { describe, expect, it } from 'vitest'
import { toJsonSchema } from '../../src/core/json-schema.ts'
import { toSkillsManifest } from '../../src/discovery/skills-manifest.ts'
import { skillsManifestSchema } from '../../src/offers/skills-manifest-schema.ts'
import { sampleOffers, sampleShop, sampleSkill } from '../support/sample-shop.ts'
import { specSchemas } from '../support/spec-schemas.ts'
import { findSchemaErrors } from '../support/validate-document.ts'

const slugs = sampleOffers.filter(({ lane }) => lane === 'skill').map(({ slug }) => slug)
const manifest = toSkillsManifest(sampleOffers, slugs.map(sampleSkill), sampleShop)

describe('the skills manifest', () => {
  it('has every field of the specification', () => {
    expect(findSchemaErrors(specSchemas.skillsManifest, manifest)).toEqual([])
    expect(findSchemaErrors(toJsonSchema(skillsManifestSchema), manifest)).toEqual([])
  })

  it('has a correct count', () => {
    expect(manifest.count).toBe(8)
    expect(manifest.items).toHaveLength(manifest.count)
  })

  it('has the version, size and digest of each file, as on its page', () => {
    for (const { slug, ...item } of manifest.items) {
      const { version, bytes, sha256 } = sampleSkill(slug)
      expect(item).toMatchObject({ version, sizeBytes: bytes, digest: `sha256:${sha256}` })
    }
  })

  it('has URL templates for every item', () => {
    for (const { slug, installUrl, previewUrl } of manifest.items) {
      expect(manifest.installPattern.replace(':slug', slug)).toBe(installUrl)
      expect(manifest.previewPattern.replace(':slug', slug)).toBe(previewUrl)
    }
  })

  it('is valid without any skill', () => {
    const empty = toSkillsManifest([], [], sampleShop)
    expect(findSchemaErrors(specSchemas.skillsManifest, empty)).toEqual([])
    expect(empty.count).toBe(0)
  })
})
