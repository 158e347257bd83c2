import { sha256 as buyerSha256 } from 'virtual:buyer-bundle'
import type { APIRoute, GetStaticPaths } from 'astro'
import { priceOf } from '../../../../functions/offer.ts'
import { skillOffer } from '../../../../functions/skill/offer.ts'
import { toInstallScript } from '../../../discovery/install-script.ts'
import type { Skill } from '../../../publishing/skill.ts'
import { getSkills } from '../../../publishing/skills.ts'
import { shop } from '../../../site-context.ts'

export const getStaticPaths = (async () =>
  (await getSkills()).map((skill) => ({ params: { slug: skill.slug }, props: { skill } }))) satisfies GetStaticPaths

export const GET: APIRoute<{ skill: Skill }> = ({ props: { skill } }) => {
  const { slug, title, sha256: skillSha256 } = skill
  const priceMicroUsd = priceOf(skillOffer(skill), {})
  return new Response(toInstallScript({ slug, title, priceMicroUsd, skillSha256, buyerSha256, shop }), {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' },
  })
}
