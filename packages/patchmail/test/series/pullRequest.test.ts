import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { asksForPull, pullRequestIn, pullRequestOf } from '../../src/series/pullRequest.ts';
import type { PullRequestMail } from '../../src/series/seriesReading.ts';
import { makeReading } from '../../../../test/support/makeSeries.ts';

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

suite('pull requests by mail', () => {
	test('have a repository, a reference and both commits', () => {
		assert.deepEqual(pullRequestOf(text), {
			repository: 'https://git.forge.test/~bob/lantern',
			reference: 'status-line',
			since: '1'.repeat(40),
			upTo: '2'.repeat(40),
		});
	});

	test('may have carriage returns, the old spelling or no reference', () => {
		const old = text.replace('Git repository', 'git repository').replace(' status-line', '').replaceAll('\n', '\r\n');
		assert.deepEqual(pullRequestOf(old), {
			repository: 'https://git.forge.test/~bob/lantern',
			reference: undefined,
			since: '1'.repeat(40),
			upTo: '2'.repeat(40),
		});
	});

	test('exclude quoted requests and other mails', () => {
		const since = 'The following changes since commit ';
		const place = 'are available in the Git repository at:\n';
		for (const other of [
			text.replaceAll(/^/gm, '> '),
			text.replace(since, `> ${since}`),
			text.replace(place, `> ${place}`),
			text.replace(since, `${since}1234567 and `),
			text.replace(/1{40}:/, 'abcdef:'),
			text.replace(/1{40}:/, `${'1'.repeat(40)}: (the last release)`),
			text.replace(since, 'Changes since commit '),
			text.replace(place, `${place}\n\n\n`),
			text.replace('repository at:', 'repository at: ask me'),
			// In reverse order, as in a discussion of the command.
			`${text.slice(text.indexOf('are available'))}\n${text.slice(0, text.indexOf('are available'))}`,
			// After a longer text than anybody writes above a request.
			`${'more\n'.repeat(40_000)}${text}`,
			'The changes are available in the Git repository at:\n\n  https://x.test\n',
			'',
		]) {
			assert.equal(pullRequestOf(other), undefined, other.slice(-500));
		}
	});

	test('tolerate other blanks, numbers of empty lines and id lengths', () => {
		const [since, upTo] = ['1'.repeat(40), '2'.repeat(40)];
		const expected = { repository: 'https://git.forge.test/~bob/lantern', reference: 'status-line', since, upTo };
		const place = 'are available in the Git repository at:\n\n  https';
		const end = `for you to fetch changes up to ${upTo}:`;
		const cases: readonly (readonly [changed: string, difference: Partial<PullRequestMail>])[] = [
			[text.replace(`${since}:`, since), {}],
			[text.replace(`${since}:`, `${since}: \t`), {}],
			[text.replace(since, 'abcdef0'), { since: 'abcdef0' }],
			[text.replace(since, 'a'.repeat(64)), { since: 'a'.repeat(64) }],
			[text.replace(place, `   ${place}`), {}],
			[text.replace(place, place.replace('\n\n  ', '\n')), {}],
			[text.replace(place, place.replace('\n\n  ', ' \t\n \n\t\n\n\t ')), {}],
			[text.replace(' status-line', ' \t status-line of today '), {}],
			[text.replace(' status-line', ' refs/tags/v1\t'), { reference: 'refs/tags/v1' }],
			[text.replace(/https\S+/, '<$&>'), {}],
			[text.replace(/https\S+/, '<x>/y'), { repository: '<x>/y' }],
			[text.replace(/https\S+/, 'x/<y>'), { repository: 'x/<y>' }],
			[text.replace(/https\S+/, 'x'.repeat(2049)), { repository: 'x'.repeat(2048), reference: undefined }],
			[text.replace(`${upTo}:`, upTo), {}],
			[text.replace(`${upTo}:`, `${upTo}: \t`), {}],
			[text.replace(upTo, 'fedcba9'), { upTo: 'fedcba9' }],
			[text.replace(end, ''), { upTo: undefined }],
			[text.replace(end, `> ${end}`), { upTo: undefined }],
			[text.replace(end, `${end} soon`), { upTo: undefined }],
			[text.replace(upTo, 'v2'), { upTo: undefined }],
			[`${'more\n'.repeat(30_000)}${text}`, {}],
		];
		for (const [changed, difference] of cases) {
			assert.deepEqual(pullRequestOf(changed), { ...expected, ...difference }, changed.slice(-500));
		}
	});

	test('are recognized by the server’s flag, a subject tag or the text', () => {
		const [asking, other] = [makeReading({ text }), makeReading()];
		const raw = { kind: 'raw', reason: 'unreadable', text } as const;
		for (const subject of [
			'[GIT PULL] Status line',
			' \t[pull] Status line',
			'[PULL REQUEST v2 lantern] Status line',
			`[${'x'.repeat(99)} Pull ${'x'.repeat(99)}] Status line`,
		]) {
			for (const reading of [asking, other, raw, undefined]) {
				assert.equal(asksForPull({ subject, isTold: undefined, reading }), true, subject);
			}
		}
		for (const subject of [
			'Status line',
			'Pull status line',
			'Re: [GIT PULL] Status line',
			'x[GIT PULL] Status line',
			'[PATCH] [PULL] Status line',
			'[PATCH] Pull] Status line',
			'[PULL Status line',
			'[PULLS] Status line',
			'[UNPULL] Status line',
			`[${'x'.repeat(100)} PULL] Status line`,
			`[PULL ${'x'.repeat(100)}] Status line`,
		]) {
			const answers = [asking, other, raw, undefined].map((reading) =>
				asksForPull({ subject, isTold: undefined, reading }),
			);
			assert.deepEqual(answers, [true, false, false, undefined], subject);
		}
		const subject = 'Status line';
		assert.equal(asksForPull({ subject, isTold: true, reading: other }), true);
		assert.equal(asksForPull({ subject, isTold: false, reading: undefined }), undefined);
	});

	test('are searched for once per mail', () => {
		const reading = makeReading({ text });
		assert.deepEqual(pullRequestIn(reading), pullRequestOf(text));
		assert.equal(pullRequestIn(reading), pullRequestIn(reading));
		assert.equal(pullRequestIn(makeReading()), undefined);
	});

	test('parse the output of git request-pull', () => {
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
