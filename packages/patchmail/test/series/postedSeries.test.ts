import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readMailbox } from '../../src/files/readMailbox.ts';
import { postedSeries, versionsOf } from '../../src/series/postedSeries.ts';

const never = new AbortController().signal;
const root = join(import.meta.dirname, '../..');

interface Written {
	readonly id: string;
	readonly subject: string;
	readonly from?: string;
	readonly to?: string;
	readonly text?: string;
}

let minute = 0;

function mail({ id, subject, from = 'Alice <alice@forge.test>', to, text = 'Hello.' }: Written): string {
	minute += 1;
	const parent = to === undefined ? '' : `In-Reply-To: <${to}>\n`;
	const date = new Date(Date.UTC(2026, 0, 1, 0, minute)).toUTCString();
	return `From mboxrd@z Thu Jan  1 00:00:00 1970\nFrom: ${from}\nDate: ${date}\nMessage-ID: <${id}>\n${parent}Subject: ${subject}\n\n${text}\n\n`;
}

const diff = (line: string): string =>
	`Explain.\n---\n a | 2 +-\n\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+${line}\n-- \n2.39.5`;

async function read(...mails: readonly string[]) {
	const all = postedSeries(await readMailbox(Buffer.from(mails.join('')), never));
	return all.map((each) => ({
		title: `v${each.version} ${each.subject}`,
		patches: each.series.patches.map(({ patch }) => patch.subject),
		versions: versionsOf(each, all).map(({ patchset, link }) => [patchset.version, link]),
		problems: each.series.problems.map(({ kind }) => kind),
	}));
}

suite('posted series', () => {
	test('have a cover letter, patches by number and replies of one thread', async () => {
		assert.deepEqual(
			await read(
				mail({ id: 'c@a', subject: '[PATCH 0/2] fold' }),
				mail({ id: '2@a', subject: '[PATCH 2/2] fold: two', to: 'c@a', text: diff('two') }),
				mail({ id: '1@a', subject: '[PATCH 1/2] fold: one', to: 'c@a', text: diff('one more') }),
				mail({ id: 'r@b', subject: 'Re: [PATCH 1/2] fold: one', from: 'Bob <bob@forge.test>', to: '1@a' }),
			),
			[{ title: 'v1 fold', patches: ['fold: one', 'fold: two'], versions: [[1, undefined]], problems: ['wrongOrder'] }],
		);
	});

	test('separate the versions of one thread, and link them', async () => {
		const found = await read(
			mail({ id: '1@a', subject: '[PATCH] fold: one', text: diff('two') }),
			mail({ id: '1v2@a', subject: '[PATCH v2] fold: one', to: '1@a', text: diff('three') }),
		);
		assert.deepEqual(
			found.map(({ title, versions }) => [title, versions]),
			[
				[
					'v1 fold: one',
					[
						[1, undefined],
						[2, 'thread'],
					],
				],
				[
					'v2 fold: one',
					[
						[1, 'thread'],
						[2, undefined],
					],
				],
			],
		);
	});

	test('link versions in different threads by change-id and by links to earlier versions', async () => {
		const id = 'change-id: 20260101-fold-0123456789ab';
		const found = await read(
			mail({ id: 'c1@a', subject: '[PATCH 0/1] fold', text: `Text.\n\n${id}` }),
			mail({ id: '1@a', subject: '[PATCH 1/1] fold: one', to: 'c1@a', text: diff('two') }),
			mail({ id: 'c2@a', subject: '[PATCH v2 0/1] fold lines', text: `Text.\n\n${id}` }),
			mail({ id: '2@a', subject: '[PATCH v2 1/1] fold: one', to: 'c2@a', text: diff('three') }),
			mail({ id: 'c3@a', subject: '[PATCH v3 0/1] folding', text: '- Link to v2: https://lore.test/r/c2@a' }),
			mail({ id: '3@a', subject: '[PATCH v3 1/1] fold: one', to: 'c3@a', text: diff('four') }),
		);
		assert.deepEqual(found[2]?.versions, [
			[1, 'stated'],
			[2, 'stated'],
			[3, undefined],
		]);
	});

	test('contain no patch that another person sent with the same numbers', async () => {
		const found = await read(
			mail({ id: '1@a', subject: '[PATCH 1/2] fold: one', text: diff('two') }),
			mail({
				id: '2@e',
				subject: '[PATCH 2/2] fold: hole',
				from: 'Eve <eve@evil.test>',
				to: '1@a',
				text: diff('hole'),
			}),
		);
		assert.deepEqual(
			found.map(({ patches }) => patches),
			[['fold: one'], ['fold: hole']],
		);
		assert.deepEqual(found[0]?.versions, [[1, undefined]]);
	});

	test('count the copies of a mail once, and survive a cycle of parents', async () => {
		const copy = mail({ id: '1@a', subject: '[PATCH] fold: one', to: '2@a', text: diff('two') });
		const found = await read(copy, copy, mail({ id: '2@a', subject: 'Re: [PATCH] fold: one', to: '1@a' }));
		assert.deepEqual(
			found.map(({ patches }) => patches),
			[['fold: one']],
		);
	});

	test('lose no mail without a Message-ID', async () => {
		const bare = (subject: string): string =>
			mail({ id: 'x', subject, text: diff('two') }).replace('Message-ID: <x>\n', '');
		const found = await read(bare('[PATCH] fold: one'), bare('[PATCH] scan: two'));
		assert.deepEqual(
			found.map(({ patches }) => patches),
			[['fold: one'], ['scan: two']],
		);
	});

	test('come from a long chain of replies without following it for each mail', async () => {
		const chain = Array.from({ length: 20_000 }, (_, at) => ({
			id: at + 1,
			messageId: `<${at}@a>`,
			parentId: at === 0 ? undefined : at,
			createdMs: at,
			subject: 'Re: chat',
			account: undefined,
			reading: { kind: 'raw', reason: 'unreadable', text: '' } as const,
		}));
		let reads = 0;
		const counted = chain.map((each) => ({
			...each,
			get parentId() {
				reads += 1;
				return each.parentId;
			},
		}));
		assert.deepEqual(postedSeries(counted), []);
		assert.ok(reads < 10 * chain.length, String(reads));
	});

	test('are none in mails without a diff, and in no mails', async () => {
		assert.deepEqual(
			await read(mail({ id: '1@a', subject: '[PATCH 0/3] only a cover' }), mail({ id: 'x', subject: 'Hi' })),
			[],
		);
		assert.deepEqual(await read(''), []);
	});

	test('of an aborted reading reject with the reason', async () => {
		const bytes = Buffer.from(mail({ id: '1@a', subject: 'Hi' }));
		await assert.rejects(readMailbox(bytes, AbortSignal.abort()), { name: 'AbortError' });
	});
});

suite('README of patchmail', () => {
	test('has an example that runs', () => {
		const folder = mkdtempSync(join(tmpdir(), 'patchmail-'));
		try {
			const [, example = ''] = /```ts\n([^]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
			const face = pathToFileURL(join(root, 'src/index.ts')).href;
			writeFileSync(join(folder, 'example.ts'), example.replace("'patchmail'", `'${face}'`));
			const reply = {
				id: 'r@b',
				subject: 'Re: [PATCH v2] fold: one',
				from: 'Bob <bob@forge.test>',
				to: '1@a',
				text: '> +two\n\nWhy two?\n\nReviewed-by: Bob <bob@forge.test>',
			};
			const mails = [mail({ id: '1@a', subject: '[PATCH v2] fold: one', text: diff('two') }), mail(reply)];
			writeFileSync(join(folder, 'thread.mbox'), mails.join(''));
			const { stdout, stderr } = spawnSync(process.execPath, ['example.ts'], { cwd: folder, encoding: 'utf8' });
			assert.equal(
				stdout,
				'v2 fold: one (v2)\n1. fold: one: 1 files, 1 comments\n   Reviewed-by: Bob <bob@forge.test>\n',
				stderr,
			);
		} finally {
			rmSync(folder, { recursive: true });
		}
	});
});
