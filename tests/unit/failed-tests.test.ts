import { expect, it } from 'vitest'
import { listFailedTests } from '../../src/commands/failed-tests.ts'

const test = (fullName: string, status: string) => ({ fullName, status })

it('names the failed tests with their files, and a file that failed without one', () => {
  const results = [
    { name: '/site/tests/good.test.ts', status: 'passed', assertionResults: [test('works', 'passed')] },
    {
      name: '/site/tests/bad.test.ts',
      status: 'failed',
      assertionResults: [test('a sale is charged once', 'failed'), test('works', 'passed'), test('is told', 'failed')],
    },
    { name: '/site/tests/unbegun.test.ts', status: 'failed', assertionResults: [test('works', 'skipped')] },
  ]
  expect(listFailedTests(results, '/site')).toEqual([
    'tests/bad.test.ts: a sale is charged once',
    'tests/bad.test.ts: is told',
    'tests/unbegun.test.ts',
  ])
})
