import type { APIRoute, GetStaticPaths } from 'astro'
import { shop } from '../../../../config/site-context.ts'
import { makeBuyingSkill } from '../../../../discovery/well-known/buying-skill.ts'
import { prerendered } from '../../../../endpoints/served.ts'

const skill = makeBuyingSkill(shop.baseUrl)

/** The file is served beside both indexes, because readers of the older one look for files beside it. */
export const getStaticPaths = (() =>
  ['agent-skills', 'skills'].map((index) => ({ params: { index, name: skill.name } }))) satisfies GetStaticPaths

export const GET: APIRoute = () => prerendered('/.well-known/agent-skills/{name}/SKILL.md', skill.text)
