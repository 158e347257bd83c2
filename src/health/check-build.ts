import type { Check } from './check.ts'

/** Whether the site serves the newest build that was announced to it. */
export const makeBuildCheck = (isRefused: () => boolean): Check => ({
  name: 'build',
  everyMs: 5_000,
  async run() {
    if (!isRefused()) return { is: 'ok', sentence: 'The newest build is served.' }
    return {
      is: 'warning',
      sentence: 'The newest build was refused, so the site still serves the previous one.',
      advice: 'Restart the site if code or site.config.ts changed; otherwise build.refused in the log says why.',
    }
  },
})
