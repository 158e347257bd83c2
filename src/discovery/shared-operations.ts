import type { FreeTable } from './free-operation.ts'
import { inPath, json, markdown, object, text } from './operation-contents.ts'

/** What both programs answer, each for itself. */
export const sharedOperations: FreeTable = {
  '/healthz': {
    id: 'get-liveness',
    summary: 'Whether the process lives',
    answer: 'It lives',
    content: json('Liveness'),
  },
  '/readyz': {
    id: 'get-readiness',
    summary: 'Whether the program can sell',
    answer: 'The ledger is writable, the facilitator is known, and payments are settled',
    content: json('Readiness'),
    responses: { 503: { description: 'It cannot sell now, and says why', content: json('Readiness') } },
  },
  '/llms.txt': {
    id: 'get-llms-txt',
    summary: 'What is here, a line each',
    answer: 'An index for language models, with links to the pages as markdown (llmstxt.org)',
    content: text,
    isFile: true,
  },
  '/agents.md': {
    id: 'get-agents-markdown',
    summary: 'For agents: how to buy on the site, how to play on the game host',
    answer: 'Markdown',
    content: markdown,
    isFile: true,
  },
  '/api/receipts/{id}.json': {
    id: 'get-receipt',
    summary: 'The receipt of one sale',
    answer: 'The receipt; its page for people is /receipts/{id}',
    content: json('Receipt'),
    parameters: inPath('id', 'From the X-Receipt-Id header of the paid answer'),
    problems: ['not-found'],
    isTagged: true,
    responses: { 308: { description: 'From the game host to the site, which keeps the receipts of both' } },
  },
  '/.well-known/x402': {
    id: 'get-paid-addresses',
    summary: 'Every paid address of this host, with its terms',
    answer: 'The list that directories of paid APIs read',
    content: object('version', 'resources', 'items'),
    isFile: true,
  },
  '/.well-known/agent-skills/index.json': {
    id: 'get-free-skills',
    summary: 'The free skills of this host',
    answer: 'An index of agent skills, version 0.2.0, with the digest of each file',
    content: object('$schema', 'skills'),
    isFile: true,
  },
  '/.well-known/skills/index.json': {
    id: 'get-free-skills-early',
    summary: 'The same for readers of version 0.1',
    answer: 'An index of agent skills, whose files lie beside it',
    content: object('skills'),
    isFile: true,
  },
  '/.well-known/agent-skills/{name}/SKILL.md': {
    id: 'get-free-skill',
    summary: 'A free skill',
    answer: 'The file that an agent loads',
    content: markdown,
    parameters: inPath('name', 'From the index'),
    problems: ['not-found'],
    isFile: true,
  },
  '/.well-known/skills/{name}/SKILL.md': {
    id: 'get-free-skill-early',
    summary: 'The same file, where readers of version 0.1 look',
    answer: 'The file that an agent loads',
    content: markdown,
    parameters: inPath('name', 'From the index'),
    problems: ['not-found'],
    isFile: true,
  },
}
