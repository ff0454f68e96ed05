import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pullRequestOf } from '../../../../src/engine/series/pullRequest.ts';

const environment = {
	...process.env,
	GIT_CONFIG_GLOBAL: '/dev/null',
	GIT_CONFIG_SYSTEM: '/dev/null',
	GIT_AUTHOR_NAME: 'Bob',
	GIT_AUTHOR_EMAIL: 'bob@forge.test',
	GIT_COMMITTER_NAME: 'Bob',
	GIT_COMMITTER_EMAIL: 'bob@forge.test',
};

const text = [
	'Hello Alice, please pull.',
	'',
	`The following changes since commit ${'1'.repeat(40)}:`,
	'',
	'  status: a longer line (2024-03-01 08:00:00 +0000)',
	'',
	'are available in the Git repository at:',
	'',
	'  https://git.forge.test/~bob/lantern status-line',
	'',
	`for you to fetch changes up to ${'2'.repeat(40)}:`,
	'',
	'  status: shorter (2024-03-02 08:00:00 +0000)',
	'',
].join('\n');

suite('requests to pull', () => {
	test('repository, reference and both commits are read', () => {
		assert.deepEqual(pullRequestOf(text), {
			repository: 'https://git.forge.test/~bob/lantern',
			reference: 'status-line',
			since: '1'.repeat(40),
			upTo: '2'.repeat(40),
		});
	});

	test('carriage returns, the old spelling and a missing reference change nothing', () => {
		const old = text.replace('Git repository', 'git repository').replace(' status-line', '').replaceAll('\n', '\r\n');
		assert.deepEqual(pullRequestOf(old), {
			repository: 'https://git.forge.test/~bob/lantern',
			reference: undefined,
			since: '1'.repeat(40),
			upTo: '2'.repeat(40),
		});
	});

	test('quoted requests and other mails are none', () => {
		assert.equal(pullRequestOf(text.replaceAll(/^/gm, '> ')), undefined);
		assert.equal(pullRequestOf('The changes are available in the Git repository at:\n\n  https://x.test\n'), undefined);
		assert.equal(pullRequestOf(''), undefined);
	});

	test('what git request-pull writes is understood', () => {
		const directory = mkdtempSync(path.join(tmpdir(), 'forge-desk-pull-'));
		const git = (...args: readonly string[]): string =>
			execFileSync('git', args, { cwd: directory, encoding: 'utf8', env: environment });
		try {
			git('init', '-q', '-b', 'main');
			writeFileSync(path.join(directory, 'a'), '1\n');
			git('add', 'a');
			git('commit', '-qm', 'one');
			git('checkout', '-qb', 'topic');
			git('commit', '-q', '--allow-empty', '-m', 'two');
			const since = git('rev-parse', 'main').trim();
			const upTo = git('rev-parse', 'topic').trim();
			assert.deepEqual(pullRequestOf(git('request-pull', 'main', directory, 'topic')), {
				repository: directory,
				reference: 'topic',
				since,
				upTo,
			});
		} finally {
			rmSync(directory, { recursive: true, force: true });
		}
	});
});
